#!/usr/bin/env bats
# Tests of a kill of a preloaded job's first process, which also ends sampling. The next report notices the kill at once
# and completes run.json.

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	export RTRACK_INTERVAL=0.1
	cd "$BATS_TEST_TMPDIR"
}

has_rows() {
	[ "$(wc -l <"$(only_run)/process.csv")" -gt "$1" ]
}

# kill_root: starts a root that uses CPU time, kills it once it has rows, and reaps it. Its note is removed, so that
# only the reports and runs of this test, which know its spool, complete the run.
kill_root() {
	LD_PRELOAD="$BUILD/librtrack.so" "$@" 3>&- &
	root=$!
	wait_for only_run >/dev/null 2>&1
	wait_for has_rows 5
	rm "/dev/shm/rtrack-$(id -u)/$root" || rm "/tmp/rtrack-$(id -u)/$root"
	kill -9 $root
	wait $root || true
}

says() {
	"$BUILD/rtrack-report" "$@" >said
	cat said
}

@test "every report shows immediately that a killed job was killed" {
	export RTRACK_INTERVAL=0.5
	kill_root "$(victim burn)" 60
	[ "$(says show --format json | jq -r .run.status)" = killed ]
	says show | head -n 1 | grep -q killed
	says list | grep -q killed
	[ "$(says stats --format json | jq -r .totals.exact)" = false ]
	"$BUILD/rtrack-report" html -o page.html
	grep -q 'badge killed' page.html
	fails grep -rq '"running"' said page.html
}

@test "a killed job is reported as killed even if no file can be written" {
	kill_root "$(victim burn)" 60
	(ulimit -f 0 && "$BUILD/rtrack-report" show --format json) | jq -e '.run.status == "killed"'
	(ulimit -f 0 && "$BUILD/rtrack-run" true)
	[ "$(says show --format json "$(find "$RTRACK_SPOOL" -name "*-$root-*" -printf '%f')" | jq -r .run.status)" = killed ]
}

@test "a killed job is reported as killed while another report reads the run" {
	kill_root "$(victim burn)" 60
	run=$(only_run)
	exec 8<"$run/.lock"
	flock 8
	"$BUILD/rtrack-report" show --format json >said 8<&- &
	report=$!
	looks() {
		[ -n "$(find "/proc/$report/fd" -lname "*/.lock")" ]
	}
	wait_for looks
	exec 8<&-
	wait $report
	[ "$(jq -r .run.status said)" = killed ]
}

is_written() {
	says show >shown
	[ ! -e "$(only_run)/.lock" ]
}

is_killed() {
	says show --format json | jq -e '.run.status == "killed"' >/dev/null
}

@test "a job that is killed after a failed exec is reported as killed" {
	need libc6-dev
	cp "$(victim touch "${CC:-cc}" -static)" closed
	chmod 600 closed
	for program in ./missing ./closed; do
		LD_PRELOAD="$BUILD/librtrack.so" perl -e 'no warnings; exec {$ARGV[0]} @ARGV; select undef, undef, undef, 1.5; kill 9, $$' \
			"$program" 3>&- || true
		wait_for is_killed
		[ "$(total "$(only_run)" processes)" = 1 ]
		rm -rf "$RTRACK_SPOOL"
	done
}

@test "the first report after a kill completes run.json, and the upper bound holds" {
	kill_root "$(victim burn)" 60
	wait_for is_written
	run=$(only_run)
	[ "$(json status "$run/run.json")" = killed ]
	[ "$(json exit_signal "$run/run.json")" = null ]
	[ "$(json exit_code "$run/run.json")" = null ]
	last=$(column "$run/system.csv" timestamp | tail -n 1)
	awk -v stop="$(json stop_time "$run/run.json")" -v last="$last" 'BEGIN { exit !(stop >= last - 0.1 && stop < last + 1) }'
	jq -e .id "$run/run.json" >/dev/null
	[ "$(total "$run" missing_cpu_seconds_at_most)" != 0 ]
}

is_told() {
	[ "$(json status "$(only_run)/run.json")" = killed ]
}

@test "a killed run is reported as killed immediately, and its other processes go on" {
	LD_PRELOAD="$BUILD/librtrack.so" sh -c 'sleep 60 & echo $! >child; exec "$0" 60' "$(victim burn)" 3>&- &
	root=$!
	wait_for only_run >/dev/null 2>&1
	wait_for has_rows 5
	kill -9 $root
	wait $root || true
	wait_for is_told
	[ "$(says show --format json | jq -r .run.status)" = killed ]
	[ -e "$(only_run)/.lock" ]
	rows=$(rows_in "$(only_run)/process.csv")
	wait_for has_rows $((rows + 3))
	kill "$(cat child)"
	is_over "$(only_run)"
	is_told
}

@test "if a job is killed before its first sample, the CPU time of its child is kept" {
	export RTRACK_INTERVAL=4
	is_guarded() {
		pgrep -f "^rtrack-keeper $run" >/dev/null
	}
	# The first tick is at the next multiple of the interval, which may be now.
	rows=1
	for _ in {1..5}; do
		[ "$rows" != 0 ] || break
		rm -rf "$RTRACK_SPOOL"
		LD_PRELOAD="$BUILD/librtrack.so" sh -c '"$0" 1 & while :; do :; done' "$(victim burn)" 3>&- &
		root=$!
		wait_for only_run >/dev/null 2>&1
		run=$(only_run)
		wait_for is_guarded
		rows=$(rows_in "$run/process.csv")
		kill -9 $root
		wait $root || true
	done
	[ "$rows" = 0 ]
	is_over "$run"
	is_told
	# CPU time is exact only if the new sampling process read the root before its parent reaped it.
	[ "$(total "$run" exact_cpu)" = false ] || [ "$(paste -d ' ' <(column "$run/exit.csv" pid) <(column "$run/exit.csv" exact) |
		grep "^$root " | tail -1)" = "$root 1" ]
	at_least "$(total "$run" cpu_seconds)" 0.99
}

@test "the next run in the spool completes run.json of a killed run" {
	kill_root "$(victim burn)" 60
	run=$(only_run)
	# A report that comes earlier would leave the run to the next report, because a row may be newer than the last
	# record.
	is_silent() {
		[ -z "$(find "$run" -type f -newermt '-0.3 seconds')" ]
	}
	wait_for is_silent
	before=$(rows_in "$run/process.csv")
	# A run checks other runs once, when it starts, and skips runs written in the last two intervals.
	is_written_by_another() {
		preload sh -c 'i=0; while [ -e "$0/.lock" ] && [ $i -lt 40 ]; do sleep 0.05; i=$((i + 1)); done' "$run"
		[ ! -e "$run/.lock" ]
	}
	wait_for is_written_by_another
	[ "$(json status "$run/run.json")" = killed ]
	[ "$(ls -A "$run" | grep '^\.' | xargs)" = "" ]
	[ "$(rows_in "$run/process.csv")" -le $((before + 1)) ]
	[ "$(wc -l <"$run/exit.csv")" = 2 ]
	jq -e .id "$run/run.json" >/dev/null
	# That run does not change runs that are running or that have living processes.
	preload sleep 60 3>&- &
	lives=$!
	"$BUILD/rtrack-run" --interval 0.1 sleep 0.5
	kill $lives
	wait $lives || true
}

@test "the next run completes run.json if an earlier report did not complete it" {
	kill_root "$(victim burn)" 60
	run=$(only_run)
	sed -i 's/"interval": 0.1/"interval": 600/' "$run/run.json"
	says show
	[ -e "$run/.lock" ]
	[ "$(wc -l <"$run/exit.csv")" = 2 ]
	sed -i 's/"interval": 600/"interval": 0.1/' "$run/run.json"
	is_silent() {
		[ -z "$(find "$run" -name '*.csv' -newermt '-0.3 seconds')" ]
	}
	wait_for is_silent
	# A run checks other runs once, when it starts, and skips runs written in the last two intervals.
	is_written_by_another() {
		preload sh -c 'i=0; while [ -e "$0/.lock" ] && [ $i -lt 40 ]; do sleep 0.05; i=$((i + 1)); done' "$run"
		[ ! -e "$run/.lock" ]
	}
	wait_for is_written_by_another
	[ "$(json status "$run/run.json")" = killed ]
	[ "$(wc -l <"$run/exit.csv")" = 2 ]
}

@test "a run killed before its first row ends at the time of its files" {
	LD_PRELOAD="$BUILD/librtrack.so" sleep 60 3>&- &
	root=$!
	wait_for only_run >/dev/null 2>&1
	run=$(only_run)
	has_records() {
		[ "$(wc -l <"$run/start.csv")" -gt 1 ] && [ -e "$run/.last" ]
	}
	wait_for has_records
	kill -9 $root
	wait $root || true
	# The files would be in this state if the kill had come some milliseconds earlier.
	rm "$run/.last"
	for table in "$run"/*.csv; do
		sed -i 1q "$table"
	done
	rm -f "/dev/shm/rtrack-$(id -u)/$root" "/tmp/rtrack-$(id -u)/$root"
	cp -r "$run" before
	ended_when_made() {
		jq -e '.status == "killed" and .stop_time >= .start_time and .stop_time < .start_time + 600' "$run/run.json"
	}
	has_ended() {
		"$BUILD/rtrack-report" list >said
		[ ! -e "$run/.lock" ]
	}
	wait_for has_ended
	ended_when_made
	rm -r "$run"
	cp -r before "$run"
	# A run checks other runs once, when it starts, and skips runs written in the last two intervals.
	is_written_by_another() {
		preload sh -c 'i=0; while [ -e "$0/.lock" ] && [ $i -lt 40 ]; do sleep 0.05; i=$((i + 1)); done' "$run"
		[ ! -e "$run/.lock" ]
	}
	wait_for is_written_by_another
	ended_when_made
}

# bats test_tags=root
@test "a job killed in a PID namespace without /proc is reported as killed immediately" {
	as_root "make a PID namespace"
	in_first_pid_namespace "only there rtrack-report sees whether a namespace is gone"
	unshare --pid --fork true 2>/dev/null || skip "no PID namespace can be made here"
	unshare --pid --fork env LD_PRELOAD="$BUILD/librtrack.so" "$(victim burn)" 60 3>&- &
	wait_for only_run >/dev/null 2>&1
	wait_for has_rows 5
	run=$(only_run)
	[ "$(json tracker.start_ticks "$run/run.json")" = 0 ]
	[ "$(says show --format json | jq -r .run.status)" = running ]
	kill -9 "$(ps -o pid= --ppid $!)"
	wait $! || true
	[ "$(says show --format json | jq -r .run.status)" = killed ]
	[ "$(wc -l <"$run/exit.csv")" = 2 ]
	at_least "$(awk -F, 'END { print $5 + $6 }' "$run/exit.csv")" 0.1
}

@test "runs of another host, boot or namespace are not reported as killed" {
	kill_root "$(victim burn)" 60
	run=$(only_run)
	cp -r "$run" before
	for change in 's/"host": ".*"/"host": "elsewhere"/' 's/"start_time": .*/"start_time": 1000,/' boot; do
		cp -r before/. "$run"
		if [ "$change" = boot ]; then
			# Another machine has the same name and the same spool.
			sed -i 's/ [0-9a-f]*-[0-9a-f-]*$/ 00000000-0000-0000-0000-000000000000/' "$run/.lock"
			fails cmp before/.lock "$run/.lock"
		else
			sed -i "$change" "$run/run.json"
		fi
		[ "$(says show --format json | jq -r .run.status)" != killed ]
	done
	cp -r before/. "$run"
	echo '1 1' >"$run/.lock"
	[ "$(says show --format json | jq -r .run.status)" != killed ]
	cp -r before/. "$run"
	[ "$(says show --format json | jq -r .run.status)" = killed ]
}
