#!/usr/bin/env bats
# Tests of how long a job waited for a CPU, compared with the kernel's own figure for each of its processes

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/runs

# write_worker: makes a program that uses a second of CPU time, and then writes how long it has waited for a CPU, according
# to the kernel.
write_worker() {
	cat >"$BATS_TEST_TMPDIR/worker.py" <<-'END'
		import sys, time
		while time.process_time() < 1:
		    pass
		with open("/proc/self/schedstat") as times, open(sys.argv[1], "w") as out:
		    out.write(times.read().split()[1])
	END
}

# total EXPRESSION: evaluates a jq expression on the totals of the only run.
total() {
	report_value ".totals | $1" stats
}

# two_on_one COMMAND…: runs two busy workers under that command, pinned to one CPU, so that one waits while the other runs.
two_on_one() {
	local pinned=("$@") cpu
	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
	taskset -c "$cpu" "${pinned[@]}" sh -c 'python3 "$1" "$2/a" & python3 "$1" "$2/b" & wait' \
		sh "$BATS_TEST_TMPDIR/worker.py" "$BATS_TEST_TMPDIR"
	is_over "$(only_run)"
	waited=$(awk '{ sum += $1 } END { print sum / 1e9 }' "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b")
	printf 'kernel: %s s, rtrack: %s s, wanted %s\n' "$waited" "$(total .cpu_wait_seconds)" "$(total .cpus_wanted)"
	# The start of python3 may need other processes, which wait as well.
	[ "$(total ".cpu_wait_seconds > 0.97 * $waited")" = true ]
	[ "$(total ".cpus_wanted > 1.5 and .mean_cpu_usage < 1.1")" = true ]
	[ "$(report_value .resources.cpu recommend --offline)" = 2 ]
}

@test "rtrack-run: two busy workers on one CPU want two CPUs by the kernel's counters" {
	write_worker
	two_on_one "$BUILD/rtrack-run" --interval 0.2
}

@test "LD_PRELOAD: two busy workers on one CPU want two CPUs by the kernel's counters" {
	write_worker
	two_on_one env LD_PRELOAD="$BUILD/librtrack.so" RTRACK_INTERVAL=0.2
}

@test "a job that sleeps wants no CPU, and show does not call it slowed" {
	"$BUILD/rtrack-run" sleep 3
	[ "$(total '.cpus_wanted < 0.25')" = true ]
	report show -v
	fails grep -q slowed <<<"$output"
	[ "$(report_value .resources.cpu recommend --offline)" = 1 ]
}
