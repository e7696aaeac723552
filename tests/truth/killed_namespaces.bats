#!/usr/bin/env bats
# Tests of runs that end with their whole PID namespace. rtrack-report cannot know that a namespace is gone while other
# users' processes run in namespaces that it may not read. Therefore no other test runs at the same time.
# bats file_tags=alone,root

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	HOG=$(victim hog)
	export RTRACK_INTERVAL=0.5
	cd "$BATS_TEST_TMPDIR"
}

@test "the end of a PID namespace is noticed even if its number was reused" {
	as_root "make a PID namespace"
	unshare -fp true 2>/dev/null || skip "no right to make a PID namespace here"
	in_first_pid_namespace "not all other namespaces are visible"
	unshare -fp --mount-proc env LD_PRELOAD="$LIBRARY" RTRACK_SPOOL="$PWD/spool" "$HOG" 60 60 1 10 3>&- &
	outside=$!
	has_run() {
		[ -s spool/*/.lock ] && [ "$(cat spool/*/process.csv 2>/dev/null | wc -l)" -gt 1 ]
	}
	wait_for has_run
	kill -9 "$(pgrep -P $outside)"
	wait $outside || true
	run=$(echo "$PWD"/spool/2*)
	cp -a "$run" other
	cp -a "$run" third
	# Without CAP_SYS_PTRACE, a process cannot read one with more capabilities, such as the machine's pid 1.
	looks=(setpriv --bounding-set -sys_ptrace)
	"${looks[@]}" true 2>/dev/null || looks=()
	[ "$("${looks[@]}" "$BUILD/rtrack-report" show --format json other | jq -r .run.status)" = killed ]
	# The kernel assigns the lowest free number, shared by all kinds of namespaces.
	read -r number _ <"$run/.lock" || true
	others=()
	for _ in {1..40}; do
		unshare -fp sleep 60 3>&- &
		others+=($!)
		inside() {
			inside=$(pgrep -P "${others[-1]}")
		}
		wait_for inside
		[ "$(stat -Lc %i "/proc/$inside/ns/pid")" != "$number" ] || break
	done
	"$BUILD/rtrack-report" show --format json third >said.json
	same=$(stat -Lc %i "/proc/$inside/ns/pid")
	pkill -9 -P "$(IFS=,; echo "${others[*]}")"
	wait "${others[@]}" || true
	[ "$same" = "$number" ] || skip "none of 40 namespaces got the number of the one that was gone"
	[ "$(jq -r .run.status said.json)" = killed ]
}

@test "a run killed with its PID namespace keeps the CPU time of its last sample" {
	as_root "make a PID namespace"
	unshare -fp true 2>/dev/null || skip "no right to make a PID namespace here"
	in_first_pid_namespace "not all other namespaces are visible"
	mkfifo ready
	unshare -fp --mount-proc env LD_PRELOAD="$LIBRARY" RTRACK_SPOOL="$PWD/spool" "$HOG" 60 60 1 10 3>&- &
	outside=$!
	has_rows() {
		[ "$(cat spool/*/process.csv 2>/dev/null | wc -l)" -gt 3 ]
	}
	wait_for has_rows
	inside=$(pgrep -P $outside)
	used=$(awk '{ print ($14 + $15) / 100 }' "/proc/$inside/stat")
	kill -9 "$inside"
	wait $outside || true
	run=$(echo "$PWD"/spool/2*)
	# Outside that namespace, the file with the group's number of kills has another path.
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r '.run.status, .run.killed_by' | xargs)" = "killed null" ]
	"$BUILD/rtrack-report" stats --format json "$run" >stats.json
	jq -e '.totals.exact == false' stats.json
	told=$(paste -d' ' <(column "$run/exit.csv" utime) <(column "$run/exit.csv" stime) | awk '{ print $1 + $2 }')
	at_least "$told" "$(awk -v used="$used" 'BEGIN { print 0.95 * used - 0.03 }')"
	told() {
		"$BUILD/rtrack-report" show -v "$run" >shown && [ ! -e "$run/.lock" ]
	}
	wait_for told
	[ "$(json status "$run/run.json")" = killed ]
}
