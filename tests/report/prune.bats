#!/usr/bin/env bats
# Tests that rtrack-report prune removes old runs and nothing else
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	make_three_runs
	export TZ=UTC0
}

left() {
	(cd "$RTRACK_SPOOL" && printf '%s\n' 2*) | sed 's/Z.*/Z/' | paste -sd' '
}

@test "prune --keep N: keeps the newest N runs" {
	report prune --keep 2
	[ "$status" -eq 0 ]
	[ "$(left)" = "20261121T020100Z 20261121T020200Z" ]
	grep -q '20261121T020000Z-compute-7-10-0001 .*job.R' <<<"$output"
	grep -q '^1 run removed, ' <<<"$output"
	report prune --keep 2
	[ "$output" = "0 runs removed, 0 B" ]
}

@test "prune: with several conditions, removes only the runs that meet all of them" {
	report prune --older-than 2026-11-21T02:02 --keep 2
	[ "$(left)" = "20261121T020100Z 20261121T020200Z" ]
	report prune --older-than 2026-11-21T02:02 --job job.R
	[ "$(left)" = "20261121T020100Z 20261121T020200Z" ]
	report prune --older-than 2026-11-21T02:02 --job 'o*.R'
	[ "$(left)" = "20261121T020200Z" ]
	make_run "$(date -u -d '-1 hour' +%Y%m%dT%H%M%SZ)-h-1-0001" finished late $(($(date +%s) - 3600 - 1795226400))
	report prune --older-than 2h --job late
	[ "$output" = "0 runs removed, 0 B" ]
	report prune --older-than 30m --job late
	[ "$(left)" = "20261121T020200Z" ]
}

@test "prune --label: removes only runs with that label" {
	report prune --older-than 0s --label team=y
	[ "$output" = "0 runs removed, 0 B" ]
	sed -i 's/"team": "x"/"team": "y"/' "$RTRACK_SPOOL"/*0002/run.json
	report prune --older-than 0s --label 'team=[yz]'
	[ "$(left)" = "20261121T020000Z 20261121T020200Z" ]
}

@test "prune --dry-run: prints what prune would print, and removes nothing" {
	report prune --keep 1 --dry-run
	would=$output
	[ "$(left)" = "20261121T020000Z 20261121T020100Z 20261121T020200Z" ]
	report prune --keep 1
	[ "$output" = "${would/would be removed/removed}" ]
	[ "$(left)" = "20261121T020200Z" ]
}

@test "prune --format json: prints the removed runs and their size" {
	size=$(cat "$RTRACK_SPOOL"/20261121T020000Z*/* | wc -c)
	[ "$(report_value . prune --keep 2 --dry-run)" = "{\"removed\":[\"20261121T020000Z-compute-7-10-0001\"],\"bytes\":$size,\"live\":0,\"dry_run\":true}" ]
	[ "$(report_value .dry_run prune --keep 2)" = false ]
	[ "$(left)" = "20261121T020100Z 20261121T020200Z" ]
}

@test "prune: without a condition, prints a usage error and removes nothing" {
	report prune
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: prune needs --older-than, --keep or --exported; see rtrack-report prune --help" ]
	[ "$(left)" = "20261121T020000Z 20261121T020100Z 20261121T020200Z" ]
}

@test "prune: removes a run of rtrack-run completely" {
	rm -r "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" true
	"$BUILD/rtrack-report" list >/dev/null
	"$BUILD/rtrack-report" stats >/dev/null
	report prune --older-than 0s
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ -z "$(ls -A "$RTRACK_SPOOL")" ]
}

@test "prune: keeps a run that is still running" {
	mkfifo "$BATS_TEST_TMPDIR/hold"
	"$BUILD/rtrack-run" --job live sh -c 'read -r line <"$1"' sh "$BATS_TEST_TMPDIR/hold" &
	pid=$!
	live=
	for _ in $(seq 600); do
		live=$(grep -ls '"job": "live"' "$RTRACK_SPOOL"/*/run.json) && [ -s "${live%/*}/start.csv" ] && break
		sleep 0.1
	done
	report prune --older-than 0s
	[ "$(report_value '[.[].job]' list)" = '["live"]' ]
	grep -q '; 1 still going on$' <<<"$output"
	# The sampler holds the lock of this run, so the age of its files does not matter.
	touch -d '-1 day' "${live%/*}"/*
	report prune --older-than 0s
	[ -e "$live" ]
	echo >"$BATS_TEST_TMPDIR/hold"
	wait "$pid"
	report prune --older-than 0s
	[ ! -e "$live" ]
}

@test "prune: a run whose sampler was killed stays while its first process lives" {
	run=$(make_run "20261121T020300Z-$(hostname)-$$-0004" running job.R 180)
	ticks=$(sed 's/.*) //' /proc/$$/stat | cut -d' ' -f20)
	jq ".pid = $$ | .host = \"$(hostname)\" | .tracker.start_ticks = $ticks" "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	touch -d '-1 day' "$run"/*
	report prune --older-than 2026-11-22
	[ "$(left)" = 20261121T020300Z ]
	jq '.tracker.start_ticks += 1' "$run/run.json" >"$BATS_TEST_TMPDIR/new"
	cat "$BATS_TEST_TMPDIR/new" >"$run/run.json"
	touch -d '-1 day' "$run"/*
	report prune --older-than 2026-11-22
	[ "$(left)" = '2*' ]
}

@test "prune: keeps files that are not of a run, and runs that contain such files" {
	cd "$RTRACK_SPOOL"
	mkdir 20261121T010000Z-notes 20261121T010000Z-empty-1-0001 keep 20261121T010000Z-dir-1-0003
	echo >20261121T010000Z-notes/run.json
	echo >20261121T010000Z-file-1-0002
	mkdir 20261121T010000Z-dir-1-0003/system.csv
	echo mine >20261121T020000Z-compute-7-10-0001/report.html
	ln -s /etc/passwd 20261121T020100Z-compute-7-11-0002/.lock
	before=$(find . ! -path './20261121T020200Z*' | sort)
	report prune --older-than 2026-11-22
	[ "$status" -eq 0 ]
	[ "$(find . | sort)" = "$before" ]
	[ "$(grep -c 'was not removed' <<<"$stderr")" -ge 4 ]
	[ "$(cat 20261121T020000Z-compute-7-10-0001/report.html)" = mine ]
}

@test "prune: follows no symbolic link" {
	mv "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001"
	report prune --older-than 2026-11-22
	[ "$status" -eq 0 ]
	[ -L "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001" ]
	[ -e "$BATS_TEST_TMPDIR/elsewhere/run.json" ]
	[ "$(left)" = 20261121T020000Z ]
}

@test "prune: without write permission to the spool, prints an error and exits with 1" {
	as_other_user
	chmod a-w "$RTRACK_SPOOL"/*
	run --separate-stderr "${as[@]}" "$BUILD/rtrack-report" prune --keep 2
	[ "$status $stderr" = "1 rtrack-report: '20261121T020000Z-compute-7-10-0001' cannot be removed: Permission denied" ]
	run --separate-stderr "${as[@]}" "$BUILD/rtrack-report" prune --keep 1
	chmod u+w "$RTRACK_SPOOL"/*
	[ "$status $stderr" = "1 rtrack-report: 2 runs of '$RTRACK_SPOOL' cannot be removed, the first of them '20261121T020100Z-compute-7-11-0002': Permission denied" ]
}

@test "prune: if the spool does not exist, prints an error" {
	report prune --keep 1 --spool /nowhere
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no run in '/nowhere' yet: 'rtrack-run --spool DIR COMMAND' makes one" ]
}
