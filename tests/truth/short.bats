#!/usr/bin/env bats
# Tests with thousands of children that live between two ticks: each child is counted, and all their CPU time is in the
# totals.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	BURN=$(victim burn)
	SERIES=$(victim series)
	export RTRACK_INTERVAL=0.5
}

@test "1000 children of 5 ms are in the totals" {
	for way in preload launcher; do
		accounted $way "$SERIES" 1000 2 "$BURN" 0.005
		cpu_is_the_kernels $way
		at_least "$(kernel $way cpu)" 5
		[ "$(total "$run" processes)" = 1001 ]
		every_end_is_exact
	done
}

@test "200 children of 20 ms are in the totals" {
	for way in preload launcher; do
		accounted $way "$SERIES" 200 2 "$BURN" 0.02
		cpu_is_the_kernels $way
		at_least "$(kernel $way cpu)" 4
		[ "$(total "$run" processes)" = 201 ]
		every_end_is_exact
	done
}

@test "10,000 forks are in the totals" {
	for way in preload launcher; do
		accounted $way "$SERIES" 10000 50
		cpu_is_the_kernels $way
		[ "$(total "$run" processes)" = 10001 ]
		every_end_is_exact
	done
}

@test "2,000 runs of /bin/true in a shell loop are in the totals" {
	for way in preload launcher; do
		accounted $way sh -c 'i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i + 1)); done'
		cpu_is_the_kernels $way
		[ "$(total "$run" processes)" = 2001 ]
		every_end_is_exact
	done
}

@test "a fork without exec that forks again counts as a separate process" {
	export RTRACK_INTERVAL=0.01
	for way in preload launcher; do
		accounted $way sh -c '(i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; /bin/true; times >"$0"); :' "$BATS_TEST_TMPDIR/times"
		cpu_is_the_kernels $way
		[ "$(total "$run" exact_cpu)" = true ]
		# The process itself printed "0m0.150000s 0m0.000000s".
		own=$(head -n 1 "$BATS_TEST_TMPDIR/times" | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }')
		near "$(awk -F, '/"self"/ && $5 + $6 > most { most = $5 + $6 } END { print most }' "$run/exit.csv")" "$own" 0.02 0.01
	done
}

@test "the last row has the peak of a static command that ends before the first sample" {
	export RTRACK_INTERVAL=3600
	one_way launcher "$(victim touch "${CC:-cc}" -static)" 100 1
	run=$(run_of launcher)
	near "$(column "$run/process.csv" memory_mib)" 100 3
	near "$("$BUILD/rtrack-report" stats --format json "$run" | jq .stats.process_memory_mib.max)" 100 3
}
