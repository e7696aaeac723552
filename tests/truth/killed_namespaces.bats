#!/usr/bin/env bats
# Runs that end with their whole PID namespace. Beside other users' processes in other namespaces, into which rtrack-report
# may not look, it could not know that one is gone: therefore nothing else runs meanwhile.
# bats file_tags=alone,root

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	HOG=$(victim hog)
	export RTRACK_INTERVAL=0.5
	cd "$BATS_TEST_TMPDIR"
}

@test "that a namespace of processes is gone is known beside processes that may not be looked into, and when another has its number" {
	as_root "make a PID namespace"
	unshare -fp true 2>/dev/null || skip "no right to make a PID namespace here"
	[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] || skip "not the namespace that sees all others"
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
	# Without this right no process looks into one that has more rights, such as the machine's first.
	looks=(setpriv --bounding-set -sys_ptrace)
	"${looks[@]}" true 2>/dev/null || looks=()
	[ "$("${looks[@]}" "$BUILD/rtrack-report" show --format json other | jq -r .run.status)" = killed ]
	# The kernel gives the least number that is free, of all kinds of namespaces.
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

@test "a namespace of processes ends with all that is in it, as a container does: the run was killed, with the CPU time of its last tick and what the root used since" {
	as_root "make a PID namespace"
	unshare -fp true 2>/dev/null || skip "no right to make a PID namespace here"
	[ "$(readlink /proc/self/ns/pid)" = "pid:[4026531836]" ] || skip "not the namespace that sees all others"
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
	# The kernel's count of kills has another name out here.
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -r '.run.status, .run.killed_by' | xargs)" = "killed null" ]
	"$BUILD/rtrack-report" stats --format json "$run" >stats.json
	jq -e '.totals.exact == false' stats.json
	told=$(paste -d' ' <(column "$run/exit.csv" utime) <(column "$run/exit.csv" stime) | awk '{ print $1 + $2 }')
	at_least "$told" "$(awk -v used="$used" 'BEGIN { print 0.95 * used - 0.03 }')"
	told() {
		"$BUILD/rtrack-report" show "$run" >shown && [ ! -e "$run/.lock" ]
	}
	wait_for told
	[ "$(json status "$run/run.json")" = killed ]
}
