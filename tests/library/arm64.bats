#!/usr/bin/env bats
# aarch64, on another processor, by qemu-user: the unit tests of what the library is made of, rtrack-run, rtrack-report
# and the library.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/guests

setup_file() {
	need aarch64-linux-gnu-gcc qemu-aarch64 libc6-dev-arm64-cross
	make_guest aarch64
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1
}

@test "aarch64: gcc builds all three, without a warning" {
	is_built_for_it AArch64
}

@test "aarch64: the unit tests of core, sampler and os/linux pass" {
	units_pass 30
}

@test "aarch64: rtrack-run samples a job of this machine, passes its status on, and ends its run, which rtrack-report reads" {
	samples_a_job_of_this_machine
}

@test "aarch64: the library writes the records of a program's start and end, in a run of rtrack-run" {
	writes_records_in_a_run
}

@test "aarch64: under a bare LD_PRELOAD each process says its start and its end, without a sampler" {
	says_ends_alone
}

@test "aarch64: hosts look the same with the library, however they end and whatever children they make" {
	hosts_look_bare
}
