#!/usr/bin/env bats
# Tests that known numbers of bytes read and written are counted once, with and without a reaping parent and at every
# interval
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	BYTES=$(victim bytes)
}

# Nine processes use 16 MiB each: the root, four children, and one child of each.
MIB=144

@test "bytes of parents and of reaped children are counted once" {
	for interval in 0.02 3600; do
		export RTRACK_INTERVAL=$interval
		rm -rf "$BATS_TEST_TMPDIR"/spool-*
		for way in preload launcher; do
			accounted $way "$BYTES" "$BATS_TEST_TMPDIR" 4 16
			[ "$(cat "$BATS_TEST_TMPDIR/$way.status")" = 0 ]
			near "$(sum_of "$run/process.csv" write_chars)" $((MIB << 20)) 65536
			near "$(sum_of "$run/process.csv" read_chars)" $((MIB << 20)) 262144
		done
	done
}

@test "recorded bytes that reach storage are equal to the kernel's count" {
	export RTRACK_INTERVAL=0.02
	for way in preload launcher; do
		accounted $way "$BYTES" "$BATS_TEST_TMPDIR" 4 16
		written=$(kernel $way write_bytes)
		[ "${written%.*}" -gt $((MIB << 20)) ] || skip "what is written here reaches no storage"
		# The kernel's figure includes the spool, which is not part of the job.
		near "$(total "$run" disk_write_bytes)" "$written" 1048576 0.01
		near "$(total "$run" disk_write_bytes)" $((MIB << 20)) 1048576 0.01
		near "$(total "$run" disk_read_bytes)" "$(kernel $way read_bytes)" 1048576 0.01
	done
}

@test "member.csv excludes bytes of reaped children, which the kernel adds to parents" {
	export RTRACK_INTERVAL=0.02
	accounted launcher "$BYTES" "$BATS_TEST_TMPDIR" 4 16
	near "$(total "$run" disk_write_bytes)" $((MIB << 20)) 1048576 0.01 || skip "what is written here reaches no storage"
	at_least $(((MIB << 20) + (2 << 20))) "$(sum_of "$run/member.csv" disk_write_bytes)"
	root=$(json pid "$run/run.json")
	at_least $((17 << 20)) "$(awk -F, -v pid="$root" '$2 == pid { sum += $9 } END { print sum }' "$run/member.csv")"
}

@test "bytes of a child that is never reaped are counted once" {
	cat >"$BATS_TEST_TMPDIR/unreaped.py" <<-'END'
		import os
		def write(name):
		    with open(name, "wb") as file:
		        file.write(bytes(16 << 20))
		parent = os.fork()
		if parent == 0:
		    child = os.fork()
		    if child == 0:
		        write("child")
		        os._exit(0)
		    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
		    write("parent")
		    os._exit(0)
		os.waitpid(parent, 0)
		write("root")
	END
	cd "$BATS_TEST_TMPDIR"
	for interval in 0.02 3600; do
		export RTRACK_INTERVAL=$interval
		for way in preload launcher; do
			accounted $way python3 unreaped.py
			written=$(kernel $way write_bytes)
			[ "${written%.*}" -gt $((48 << 20)) ] || skip "what is written here reaches no storage"
			near "$(total "$run" disk_write_bytes)" $((48 << 20)) 1048576
			rm -r "$(spool_of $way)"
		done
	done
}

# bats test_tags=root
@test "bytes of statically linked children are counted even if the user is not root" {
	as_root "become another user"
	static=$(victim bytes "${CC:-cc}" -static)
	place=$(mktemp -d -p /tmp)
	cp "$BUILD/rtrack-run" "$BUILD/librtrack.so" "$static" "$place"
	mkdir "$place/files"
	chmod -R a+rX "$place"
	chmod 777 "$place/files"
	setpriv --reuid 65534 --regid 65534 --clear-groups env RTRACK_SPOOL="$place/files/spool" RTRACK_INTERVAL=3600 \
		"$place/rtrack-run" "$place/${static##*/}" "$place/files" 4 16 3>&-
	written=$(total "$place"/files/spool/* disk_write_bytes)
	exact=$(total "$place"/files/spool/* exact_cpu)
	rm -r "$place"
	[ "$exact" = true ]
	near "$written" $((MIB << 20)) 1048576 0.01
}
