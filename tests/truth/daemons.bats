#!/usr/bin/env bats
# Tests of daemons, which fork twice, start their own session, and have no parent in the job

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	DAEMON=$(victim daemon)
	export RTRACK_INTERVAL=0.1
}

teardown() {
	remove_cpu_group
}

has_sampler_row() {
	grep -qs '"sampler",' "$RTRACK_SPOOL"/*/exit.csv
}

@test "a daemon that outlives its parent is in the totals, with its memory" {
	exact_both_ways "$DAEMON" wait 3 300
	at_least "$(kernel preload cpu)" 3
	near "$(kernel preload peak_mib)" 301 4
	every_end_is_exact
}

@test "a daemon that outlives the job's first process is counted until its end" {
	for way in preload launcher; do
		accounted $way "$DAEMON" leave 3 300
		cpu_is_the_kernels $way
		peak_is_the_kernels $way
		at_least "$(kernel $way cpu)" 3
		every_end_is_exact
		# The daemon itself records its end, which is the time of the last row.
		near "$(json stop_time "$run/run.json")" "$(cat "$BATS_TEST_TMPDIR/$way.out")" 5
		[ "$(json status "$run/run.json")" = finished ]
	done
}

@test "a daemon without a record that outlives all its ancestors is counted" {
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		accounted $way "$DAEMON" raw 0.5 50
		cpu_is_the_kernels $way
		peak_is_the_kernels $way
		at_least "$(kernel $way cpu)" 0.5
		every_end_is_exact
	done
}

@test "rows continue while a daemon outlives the job's first process" {
	accounted preload "$DAEMON" leave 1 50
	after=$(column "$run/process.csv" children | awk '$1 >= 1' | wc -l)
	[ "$after" -ge 5 ]
	near "$(column "$run/process.csv" memory_mib | sort -g | tail -1)" 51 8
}

@test "a daemon killed after the job's end is counted or reported as missing" {
	for way in preload launcher; do
		accounted $way "$DAEMON" killed 1 100
		cpu=$(total "$run" cpu_seconds)
		truth=$(job_cpu $way)
		missing=$(sum_of "$run/exit.csv" missing_cpu)
		echo "$way: $cpu of $truth, at most $missing missing"
		awk -v cpu="$cpu" -v truth="$truth" -v missing="$missing" \
			'BEGIN { exit !(cpu < truth * 1.01 + 0.02 && cpu + missing > truth * 0.99 - 0.02) }'
		near "$cpu" 1 0.6
	done
}

@test "the usage of a daemon that is killed after the job's end is recorded" {
	cat >"$BATS_TEST_TMPDIR/late.py" <<-'END'
		import ctypes, os, sys
		ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # This process adopts orphans and does not reap them.
		child = os.posix_spawn(sys.argv[2], sys.argv[2:], dict(os.environ, LD_PRELOAD=sys.argv[1]))
		os.waitpid(child, 0)
		sys.stdin.read()
	END
	export RTRACK_INTERVAL=3600
	mkfifo "$BATS_TEST_TMPDIR/gate"
	cpu_group # Without a control group, it is unknown what the killed daemon may have left.
	timeout 100 "${CPU_PREFIX[@]}" python3 "$BATS_TEST_TMPDIR/late.py" "$LIBRARY" "$DAEMON" killed 0.5 50 <"$BATS_TEST_TMPDIR/gate" 3>&- &
	exec 5>"$BATS_TEST_TMPDIR/gate"
	wait_for has_sampler_row
	run=$(only_run)
	is_over "$run"
	exec 5>&-
	wait $!
	[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
	[ "$(total "$run" exact_cpu)" = true ] || [ -z "$CPU_GROUP" ]
	near "$(total "$run" cpu_seconds)" 0.5 0.02 0.02
	grep -q '"sampler",1,' "$run/exit.csv"
}

# The root ended normally, so only the daemon's record shows that something may be missing.
@test "if the sampler is killed, a daemon is counted, but totals are not exact" {
	export RTRACK_INTERVAL=1
	mkfifo "$BATS_TEST_TMPDIR/gate"
	# shellcheck disable=SC2016
	preload sh -c '(setsid sh -c "read -r _ <\"\$0\"; \"\$1\" 0.3; :" "$0" "$1" &); :' "$BATS_TEST_TMPDIR/gate" "$(victim burn)" 3>&- &
	wait $!
	run=$(only_run)
	wait_for pgrep -f "rtrack-keeper $run"
	pkill -KILL -f "rtrack-keeper $run"
	echo >"$BATS_TEST_TMPDIR/gate"
	has_told() {
		[ "$(grep -c '"self",1,' "$run/exit.csv")" -ge 3 ]
	}
	wait_for has_told
	at_least "$(total "$run" cpu_seconds)" 0.29
	[ "$(total "$run" exact)" = false ]
	[ "$(total "$run" missing_cpu_seconds_at_most)" = null ]
}
