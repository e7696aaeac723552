# Holds a run's totals against the kernel's own account of the same tree.
#
# Around the tracked command sits tests/victims/work/account.c, a sub-reaper: every process of the job comes to it in the
# end, so what its wait4() says is the truth, tracker included. What is compared are counters, never clocks.

CPU_SECONDS=0.02
CPU_PART=0.01
PEAK_MIB=1
PEAK_PART=0.01

# Runs a command in one way beneath the accountant, and waits until the run is over: accounted WAY COMMAND…
# Leaves the run's directory in $run. The run is in $CPU_GROUP, if that is set.
accounted() {
	local way=$1
	shift
	WAYS_PREFIX=("$(victim account)" "$BATS_TEST_TMPDIR/$way.account${CPU_GROUP:+,$CPU_GROUP}")
	one_way "$way" "$@"
	WAYS_PREFIX=()
	run=$(run_of "$way")
	is_over "$run"
}

# Waits, at most a minute, until a command succeeds.
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

# Fails unless the run has come to its end within a minute.
is_over() {
	wait_for has_no_lock "$1"
}

# One figure of the accountant: kernel WAY cpu|peak_mib|reaped|read_bytes|write_bytes. CPU is that of the job and the
# tracker together.
kernel() {
	awk -v what="$2" '{
		figure["cpu"] = $1 - $4; figure["peak_mib"] = $2 / 1024; figure["reaped"] = $3
		figure["read_bytes"] = $5; figure["write_bytes"] = $6
		printf "%.6f\n", figure[what]
	}' "$BATS_TEST_TMPDIR/$1.account"
}

# CPU seconds of the job by the kernel's account, without the tracker's.
job_cpu() {
	python3 "$BATS_TEST_DIRNAME/../lib/kernel.py" "$BATS_TEST_TMPDIR/$1.account" "$run" "$1"
}

# The largest peak of a single process that the spool knows, from any source.
largest_process() {
	{
		column "$1/exit.csv" peak_rss_mib
		column "$1/exit.csv" children_peak_mib
		json tracker.reaped_peak_mib "$1/run.json" | grep -v null
		# Of an image that exec replaced: what the one after it found, if that is more than the process began with.
		awk -F, 'NR > 1 { if (!($2 "," $3 in first)) first[$2 "," $3] = $NF + 0
			else if ($NF + 0 > first[$2 "," $3]) print $NF }' "$1/start.csv"
	} | sort -g | tail -n 1
}

# Fails unless the first number is at least the second.
at_least() {
	awk -v a="$1" -v b="$2" 'BEGIN { if (a >= b) exit 0; printf "%s is less than %s\n", a, b; exit 1 }'
}

# Fails unless the CPU time of the run is the kernel's.
cpu_is_the_kernels() {
	near "$(total "$run" cpu_seconds)" "$(job_cpu "$1")" $CPU_SECONDS $CPU_PART
}

# Fails unless the largest process of the run has the peak that the kernel says.
peak_is_the_kernels() {
	near "$(largest_process "$run")" "$(kernel "$1" peak_mib)" $PEAK_MIB $PEAK_PART
}

# Runs a command both ways and holds CPU and peak against the kernel: exact_both_ways COMMAND…
exact_both_ways() {
	local way
	for way in preload launcher; do
		accounted $way "$@"
		cpu_is_the_kernels $way
		peak_is_the_kernels $way
	done
}

# Fails unless each process of the run ended on record, with all that it used.
every_end_is_exact() {
	[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
	[ "$(total "$run" ended_unseen)" = 0 ]
}

# Fails unless each claim of exactness holds, and no more CPU time is told than there was: claims_hold WAY
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
