#!/usr/bin/env bats
# riscv64, on another processor, by qemu-user: the unit tests of what the library is made of, rtrack-run, rtrack-report
# and the library. `make check-arm` runs the suites of the programs in the same way.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/guests

setup_file() {
	need riscv64-linux-gnu-gcc qemu-riscv64 libc6-dev-riscv64-cross
	make_guest riscv64
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1
}

@test "riscv64: gcc builds all three, without a warning" {
	is_built_for_it RISC-V
}

@test "riscv64: the unit tests of core, sampler and os/linux pass" {
	units_pass 30
}

@test "riscv64: rtrack-run samples a job of this machine, passes its status on, and ends its run, which rtrack-report reads" {
	samples_a_job_of_this_machine
}

@test "riscv64: the library writes the records of a program's start and end, in a run of rtrack-run" {
	writes_records_in_a_run
}

@test "riscv64: under a bare LD_PRELOAD each process says its start and its end, without a sampler" {
	says_ends_alone
}

@test "riscv64: hosts look the same with the library, however they end and whatever children they make" {
	hosts_look_bare
}
