#!/usr/bin/env bats
# Tests that only the owner of a run completes it and writes marks into it: root removes no file of another user's run. Two
# users share a sticky spool.
# bats file_tags=root

load ../lib/helper
load ../lib/runs
load ../lib/users

setup() {
	make_users
	mkdir -m 1777 "$SHARED/spool"
	install -m 755 "$BUILD/librtrack.so" "$SHARED/librtrack.so"
	export RTRACK_SPOOL=$SHARED/spool RTRACK_INTERVAL=0.1
	cd "$BATS_TEST_TMPDIR"
}

# lost_run UID: leaves a run of that user, which was killed together with its sampler, and sets `lost` to its directory.
lost_run() {
	(exec setpriv --reuid "$1" --regid "$1" --clear-groups env LD_PRELOAD="$SHARED/librtrack.so" sleep 100) 3>&- &
	until_true has_rows
	kill -9 $!
	wait $! 2>/dev/null || true
	lost=$(echo "$RTRACK_SPOOL"/*)
	[ "$(json status "$lost/run.json")" = running ]
	touch -d '1 minute ago' "$lost"/*
}

# until_true COMMAND: waits until it succeeds, at most 20 s.
until_true() {
	for _ in {1..200}; do
		if "$@" 2>/dev/null; then
			return
		fi
		sleep 0.1
	done
	false
}

has_rows() {
	[ -s "$(echo "$RTRACK_SPOOL"/*/process.csv)" ] && [ "$(wc -l <"$(echo "$RTRACK_SPOOL"/*/process.csv)")" -gt 1 ]
}

@test "root's rtrack-run does not change another user's run in a shared spool" {
	lost_run $MALLORY
	before=$(stat -c '%u %s %Y %n' "$lost"/* "$lost"/.[a-z]*)
	# Two intervals after its last row, the run counts as lost.
	for _ in 1 2 3; do
		"$BUILD/rtrack-run" sleep 0.4
	done
	"$BUILD/rtrack-report" list >/dev/null
	[ "$(stat -c '%u %s %Y %n' "$lost"/* "$lost"/.[a-z]*)" = "$before" ]
	as_user $MALLORY cat "$lost/run.json" >/dev/null
}

@test "rtrack-run completes an interrupted run of the same user" {
	lost_run 0
	until_true completed
}

completed() {
	"$BUILD/rtrack-run" sleep 0.1
	[ "$(json status "$lost/run.json")" != running ]
}

@test "root's rtrack-run --mark writes nothing into another user's run" {
	run_of mallory 20261121T020000Z-compute-7-10-0001
	before=$(ls -A "$run")
	run env RTRACK_RUN="$run" "$BUILD/rtrack-run" --mark x
	[ "$status" -ne 0 ]
	[ "$(ls -A "$run")" = "$before" ]
}
