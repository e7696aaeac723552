#!/usr/bin/env bats
# Tests on riscv64, emulated by qemu-user: the unit tests of the library's parts, rtrack-run, rtrack-report and the
# library. `make check-arm` runs the test suites of the programs in the same way.
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

@test "riscv64: gcc builds the library and both programs without a warning" {
	is_built_for_it RISC-V
}

@test "riscv64: the unit tests of core, sampler and os/linux pass" {
	units_pass 30
}

@test "riscv64: rtrack-run records a native job, and rtrack-report reads the run" {
	samples_a_job_of_this_machine
}

@test "riscv64: the library records each start and exit in a run of rtrack-run" {
	writes_records_in_a_run
}

@test "riscv64: under LD_PRELOAD alone, each process records its start and its exit" {
	says_ends_alone
}

@test "riscv64: programs behave the same with the library" {
	hosts_look_bare
}
