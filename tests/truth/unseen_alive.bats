#!/usr/bin/env bats
# Tests that a process that the sampler temporarily cannot see does not count as ended: no descriptor may be free, or
# /proc may be missing.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	export RTRACK_INTERVAL=0.05
	cd "$BATS_TEST_TMPDIR"
}

# never_fall RUN MANY: fails if the number of live processes never reached MANY, or fell below it afterwards. Only rows
# from before the job began to end, counted in the file `rows`, are checked.
never_fall() {
	head -n "$(cat "$BATS_TEST_TMPDIR/rows")" "$1/process.csv" >counted.csv
	column counted.csv members | awk -v many="$2" '
		reached && $1 < many { printf "%d after %d\n", $1, many; failed = 1 }
		$1 >= many { reached = 1 }
		END { exit failed || !reached }'
}

# none_is_said_to_have_ended: fails unless each process has one end, recorded by itself or seen as a zombie.
none_is_said_to_have_ended() {
	fails grep '"sampler",0' "$1/exit.csv"
	[ -z "$(awk -F, 'NR > 1 { print $2 "," $3 }' "$1/exit.csv" | sort | uniq -d)" ]
}

@test "a job with a limit of 32 open files keeps all 40 processes in the run" {
	for way in preload launcher; do
		one_way $way sh -c 'ulimit -n 32
			for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39; do
				"$0" 12 &
			done
			i=0
			while [ $i -lt 20 ]; do "$1" 0.02; sleep 0.01; i=$((i + 1)); done
			wc -l <"$RTRACK_RUN/process.csv" >rows
			wait' "$(type -P sleep)" "$(victim burn)"
		run=$(run_of $way)
		is_over "$run"
		[ "$(cat $way.status)" = 0 ]
		never_fall "$run" 41
		none_is_said_to_have_ended "$run"
		[ "$(total "$run" exact_cpu)" = true ]
		at_least "$(total "$run" cpu_seconds)" 0.4
	done
}

@test "a process without free descriptors is recorded with its true start time or none" {
	for way in preload launcher; do
		# By now there are rows, so the sampler runs. Each of these processes is the first one in its 10 ms
		# tick.
		one_way $way sh -c 'until { read -r header && read -r row; } <"$RTRACK_RUN/process.csv"; do :; done
			for limit in 3 4 5 6 7 8; do
				(ulimit -n $limit; "$0" 0.02; "$0" 0.02)
			done' "$(victim burn)"
		run=$(run_of $way)
		is_over "$run"
		fails grep -E '^[0-9.]+,[0-9]+,0,' "$run/start.csv" "$run/exit.csv"
		[ "$(grep -c '"self",1' "$run/exit.csv")" -ge 5 ]
	done
}

# apart COMMAND…: runs the command in its own mount namespace.
apart() {
	unshare --mount --propagation private "$@"
}

# With fewer than eleven descriptors, rtrack-run makes no run. A root that cannot complete its own run leaves that to
# the next command.
@test "with a limit of 4 to 12 descriptors, the recorded figures and status are right" {
	ACCOUNTED=1
	for limit in 12 10 8 6 5 4; do
		WAYS_PREFIX=(sh -c "ulimit -n $limit; exec \"\$@\"" sh)
		RTRACK_INTERVAL=0.05 same_every_way sh -c '"$0" 0.1; "$0" 0.1 & wait; sleep 0.2; exit 3' "$(victim burn)"
		bare_status_is 3
		records_hold
		for run in "$(spool_of preload)"/2* "$(spool_of launcher)"/2*; do
			[ -d "$run" ] || continue
			is_told() { "$BUILD/rtrack-report" stats "$run" >told && [ ! -e "$run/.lock" ]; }
			wait_for is_told
			[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 3" ]
		done
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
}

# bats test_tags=root
@test "while /proc is missing, processes do not count as ended, but rows are lost" {
	as_root "make a mount namespace"
	apart true 2>/dev/null || skip "no mount namespaces here"
	for way in preload launcher; do
		WAYS_PREFIX=(unshare --mount --propagation private)
		# The shell uses CPU time while /proc is missing, and this time must be found later.
		one_way $way sh -c 'for i in 1 2 3 4 5; do sleep 100 & sleepers="$sleepers $!"; done
			"$1" 0.3 & sleep 0.2
			umount -l /proc; "$1" 0.2; sleep 0.3
			mount -t proc proc /proc; sleep 0.3
			wc -l <"$RTRACK_RUN/process.csv" >rows; kill $sleepers; wait; exit 0' sh "$(victim burn)"
		WAYS_PREFIX=()
		run=$(run_of $way)
		is_over "$run"
		[ "$(cat $way.status)" = 0 ]
		never_fall "$run" 6
		at_least "$(total "$run" cpu_seconds)" 0.48
	done
}

# bats test_tags=root
@test "if /proc disappears for good, processes stay in the run until they end" {
	as_root "make a mount namespace"
	apart true 2>/dev/null || skip "no mount namespaces here"
	for way in preload launcher; do
		WAYS_PREFIX=(unshare --mount --propagation private)
		one_way $way sh -c 'for i in 1 2 3 4 5; do sleep 3 & done
			sleep 0.2; umount -l /proc; sleep 0.5; wc -l <"$RTRACK_RUN/process.csv" >rows; wait; exit 0'
		WAYS_PREFIX=()
		run=$(run_of $way)
		is_over "$run"
		[ "$(cat $way.status)" = 0 ]
		never_fall "$run" 6
		[ "$(json status "$run/run.json")" = finished ]
	done
}
