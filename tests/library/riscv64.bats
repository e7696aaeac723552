#!/usr/bin/env bats
# riscv64, on another processor, by qemu-user: the unit tests of what the library is made of, rtrack-run, rtrack-report
# and the library. `make check-arm` runs the suites of the programs in the same way.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/guests

setup_file() {
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
	status=0
	"$guest/rtrack-run" sh -c 'sleep 0.3; exit 3' || status=$?
	[ "$status" = 3 ]
	run=$(only_run)
	[ "$(jq -c '[.status, .exit_code]' "$run/run.json")" = '["failed",3]' ]
	[ "$(wc -l <"$run/process.csv")" -ge 3 ]
	"$guest/rtrack-report" show --format json | jq -e '.totals.processes >= 2 and .totals.wall_seconds >= 0.3'
	diff <("$guest/rtrack-report" show) <("$BUILD/rtrack-report" show)
}

@test "riscv64: the library writes the records of a program's start and end, in a run of rtrack-run" {
	[ -e "/usr/riscv64-linux-gnu/lib/libc.so.6" ] || skip "no C library of riscv64 here"
	status=0
	"$guest/rtrack-run" --no-preload $emulate -E LD_PRELOAD="$guest/build/librtrack.so" "$burn" 0.3 2 || status=$?
	[ "$status" = 0 ]
	run=$(only_run)
	[ "$(grep -c '"self"' "$run/exit.csv")" -ge 1 ] || { cat "$run/exit.csv"; false; }
	"$guest/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29'
}

@test "riscv64: under a bare LD_PRELOAD each process says its start and its end, and nobody samples" {
	says_ends_alone
}

@test "riscv64: hosts look the same with the library, however they end and whatever children they make" {
	hosts_look_bare
}
