#!/usr/bin/env bats
# Tests of the library file: its exports and dependencies, and that the checks for these find mistakes
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$PROJECT"
}

@test "librtrack.so is small, needs no library, and exports only interposed functions" {
	scripts/lint-symbols "$BUILD/librtrack.so"
}

@test "lint symbols finds a dependency, an extra export and a strong reference" {
	cd "$BATS_TEST_TMPDIR"
	printf 'int puts(const char *); int leak(void) { return puts("x"); }\n' >bad.c
	${CC:-cc} -shared -fPIC -o bad.so bad.c
	cd "$PROJECT"
	said=$(scripts/lint-symbols "$BATS_TEST_TMPDIR/bad.so" || :)
	echo "$said"
	[[ $said == *"needs other libraries"*libc* ]]
	[[ $said == *"shows 'leak'"* ]]
	[[ $said == *"needs 'puts"* ]]
}

# bats test_tags=root
@test "rtrack-run is static, and runs in a root directory without libraries" {
	[ -z "${SANITIZER-}" ] || skip "not with sanitizers"
	need libc6-dev
	echo 'int main(void) { return 0; }' | ${CC:-cc} -static -x c - -o "$BATS_TEST_TMPDIR/true"
	as_root "change the root directory"
	unshare --mount --root=/ true 2>/dev/null || skip "no other root can be given to a program here"
	cp "$BUILD/rtrack-run" "$BUILD/librtrack.so" "$BATS_TEST_TMPDIR"
	mkdir "$BATS_TEST_TMPDIR/proc" "$BATS_TEST_TMPDIR/spool"
	unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" /rtrack-run --spool /spool /true' "$BATS_TEST_TMPDIR"
	[ "$("$BUILD/rtrack-report" stats --spool "$BATS_TEST_TMPDIR/spool" --format json | jq .totals.processes)" = 1 ]
}

@test "scripts/lint-arrows finds an include against the order of folders" {
	cp -R core sampler preload launcher report "$BATS_TEST_TMPDIR"
	mkdir "$BATS_TEST_TMPDIR/scripts"
	cp scripts/lint-arrows "$BATS_TEST_TMPDIR/scripts"
	cd "$BATS_TEST_TMPDIR"
	scripts/lint-arrows
	for wrong in core:sampler/os.h core:stdio.h sampler:preload/member.h launcher:preload/member.h report:sampler/os.h; do
		case $wrong in
		*/*) echo "#include \"${wrong#*:}\"" >"${wrong%%:*}/wrong.c" ;;
		*) echo "#include <${wrong#*:}>" >"${wrong%%:*}/wrong.c" ;;
		esac
		! scripts/lint-arrows || { echo "not seen: $wrong"; false; }
		rm "${wrong%%:*}/wrong.c"
	done
}

@test "the library file also works in a program linked with musl" {
	need musl-gcc
	cd "$BATS_TEST_TMPDIR"
	burn=$(victim burn musl-gcc)
	preload "$burn" 0.3 2
	run=$(only_run)
	[ "$(json status "$run/run.json")" = finished ]
	grep -c '"self"' "$run/exit.csv"
	column "$run/process.csv" utime | awk '{ sum += $1 } END { print sum; exit !(sum > 0.2 && sum < 1) }'
}
