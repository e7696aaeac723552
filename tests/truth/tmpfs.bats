#!/usr/bin/env bats
# Tests of files on tmpfs and of memfds. Their memory belongs to no process, and the control group of the job counts it.
# The estimate falls if other tests remove files from tmpfs meanwhile, so this file runs alone.
# bats file_tags=alone

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	FILES=/dev/shm/rtrack-test-$$-$BATS_TEST_NUMBER
	mkdir "$FILES" 2>/dev/null || skip "no right to write to /dev/shm"
	export FILES RTRACK_INTERVAL=0.2
}

teardown() {
	rm -rf "${FILES:?}"
	remove_group
}

# needed_is_the_groups: runs a command both ways in a group without an effective limit, and compares the needed peak
# with the group's.
needed_is_the_groups() {
	local way
	for way in preload launcher; do
		memory_group 1000000
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		one_way $way "$@"
		WAYS_PREFIX=()
		run=$(run_of $way)
		is_over "$run"
		near "$(total "$run" peak_memory_needed_mib)" "$(group_peak_mib)" 16 0.1
		# If every tick saw a file mapped, the peak may be exact.
		[ "$(total "$run" exact_memory)" = false ] || near "$(total "$run" peak_memory_mib)" "$(group_peak_mib)" 16 0.1
		remove_group
	done
}

@test "files in /dev/shm are counted in needed memory and named by show and recommend" {
	needed_is_the_groups sh -c 'dd if=/dev/zero of="$FILES/x" bs=1M count=200 2>/dev/null; sleep 0.5; rm "$FILES/x"'
	run "$BUILD/rtrack-report" show -v "$run"
	[[ "$output" == *"on tmpfs"*"files that the job wrote to memory"* ]]
	run "$BUILD/rtrack-report" recommend --offline "$run"
	[[ "$output" == *"Its files on tmpfs (/dev/shm) had up to 2"* ]]
}

@test "a memfd that a child inherits is counted in needed memory" {
	needed_is_the_groups python3 -c '
import os, subprocess
fd = os.memfd_create("x", 0)
for _ in range(200): os.write(fd, bytes(1 << 20))
subprocess.run(["sleep", "0.5"], pass_fds=[fd])'
}

@test "temporary files of sort in /dev/shm are counted in needed memory" {
	python3 -c 'import random; r = random.Random(1); [print("%096x" % r.getrandbits(384)) for _ in range(400000)]' >"$BATS_TEST_TMPDIR/lines"
	needed_is_the_groups sh -c 'sort -S 8M -T "$FILES" <"$0" | { sleep 1; cat >/dev/null; }' "$BATS_TEST_TMPDIR/lines"
}

@test "R's temporary directory in /dev/shm is counted in needed memory" {
	need Rscript
	TMPDIR=$FILES needed_is_the_groups Rscript -e 'x <- file(tempfile(), "wb"); for (i in 1:200) writeBin(raw(1048576), x); flush(x); Sys.sleep(0.5)'
}

@test "a file in /dev/shm that is written and then mapped counts once" {
	needed_is_the_groups python3 -c '
import mmap, os, time
file = open(os.environ["FILES"] + "/x", "w+b")
for _ in range(200): file.write(bytes(1 << 20))
file.flush()
time.sleep(0.3)
mapped = mmap.mmap(file.fileno(), 0)
sum(mapped[i] for i in range(0, len(mapped), 4096))
time.sleep(0.5)'
}

@test "files that other processes write to /dev/shm are not counted for the job" {
	local way
	for way in preload launcher; do
		(sleep 0.3 && dd if=/dev/zero of="$FILES/other" bs=1M count=200 2>/dev/null) &
		one_way $way sh -c 'dd if=/dev/zero of="$FILES/own" bs=1M count=10 2>/dev/null; until [ "$(stat -c %s "$FILES/other")" = 209715200 ]; do sleep 0.2; done' 2>/dev/null
		wait $!
		[ "$(awk -v mib="$(total "$(run_of $way)" peak_memory_needed_mib)" 'BEGIN { print (mib >= 10 && mib < 40) }')" = 1 ]
		rm -f "$FILES"/*
	done
}
