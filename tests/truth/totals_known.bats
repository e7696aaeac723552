#!/usr/bin/env bats
# Tests of totals. Expected values are known work, which test programs measure by their own clocks, and the kernel's
# account of a tree, which tests/victims/work/account.c reads as a subreaper.

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	BURN=$(victim burn)
	export RTRACK_INTERVAL=0.1
}

@test "two CPU-seconds in one process are two seconds in the totals" {
	for way in preload launcher; do
		one_way $way "$BURN" 2
		run=$(run_of $way)
		near "$(total "$run" cpu_seconds)" 2 0 0.02
		[ "$(total "$run" exact)" = true ]
		[ "$(total "$run" processes)" = 1 ]
	done
}

@test "two CPU-seconds in eight processes are two seconds in the totals" {
	for way in preload launcher; do
		one_way $way "$BURN" 2 8
		run=$(run_of $way)
		near "$(total "$run" cpu_seconds)" 2 0 0.02
		[ "$(total "$run" exact)" = true ]
		[ "$(total "$run" processes)" = 9 ]
	done
}

@test "the columns of process.csv sum to the totals" {
	for way in preload launcher; do
		one_way $way sh -c '"$0" 0.3 2; "$0" 0.2; cat "$0" >/dev/null' "$BURN"
		run=$(run_of $way)
		near "$(total "$run" user_seconds)" "$(sum_of "$run/process.csv" utime)" 0.0001
		near "$(total "$run" system_seconds)" "$(sum_of "$run/process.csv" stime)" 0.0001
		near "$(total "$run" disk_read_bytes)" "$(sum_of "$run/process.csv" disk_read_bytes)" 0
		near "$(total "$run" disk_write_bytes)" "$(sum_of "$run/process.csv" disk_write_bytes)" 0
	done
}

@test "the exit records of a process tree sum to its CPU time" {
	for way in preload launcher; do
		one_way $way "$BURN" 0.8 4
		run=$(run_of $way)
		sum=$(printf '%s\n' "$(sum_of "$run/exit.csv" utime)" "$(sum_of "$run/exit.csv" stime)" | awk '{ s += $1 } END { print s }')
		near "$sum" 0.8 0.02 0.01
		[ "$(rows_in "$run/exit.csv")" = 5 ]
		[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
	done
}

@test "a job that ends before the first sample has exact totals and one row" {
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way "$BURN" 0.05
		run=$(run_of $way)
		[ "$(rows_in "$run/process.csv")" = 1 ]
		[ "$(rows_in "$run/system.csv")" = 1 ]
		[ "$(total "$run" exact)" = true ]
		near "$(total "$run" cpu_seconds)" 0.05 0.005
		[ "$(json status "$run/run.json")" = finished ]
	done
}

@test "a job that does nothing has a run with one row" {
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way /bin/true
		run=$(run_of $way)
		[ "$(rows_in "$run/process.csv")" = 1 ]
		[ "$(rows_in "$run/start.csv")" = 1 ]
		[ "$(rows_in "$run/exit.csv")" = 1 ]
		near "$(total "$run" cpu_seconds)" 0 0.01
	done
}

@test "a job that sleeps has no CPU time, and the same peak memory as sleep alone" {
	account=$(victim account)
	"$account" "$BATS_TEST_TMPDIR/account" sleep 0.01
	peak_kib=$(cut -d' ' -f2 "$BATS_TEST_TMPDIR/account")
	for way in preload launcher; do
		one_way $way sleep 2
		run=$(run_of $way)
		near "$(total "$run" cpu_seconds)" 0 0.01
		near "$(total "$run" peak_memory_mib)" "$(awk "BEGIN { print $peak_kib / 1024 }")" 1
		[ "$(total "$run" processes)" = 1 ]
	done
}

@test "the tracker's CPU time is in tracker_cpu and not in the job's" {
	export RTRACK_INTERVAL=0.001
	for way in preload launcher; do
		sampled_in_time 0.2 accounted $way sleep 1
		near "$(total "$run" cpu_seconds)" 0 0.01
		# The CPU time that the kernel counts for a sleeping job is that of the tracker, for at least a hundred
		# samples.
		near "$(sum_of "$run/system.csv" tracker_cpu)" "$(kernel $way cpu)" $CPU_SECONDS $CPU_PART
		at_least "$(sum_of "$run/system.csv" tracker_cpu)" 0.02
	done
}

@test "a peak of 300 MiB between two samples is exact" {
	touch=$(victim touch)
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way sh -c '"$0" 300 50; true' "$touch"
		run=$(run_of $way)
		peak_mib=$(awk '{ print $1 / 1024 }' "$BATS_TEST_TMPDIR/$way.out")
		near "$peak_mib" 301 3
		near "$(total "$run" peak_process_memory_mib)" "$peak_mib" 1
		near "$(column "$run/exit.csv" peak_rss_mib | sort -n | tail -1)" "$peak_mib" 1
	done
}

@test "a child does not inherit its parent's peak" {
	touch=$(victim touch)
	one_way preload sh -c '"$0" 200 1 && exec sleep 0.01' "$touch"
	run=$(run_of preload)
	small=$(grep -F sleep "$run/start.csv" | cut -d, -f2,3 | head -1)
	peak=$(grep ",$small," "$run/exit.csv" | tail -1 | cut -d, -f7)
	near "$peak" 0 16
}
