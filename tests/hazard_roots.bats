#!/usr/bin/env bats
# Programs that change their root directory, to one that has the library and to one that does not.

load helper
load jobs

# A root directory with a shell and what it needs.
setup() {
	ROOT=$BATS_TEST_TMPDIR/root
	mkdir -p "$ROOT"
	for file in /bin/sh /bin/echo $(ldd /bin/sh /bin/echo | grep -o '/[^ :]*' | sort -u); do
		[ -f "$file" ] || continue
		mkdir -p "$ROOT$(dirname "$file")"
		cp -L "$file" "$ROOT$file"
	done
	cd "$BATS_TEST_TMPDIR"
	[ "$(chroot "$ROOT" /bin/sh -c 'echo in' 2>&1)" = in ] || skip "chroot is not allowed here"
}

@test "a chroot without the library looks the same" {
	same_every_way chroot "$ROOT" /bin/sh -c '/bin/echo in; echo "$LD_PRELOAD" | /bin/sh -c "read x; exit 4"'
	bare_status_is 4
	bare_says '^in$'
}

@test "a chroot without the library keeps what else is preloaded" {
	mkdir -p "$ROOT/opt"
	echo 'int other = 1;' >other.c
	${CC:-cc} -shared -fPIC -o "$ROOT/opt/other.so" other.c
	LD_PRELOAD="$LIBRARY:$ROOT/opt/other.so" RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool chroot "$ROOT" /bin/sh -c 'echo "$LD_PRELOAD"' >said 2>errors || true
	[ "$(cat said)" = "$ROOT/opt/other.so" ]
	! grep librtrack errors
}

@test "a chroot with the library tracks on" {
	mkdir -p "$ROOT$(dirname "$LIBRARY")"
	cp "$LIBRARY" "$ROOT$LIBRARY"
	same_every_way chroot "$ROOT" /bin/sh -c 'echo in; exit 4'
	bare_status_is 4
	LD_PRELOAD=$LIBRARY chroot "$ROOT" /bin/sh -c 'echo "$LD_PRELOAD"' | grep -qF "$LIBRARY"
}

@test "pivot_root without the library looks the same" {
	command -v bwrap >/dev/null || skip "bwrap is not installed"
	bwrap --bind "$ROOT" / /bin/sh -c true || skip "bwrap may not work here"
	same_every_way bwrap --bind "$ROOT" / /bin/sh -c '/bin/echo in; exit 4'
	bare_status_is 4
}
