#!/usr/bin/env bats
# Tests of failures at a memory limit of the process (ulimit -v, -d). Reports name the limit first, and do not blame it
# for other failures.

load ../lib/helper
load ../lib/jobs

setup() {
	HOG=$(victim hog)
	export RTRACK_INTERVAL=0.1
	cd "$BATS_TEST_TMPDIR"
}

# limited FLAG MIB: runs jobs under that limit.
limited() {
	WAYS_PREFIX=(sh -c "ulimit $1 $(($2 * 1024)); exec \"\$@\"" sh)
}

lack() {
	"$BUILD/rtrack-report" show --format json "$run" | jq -c ".out_of_memory$1"
}

# is_said LIMIT MIB PROGRAM WORDS: fails unless all reports name the process that failed, and the limit.
is_said() {
	lack '' | jq -e --arg limit "$1" --argjson mib "$2" --arg program "$3" '.limit == $limit and .limit_mib == $mib and
		(.victim.program | startswith($program)) and .used_mib > 0.9 * $mib and .used_mib <= 1.01 * $mib and
		(.holders[0].program | startswith($program)) and .holders[0].held_mib > 0.5 * $mib and .ask_memory_mib > $mib'
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r .ended.outcome)" = out_of_memory ]
	COLUMNS=200 "$BUILD/rtrack-report" show -v "$run" >shown
	cat shown
	grep -q "^Out of memory after .*: $2 MiB, $4$" shown
	grep -q "^  failed    $3.* (process [0-9]*), with .* of that in use, at " shown
	[ "$(grep -n '^Out of memory ' shown | cut -d: -f1)" -lt "$(grep -n '^CPU ' shown | cut -d: -f1)" ]
	# The peak is compared with that limit.
	grep -qE "^Peak memory .* (of|above) its limit of $2 MiB, " shown
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq .ended.memory_limit_mib)" = "$2" ]
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -qE "<small>(of|above) its limit of $2 MiB</small>" page.html
	grep -q 'card postmortem' page.html
	grep -q 'The process that failed was' page.html
}

@test "if malloc fails at the limit of ulimit -v, reports name limit and process" {
	limited -v 200
	for way in preload launcher; do
		one_way $way "$HOG" 60 0 0 400
		[ "$(cat $way.status)" = 9 ]
		run=$(run_of $way)
		is_said address_space 200 hog 'the limit of its address space (ulimit -v)'
		[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 9" ]
		lack .holders | jq -e '.[0].grown_mib > 100'
	done
}

@test "a MemoryError in a child of a shell is reported if the shell fails, too" {
	need python3
	for way in preload launcher; do
		one_way $way sh -c 'ulimit -v 400000; python3 -c "
held = []
while True: held.append(b\"x\" * (1 << 20))"'
		[ "$(cat $way.status)" = 1 ]
		run=$(run_of $way)
		lack '' | jq -e '.limit == "address_space" and .limit_mib == 391 and (.victim.program | startswith("python"))'
		"$BUILD/rtrack-report" show -v "$run" | grep -q '^  failed    python'
	done
}

@test "if a single large allocation fails, exit.csv has the limit; no victim is named" {
	limited -v 200
	for way in preload launcher; do
		one_way $way "$(victim touch)" 400 0
		[ "$(cat $way.status)" = 1 ]
		run=$(run_of $way)
		[ "$(lack '')" = null ]
		[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -c '[.ended.outcome, .run.exit_code]')" = '["failed",1]' ]
		[ "$(column "$run/exit.csv" address_space_limit_mib)" = 200 ]
	done
}

@test "a limit on data (ulimit -d) is reported" {
	limited -d 150
	for way in preload launcher; do
		one_way $way "$HOG" 60 0 0 400
		[ "$(cat $way.status)" = 9 ]
		run=$(run_of $way)
		is_said data 150 hog 'the limit of its data (ulimit -d)'
	done
}

@test "rtrack-run: a C++ program that aborts on std::bad_alloc is reported" {
	limited -v 200
	# Here exit() is replaced with abort().
	one_way launcher "$(victim hog "${CC:-cc}" -include stdlib.h '-Dexit(code)=abort()')" 60 0 0 400
	[ "$(cat launcher.status)" = 134 ]
	run=$(run_of launcher)
	is_said address_space 200 hog 'the limit of its address space (ulimit -v)'
	rm -r "$run"
	one_way launcher "$(victim hog "${CC:-cc}" -static)" 60 0 0 400
	[ "$(cat launcher.status)" = 9 ]
	run=$(run_of launcher)
	is_said address_space 200 hog 'the limit of its address space (ulimit -v)'
}

@test "failures far from the limit, recoveries and kills do not count as out of memory" {
	limited -v 200
	says_nothing() { # STATUS COMMAND…
		local status=$1 way
		shift
		for way in preload launcher; do
			one_way $way "$@"
			[ "$(cat $way.status)" = "$status" ]
			run=$(run_of $way)
			[ "$(lack '')" = null ]
			rm -r "$run"
		done
	}
	says_nothing 3 sh -c 'exit 3'
	# A child reached the limit, and the job went on.
	says_nothing 3 sh -c '"$0" 60 0 0 400; exit 3' "$HOG"
	says_nothing 9 sh -c '"$0" 60 0 0 400; sh -c "exit 9"' "$HOG"
	says_nothing 0 sh -c '"$0" 60 0 0 400; exit 0' "$HOG"
	says_nothing 143 sh -c '"$0" 0.47 0 0 400; kill $$' "$HOG"
}

@test "a failure a second after a handled MemoryError is not out of memory" {
	need python3
	limited -v 400
	for way in preload launcher; do
		one_way $way python3 -c "
import sys, time
held = []
try:
	while True: held.append(bytearray(4 << 20))
except MemoryError: del held
time.sleep(1)
sys.exit('input.csv: no such column')"
		[ "$(cat $way.status)" = 1 ]
		run=$(run_of $way)
		[ "$(column "$run/exit.csv" address_space_limit_mib | sort -n | tail -1)" = 400 ]
		[ "$(lack '')" = null ]
		[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r .ended.outcome)" = failed ]
	done
}

@test "if a process reaches ulimit -t, the report names this limit and no other process" {
	for limit in -St -t; do
		WAYS_PREFIX=(sh -c "ulimit $limit 2; exec \"\$@\"" sh)
		for way in preload launcher; do
			rm -rf "$(spool_of $way)"
			one_way $way "$(victim burn)" 60
			run=$(run_of $way)
			"$BUILD/rtrack-report" show --format json "$run" >said.json
			jq -c "[.run.killed_by, .run.exit_signal, .ended]" said.json
			tail -n 1 "$run/exit.csv"
			jq -e '.run.killed_by == "cpu_limit" and .ended.outcome == "out_of_time" and (.ended.text | test("ulimit -t"))' said.json
		done
	done
}

@test "a child that reaches ulimit -t between two samples is named with this limit" {
	export RTRACK_INTERVAL=60
	for limit in -St -t; do
		for way in preload launcher; do
			rm -rf "$(spool_of $way)"
			one_way $way sh -c 'ulimit $1 1; "$0" 60; exit $?' "$(victim burn)" $limit
			run=$(run_of $way)
			"$BUILD/rtrack-report" show --format json "$run" >said.json
			tail -n 2 "$run/exit.csv"
			jq -c .ended said.json
			jq -e '.ended.failed | .at_cpu_limit and (.command | test("burn"))' said.json
			"$BUILD/rtrack-report" show "$run" | grep -q 'reached its limit of CPU time (ulimit -t)'
		done
	done
}

@test "a job that a signal ends far below ulimit -t is not at this limit" {
	WAYS_PREFIX=(sh -c 'ulimit -t 60; exec "$@"' sh)
	one_way launcher sh -c 'kill -9 $$'
	"$BUILD/rtrack-report" show --format json "$(run_of launcher)" | jq -e '.run.killed_by != "cpu_limit" and .ended.outcome == "killed"'
}
