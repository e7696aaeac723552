# podman with runc, in the test file's own directory and without a network

# make_podman ROOT…: for setup_file. Puts a program named podman into $BATS_FILE_TMPDIR/bin, so that commands of the
# docs use it. Each directory ROOT (tests/lib/roots.bash) becomes an image localhost/ROOT.
make_podman() {
	local root
	need podman runc
	mkdir -p "$BATS_FILE_TMPDIR/bin"
	cat >"$BATS_FILE_TMPDIR/bin/podman" <<-END
		#!/bin/sh
		case \$1 in
		run) shift; set -- run --network=none --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 "\$@" ;;
		build) shift; set -- build -q --isolation=chroot --pull=never "\$@" ;;
		esac
		exec $(command -v podman) --root $BATS_FILE_TMPDIR/storage --runroot $BATS_FILE_TMPDIR/runroot --storage-driver vfs \\
			--runtime runc --cgroup-manager=cgroupfs "\$@"
	END
	chmod +x "$BATS_FILE_TMPDIR/bin/podman"
	PATH=$BATS_FILE_TMPDIR/bin:$PATH
	{
		for root; do
			[ ! -d "$root" ] || tar -C "$root" -c . | podman import -q - "localhost/$root"
		done
		podman run --rm "localhost/$1" /bin/burn 0.001 && echo it works
	} >"$BATS_FILE_TMPDIR/podman.log" 2>&1 || :
}

# Tests that use podman have the tag "root", because podman needs a range of user IDs that ordinary users may lack.
needs_podman() {
	as_root "run podman here"
	grep -qx 'it works' "$BATS_FILE_TMPDIR/podman.log" 2>/dev/null ||
		skip "podman does not run a container here: $(tail -n 1 "$BATS_FILE_TMPDIR/podman.log" 2>/dev/null)"
}

# remove_podman: for teardown_file.
remove_podman() {
	umount "$BATS_FILE_TMPDIR/storage/vfs" 2>/dev/null || :
}
