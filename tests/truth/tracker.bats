#!/usr/bin/env bats
# Tests that the tracker's own usage is in no figure of the job, and is shown separately
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/exact

@test "at 1,000 samples a second, the tracker's CPU time is not counted in the job" {
	export RTRACK_INTERVAL=0.001
	for way in preload launcher; do
		accounted $way "$(victim burn)" 1
		cpu_is_the_kernels $way
		near "$(total "$run" cpu_seconds)" 1 0.02 0.01
		at_least "$(sum_of "$run/system.csv" tracker_cpu)" 0.02
		[ "$(total "$run" processes)" = 1 ]
		near "$(column "$run/process.csv" members | sort -n | tail -1)" 1 0
		near "$(column "$run/process.csv" threads | sort -n | tail -1)" 1 0
		# Meanwhile the sampler read megabytes of /proc, and wrote a row per tick.
		at_least 65536 "$(sum_of "$run/process.csv" read_chars)"
		at_least 16384 "$(sum_of "$run/process.csv" write_chars)"
	done
}

@test "the process that takes over sampling counts as tracker, not as part of the job" {
	export RTRACK_INTERVAL=0.005
	accounted preload "$(victim daemon)" leave 1 20
	cpu_is_the_kernels preload
	[ "$(total "$run" processes)" = 3 ]
	near "$(column "$run/process.csv" members | sort -n | tail -1)" 1 2
	at_least "$(sum_of "$run/system.csv" tracker_cpu)" 0.005
}

@test "the sampler's CPU time is not counted for the job, even after twenty execs" {
	export RTRACK_INTERVAL=0.01
	accounted preload "$(victim die)" chain 20 0.03 4 20
	at_least "$(sum_of "$run/system.csv" tracker_cpu)" 0.02
	cpu_is_the_kernels preload
}
