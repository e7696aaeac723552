#!/usr/bin/env bats
# Tests of real kills, at random times and by the OOM killer, and of what the record shows
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	HOG=$(victim hog)
	export RTRACK_INTERVAL=0.5
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	remove_group
}

@test "20 jobs killed at random times: CPU time is within 5 % or within the bound" {
	need python3
	timeout 300 python3 "$PROJECT/tests/lib/killed_roots.py" "$BUILD" "$(victim account)" "$HOG" "$PWD/kills" 20 20261122
}

@test "20 jobs killed in their first 400 ms: no wrong figure is called exact" {
	need python3
	timeout 300 python3 "$PROJECT/tests/lib/killed_roots.py" "$BUILD" "$(victim account)" "$HOG" "$PWD/kills" 20 20261123 young
}

@test "20 kills of rtrack-run, some with its command: no wrong figure is called exact" {
	need python3
	timeout 300 python3 "$PROJECT/tests/lib/killed_roots.py" "$BUILD" "$(victim account)" "$HOG" "$PWD/kills" 20 20261124 launchers
}

# has_postmortem RUN MIB [LIMIT]: fails unless the out-of-memory report names the limit, the victim and the request.
has_postmortem() {
	"$BUILD/rtrack-report" show --format json "$1" | jq -e --argjson mib "$2" --arg limit "${3:-cgroup}" '.out_of_memory |
		.limit == $limit and .limit_mib == $mib and .victim.program == .holders[0].program and
		(.holders[0].program | startswith("hog")) and .holders[0].held_mib > 0.85 * $mib and
		.holders[0].grown_mib > 0.7 * $mib and .ask_memory_mib > $mib'
	"$BUILD/rtrack-report" show -v "$1" >shown
	grep -A 4 '^Out of memory ' shown
	[ "$(grep -n '^Out of memory ' shown | cut -d: -f1)" -lt "$(grep -n '^CPU ' shown | cut -d: -f1)" ]
	"$BUILD/rtrack-report" html -o page.html "$1"
	grep -q 'card postmortem' page.html
}

# was_oom RUN MIB [LIMIT]: fails unless the OOM killer is named as the cause and the run has its last peak.
was_oom() {
	has_postmortem "$1" "$2" "${3:-}"
	[ "$("$BUILD/rtrack-report" show --format json "$1" | jq -r .run.status)" = killed ]
	[ "$("$BUILD/rtrack-report" show --format json "$1" | jq -r .run.killed_by)" = oom ]
	at_least "$(total "$1" peak_process_memory_mib)" "$(awk -v mib="$2" 'BEGIN { print 0.85 * mib }')"
	near "$(total "$1" peak_process_memory_mib)" "$2" 10
}

@test "a job killed by the OOM killer counts as out of memory, with its last peak" {
	memory_group 64
	export RTRACK_INTERVAL=3600
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	one_way preload "$HOG" 60 0 0 400
	[ "$(cat preload.status)" = 137 ]
	run=$(run_of preload)
	# At this interval there is no tick, and therefore no row with the group's limit. run.json has it as the
	# requested memory.
	was_oom "$run" 64 requested
	near "$(total "$run" cpu_seconds)" 0.16 0.06 0.05
}

# bats test_tags=group
@test "rtrack-run: reports a job killed by the OOM killer as out of memory" {
	memory_group 64
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	one_way launcher "$HOG" 60 0 0 100
	[ "$(cat launcher.status)" = 137 ]
	run=$(run_of launcher)
	was_oom "$run" 64
	[ "$(json exit_signal "$run/run.json")" = 9 ]
	[ "$(json killed_by "$run/run.json")" = oom ]
}

# bats test_tags=group
@test "a run counts as out of memory even if the OOM killer kills rtrack-run first" {
	local static
	static=$(victim hog "${CC:-cc}" -static)
	memory_group 64
	WAYS_PREFIX=("${GROUP_PREFIX[@]}" choom -n 1000 --)
	# The command itself must be the largest process. A larger child that was read would count as the victim.
	one_way launcher choom -n 0 -- "$static" 60 0 0 100
	[ "$(cat launcher.status)" = 137 ]
	# The kernel then kills the command's processes.
	timeout 30 sh -c 'until [ -z "$(cat "$0")" ]; do sleep 0.01; done' "$GROUP/cgroup.procs"
	"$BUILD/rtrack-report" show --format json "$(run_of launcher)" | jq -e '.run.status == "killed" and .run.killed_by == "oom" and .out_of_memory.limit_mib == 64'
	[[ $("$BUILD/rtrack-report" show -v "$(run_of launcher)") == *'out of memory, '*'Out of memory after '* ]]
}

@test "a child killed by the OOM killer is counted, and the job is not killed" {
	for way in preload launcher; do
		memory_group 64
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		one_way $way sh -c '"$0" 60 0 0 100; exit 3' "$HOG"
		[ "$(cat $way.status)" = 3 ]
		run=$(run_of $way)
		[ "$(json status "$run/run.json")" = failed ]
		[ "$(json killed_by "$run/run.json")" = null ]
		[ "$(sum_of "$run/system.csv" cgroup_oom_kills)" = 1.000000 ]
		near "$(total "$run" peak_process_memory_mib)" 64 10
		has_postmortem "$run" 64
		rm -r "$run"
		remove_group
		"$BUILD/rtrack-report" list --format json | jq -e 'map(.out_of_memory) | any'
	done
}

# bats test_tags=group
@test "list marks a finished script if the OOM killer killed a child of the script" {
	memory_group 64
	"${GROUP_PREFIX[@]}" env LD_PRELOAD="$LIBRARY" sh -c '"$0" 60 0 0 100; true' "$HOG"
	"$BUILD/rtrack-report" list | grep -q 'finished, oom'
	"$BUILD/rtrack-report" list --format json | jq -e '.[0] | .status == "finished" and .out_of_memory'
}

# bats test_tags=group
@test "a job killed long after its out-of-memory child did not run out of memory" {
	memory_group 64
	# Only ticks show the child's peak. On a busy machine the sampler is late. Therefore a third of a second of CPU
	# time, sixteen ticks, lies between the necessary reading and the child's end.
	export RTRACK_INTERVAL=0.02
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	one_way preload sh -c '"$0" 60 0 0 30; sleep 1; kill -9 $$' "$HOG"
	[ "$(cat preload.status)" = 137 ]
	[ "$("$BUILD/rtrack-report" show --format json "$(run_of preload)" | jq -r '.run.status, .run.killed_by' | xargs)" = "killed signal" ]
	has_postmortem "$(run_of preload)" 64
}

# told_of WAY COMMAND…: runs the command in a group of 64 MiB, and writes the text of show to `shown` and its JSON to
# said.json.
told_of() {
	local way=$1
	shift
	memory_group 64
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	one_way "$way" "$@"
	remove_group
	run=$(run_of "$way")
	COLUMNS=120 "$BUILD/rtrack-report" show -v "$run" >shown
	cat shown
	"$BUILD/rtrack-report" show --format json "$run" >said.json
	jq -c '[.ended.outcome, .run.killed_by, .out_of_memory.victim.program]' said.json
	rm -r "$run"
}

# bats test_tags=group
@test "a shell that exits with its killed child's status was not killed itself" {
	export RTRACK_INTERVAL=1
	for way in preload launcher; do
		for i in 1 2 3; do
			told_of $way sh -c '"$0" 60 0 0 400; s=$?; sleep 0.1; exit $s' "$HOG"
			[ "$(cat $way.status)" = 137 ]
			jq -e '.ended.outcome == "out_of_memory" and (.out_of_memory | (.victim.program | startswith("hog")) and
				.holders[0].pid == .victim.pid and .holders[0].held_mib > 50 and
				(.holders[1:] | all(.held_mib < 10)))' said.json
			grep '^  killed    hog' shown
		done
	done
}

# bats test_tags=group
@test "a job that kills itself after a child ran out of memory counts as killed" {
	# A child that no tick read is not known to have been larger than the root.
	export RTRACK_INTERVAL=0.1
	told_of preload bash -c '"$0" 60 0 0 30; sleep 0.8; kill -9 $$' "$HOG"
	jq -e '.run.killed_by == "signal" and (.out_of_memory == null or (.out_of_memory.victim.program | startswith("hog")))' said.json
}

# bats test_tags=group
@test "timeout, which dies of SIGKILL like its child, is not named as the victim" {
	export RTRACK_INTERVAL=3600
	memory_group 64
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	one_way preload timeout 60 "$HOG" 60 0 0 400
	# The number of kills in the group is known while the group exists. On a busy machine the child may have been
	# read nevertheless, and then it is the victim.
	"$BUILD/rtrack-report" show --format json "$(run_of preload)" >said.json
	jq -c '[.run.pid, .run.killed_by, .out_of_memory.victim]' said.json
	jq -e '.run.pid as $root | .run.killed_by as $by | .out_of_memory.victim | if . == null then $by == "oom" else $by == null and .pid != $root end' said.json
}

# bats test_tags=group
@test "a job that kills itself near its memory limit did not run out of memory" {
	need python3
	export RTRACK_INTERVAL=0.1
	local ask='.run.killed_by == "signal" and .ended.outcome == "killed" and .out_of_memory == null'
	for writer in report run; do
		memory_group 64
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		# The shell that executed python3 has a separate row.
		one_way preload sh -c 'exec python3 -c "$0"' 'import os, time; held = b"x" * (46 << 20); time.sleep(0.4); os.kill(os.getpid(), 9)'
		[ "$(cat preload.status)" = 137 ]
		run=$(run_of preload)
		is_written() {
			if [ $writer = report ]; then
				"$BUILD/rtrack-report" show -v "$run" >/dev/null
			else
				RTRACK_SPOOL=$(dirname "$run") LD_PRELOAD=$LIBRARY sleep 0.3
			fi
			[ ! -e "$run/.lock" ]
		}
		wait_for is_written
		[ "$(json killed_by "$run/run.json")" = signal ]
		near "$(total "$run" peak_process_memory_mib)" 60 15
		remove_group
		"$BUILD/rtrack-report" show --format json "$run" >said.json
		jq -c '[.run.killed_by, .ended, .out_of_memory]' said.json
		jq -e "$ask" said.json
		rm -r "$(dirname "$run")"
	done
}

# bats test_tags=group
@test "kills that did not end the run are not reported as the end of the run" {
	is_told() { # OUTCOME
		jq -e --arg outcome "$1" '.ended.outcome == $outcome and .out_of_memory == null' said.json
		fails grep '^Out of memory' shown
	}
	# A row shows the kill. A failure more than a second later is not attributed to it.
	cat >goes_on <<-'END'
		until awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^"?cgroup_oom_kills"?$/) at = i } NR > 1 && $at > 0 { found = 1 } END { exit !found }' "$RTRACK_SPOOL"/2*/system.csv; do
			sleep 0.1
		done
		sleep 1.5
	END
	export RTRACK_INTERVAL=0.5
	for way in preload launcher; do
		# Memory comes near the limit, but the kernel counts no kill.
		told_of $way bash -c '"$0" 0.14 0 0 400 & sleep 1.2; wait; kill -9 $$' "$HOG"
		is_told killed
		told_of $way sh -c '"$0" 60 0 0 400; . ./goes_on; exit 7' "$HOG"
		is_told failed
		told_of $way sh -c '"$0" 60 0 0 400; . ./goes_on; kill -TERM $$' "$HOG"
		is_told killed
		told_of $way sh -c '"$0" 60 0 0 400; exit 0' "$HOG"
		is_told finished
	done
	memory_group 64
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	for way in preload launcher; do
		"${GROUP_PREFIX[@]}" sh -c 'until grep -q "^[0-9]" "$1"/2*/system.csv; do sleep 0.1; done; "$0" 60 0 0 400' "$HOG" "$(spool_of $way)" 2>/dev/null &
		one_way $way sh -c '. ./goes_on; exit 3'
		wait $! || true
		run=$(run_of $way)
		[ "$(sum_of "$run/system.csv" cgroup_oom_kills)" = 1.000000 ]
		"$BUILD/rtrack-report" show -v "$run" >shown
		"$BUILD/rtrack-report" show --format json "$run" >said.json
		is_told failed
	done
}

# bats test_tags=group
@test "if a memory limit was lowered during the job, the limit at the kill is reported" {
	export RTRACK_INTERVAL=0.5
	for way in preload launcher; do
		memory_group 400
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		limit=memory.max
		[ ! -e "$GROUP/memory.limit_in_bytes" ] || limit=memory.limit_in_bytes
		one_way $way sh -c '(sleep 0.7; echo $((80 << 20)) >"$1") & "$0" 60 0 0 40' "$HOG" "$GROUP/$limit"
		[ "$(cat $way.status)" = 137 ]
		remove_group
		run=$(run_of $way)
		has_postmortem "$run" 80
		grep -q '^Out of memory .*: 80 MiB, the limit of its control group' shown
	done
}

# uses MIB: succeeds if the memory control group uses more than MIB.
uses() {
	local bytes
	bytes=$(cat "$GROUP/memory.usage_in_bytes" "$GROUP/memory.current" 2>/dev/null) || [ "$bytes" ]
	[ "$bytes" -gt $(($1 << 20)) ]
}

# killed_together COMMAND…: starts the command in a group of 256 MiB, and ends all of its processes by SIGKILL as soon as
# the group uses 64 MiB.
killed_together() {
	memory_group 256
	"${GROUP_PREFIX[@]}" "$@" >/dev/null 2>&1 3>&- &
	until uses 64; do read -rt 0.01 <> <(:) || true; done
	# shellcheck disable=SC2046 # several processes
	kill -9 $(cat "$GROUP/cgroup.procs")
	wait || true
	remove_group
}

# bats test_tags=group
@test "after a job was killed with its tracker, the request is not below its limit" {
	export RTRACK_INTERVAL=1
	local run tracker
	for way in preload launcher; do
		tracker=(env "LD_PRELOAD=$LIBRARY")
		[ $way = preload ] || tracker=("$BUILD/rtrack-run")
		for kill in 1 2 3 4 5; do
			# Each group has a name of its own, so that no report reads the kill counter of another group.
			BATS_TEST_NUMBER=$way-$kill killed_together "${tracker[@]}" sh -c '"$0" 100 0 0 400; exit 3' "$HOG"
		done
	done
	[ "$("$BUILD/rtrack-report" list --limit 0 --format json | jq 'map(.status == "killed") | length == 10 and all')" = true ]
	for run in "$RTRACK_SPOOL"/*/; do
		# killed_by is "signal" only if the group still exists: its counter shows no kill for lack of memory.
		[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r .run.killed_by)" != signal ] || continue
		"$BUILD/rtrack-report" recommend --offline --runs 0 --format json "$run" >advice
		jq -c '.resources.memory' advice
		jq -e '.resources.memory >= 256' advice
	done >requests
	cat requests
	grep -q true requests
}
