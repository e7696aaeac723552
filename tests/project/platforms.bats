#!/usr/bin/env bats
# Tests of rtrack-report for another platform. os/none stands for a new platform, and reads a spool as this platform
# does.

load ../lib/helper
load ../lib/runs

# setup_file builds with the flags that make got, so that the build of ./scripts/check is used.
setup_file() {
	make -s -j2 -C "$BATS_TEST_DIRNAME/../.." BUILD="$BUILD/none" PLATFORM=none "$BUILD/none/rtrack-report" >/dev/null
}

setup() {
	make_three_runs >/dev/null
}

# same_on_none ARG...: both programs print the same text, which is not empty.
same_on_none() {
	local status=0
	"$BUILD/rtrack-report" "$@" >here.out 2>here.err || status=$?
	"$BUILD/none/rtrack-report" "$@" >there.out 2>there.err || [ $? -eq "$status" ]
	[ -s here.out ]
	diff here.out there.out
	diff here.err there.err
}

@test "os/none: commands about a run print the same as on this platform" {
	cd "$BATS_TEST_TMPDIR"
	run=20261121T020000Z-compute-7-10-0001
	for format in text json; do
		same_on_none list --format $format
		same_on_none show --format $format $run
		same_on_none stats --format $format $run
		same_on_none recommend --offline --format $format $run
	done
	same_on_none export $run -o -
	same_on_none compare $run 20261121T020200Z-compute-7-12-0003
}

@test "os/none: the page of a run is the same as on this platform" {
	cd "$BATS_TEST_TMPDIR"
	same_on_none html -o - 20261121T020000Z-compute-7-10-0001
	grep -q 'compute-7' there.out
}

@test "os/none: unknown facts about the machine are null, neither empty nor 0" {
	machine=$("$BUILD/none/rtrack-report" discover --format json)
	[ "$(jq -c '.server | [.os, .cpu_model, .vcpus, .memory_mib]' <<<"$machine")" = "[null,null,null,null]" ]
}

@test "make PLATFORM: builds the programs that the platform supports" {
	unset MAKEFLAGS MAKELEVEL MFLAGS
	commands=$(make -n -C "$PROJECT" PLATFORM=none BUILD="$BATS_TEST_TMPDIR/build" all 2>/dev/null)
	fails grep -qE -- '-o [^ ]*/(librtrack.so|rtrack-run) ' <<<"$commands"
	grep -q -- '-o [^ ]*/rtrack-report ' <<<"$commands"
}
