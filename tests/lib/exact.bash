# Compares a run's totals with the kernel's own account of the same process tree.
# The tracked command runs under tests/victims/work/account.c, a subreaper. It adopts every orphan of the job, so its
# wait4() returns the true usage, tracker included. The tests compare counters, never clocks.

CPU_SECONDS=0.02
CPU_PART=0.01
PEAK_MIB=1
PEAK_PART=0.01

# accounted WAY COMMAND…: runs a command in one way under account, and waits until the run has ended. Sets $run to the
# run's directory. If $CPU_GROUP is set, the run is in that control group.
accounted() {
	local way=$1
	shift
	WAYS_PREFIX=("$(victim account)" "$BATS_TEST_TMPDIR/$way.account${CPU_GROUP:+,$CPU_GROUP}")
	one_way "$way" "$@"
	WAYS_PREFIX=()
	run=$(run_of "$way")
	is_over "$run"
}

# wait_for COMMAND...: waits until a command succeeds, at most a minute.
wait_for() {
	local deadline=$((SECONDS + 60))
	until "$@"; do
		[ $SECONDS -lt $deadline ] || { echo "not within a minute: $*"; return 1; }
		sleep 0.05
	done
}

has_no_lock() {
	[ ! -e "$1/.lock" ]
}

# is_over RUN: fails unless the run ends within a minute.
is_over() {
	wait_for has_no_lock "$1"
}

# kernel WAY cpu|peak_mib|reaped|read_bytes|write_bytes: prints one figure of account. CPU time includes the tracker's.
kernel() {
	awk -v what="$2" '{
		figure["cpu"] = $1 - $4; figure["peak_mib"] = $2 / 1024; figure["reaped"] = $3
		figure["read_bytes"] = $5; figure["write_bytes"] = $6
		printf "%.6f\n", figure[what]
	}' "$BATS_TEST_TMPDIR/$1.account"
}

# job_cpu WAY: prints the CPU seconds of the job by the kernel's account, without those of the tracker.
job_cpu() {
	python3 "$BATS_TEST_DIRNAME/../lib/kernel.py" "$BATS_TEST_TMPDIR/$1.account" "$run" "$1"
}

# largest_process RUN: prints the largest peak of a single process in the spool, from any source.
largest_process() {
	{
		column "$1/exit.csv" peak_rss_mib
		column "$1/exit.csv" children_peak_mib
		json tracker.reaped_peak_mib "$1/run.json" | grep -v null
		# exec replaces the program of a process. The next program records the peak of the replaced one, if it
		# exceeds the peak of the first program.
		awk -F, 'NR > 1 { if (!($2 "," $3 in first)) first[$2 "," $3] = $NF + 0
			else if ($NF + 0 > first[$2 "," $3]) print $NF }' "$1/start.csv"
	} | sort -g | tail -n 1
}

# at_least A B: fails unless A is at least B.
at_least() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (a >= b) exit 0; printf "%s is less than %s\n", a, b; exit 1 }'
}

# cpu_is_the_kernels WAY: fails unless the CPU time of the run equals the kernel's.
cpu_is_the_kernels() {
	near "$(total "$run" cpu_seconds)" "$(job_cpu "$1")" $CPU_SECONDS $CPU_PART
}

# peak_is_the_kernels WAY: fails unless the peak of the run's largest process equals the kernel's.
peak_is_the_kernels() {
	near "$(largest_process "$run")" "$(kernel "$1" peak_mib)" $PEAK_MIB $PEAK_PART
}

# exact_both_ways COMMAND…: runs a command both ways and compares CPU time and peak with the kernel's.
exact_both_ways() {
	local way
	for way in preload launcher; do
		accounted $way "$@"
		cpu_is_the_kernels $way
		peak_is_the_kernels $way
	done
}

# every_end_is_exact: fails unless the end of each process of the run is recorded, with its whole usage.
every_end_is_exact() {
	[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
	[ "$(total "$run" ended_unseen)" = 0 ]
}

# claims_hold WAY: fails unless each total called exact is exact, and CPU time is not above the kernel's.
claims_hold() {
	local cpu truth
	cpu=$(total "$run" cpu_seconds)
	truth=$(job_cpu "$1")
	echo "$1: $cpu of $truth, exact: $(total "$run" exact_cpu); largest process $(total "$run" peak_process_memory_mib) of $(kernel "$1" peak_mib), exact: $(total "$run" exact_memory)"
	at_least "$(awk "BEGIN { print $truth * 1.01 + $CPU_SECONDS }")" "$cpu"
	at_least "$(total "$run" peak_memory_at_most_mib)" "$(total "$run" peak_memory_mib)"
	[ "$(total "$run" exact_cpu)" = false ] || cpu_is_the_kernels "$1"
	[ "$(total "$run" exact_memory)" = false ] || near "$(total "$run" peak_process_memory_mib)" "$(kernel "$1" peak_mib)" $PEAK_MIB $PEAK_PART
}
