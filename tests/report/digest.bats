#!/usr/bin/env bats
# Tests of the digest, a summary that rtrack-report caches in the directory of a finished run. Commands are faster with
# it and print the same.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	for second in 0 1 2; do
		make_run "20261121T02000${second}Z-compute-7-10-000$second" finished job.R "$second"
	done
	run1=$RTRACK_SPOOL/20261121T020001Z-compute-7-10-0001
}

all_answers() {
	"$BUILD/rtrack-report" list
	"$BUILD/rtrack-report" list --format json
	"$BUILD/rtrack-report" list --job job.R --since 2026-11-21
	"$BUILD/rtrack-report" stats --format json
}

# rewrite FILE SED: edits a file and restores its size and times.
rewrite() {
	touch -r "$1" "$BATS_TEST_TMPDIR/times"
	sed "$2" "$1" >"$BATS_TEST_TMPDIR/new"
	[ "$(wc -c <"$1")" -eq "$(wc -c <"$BATS_TEST_TMPDIR/new")" ]
	cat "$BATS_TEST_TMPDIR/new" >"$1"
	touch -r "$BATS_TEST_TMPDIR/times" "$1"
}

memory_of_second() {
	report_value '.[1].totals.peak_memory_mib' list
}

@test "cached summary: reports print the same with and without the summary" {
	for run in "$RTRACK_SPOOL"/*; do
		mkdir -p "$run/.summary.new/in-the-way"
	done
	all_answers >"$BATS_TEST_TMPDIR/never"
	[ -z "$(find "$RTRACK_SPOOL" -name .summary)" ]
	rm -r "$RTRACK_SPOOL"/*/.summary.new
	all_answers >"$BATS_TEST_TMPDIR/first"
	[ "$(find "$RTRACK_SPOOL" -name .summary | wc -l)" -eq 3 ]
	all_answers >"$BATS_TEST_TMPDIR/kept"
	cmp "$BATS_TEST_TMPDIR/never" "$BATS_TEST_TMPDIR/first"
	cmp "$BATS_TEST_TMPDIR/first" "$BATS_TEST_TMPDIR/kept"
	[ "$(stat -c %a "$run1/.summary")" = 600 ]
	[ -z "$(find "$RTRACK_SPOOL" -name '.summary.*')" ]
}

@test "cached summary: reports use it until a file of the run changes" {
	[ "$(memory_of_second)" = 300 ]
	# The commands do not read process.csv again while its time and size are unchanged.
	rewrite "$run1/process.csv" 's/,300\.000,/,700.000,/'
	[ "$(memory_of_second)" = 300 ]
	# When its time changes, the commands read it again.
	touch "$run1/process.csv"
	[ "$(memory_of_second)" = 700 ]
	sed -i 's/,700\.000,/,70000,/' "$run1/process.csv"
	[ "$(memory_of_second)" = 70000 ]
	jq '.job = "renamed"' "$run1/run.json" >"$BATS_TEST_TMPDIR/run.json"
	cat "$BATS_TEST_TMPDIR/run.json" >"$run1/run.json"
	[ "$(report_value 'length' list --job renamed)" = 1 ]
	rm "$run1/process.csv"
	[ "$(memory_of_second)" = 300 ]
}

@test "cached summary: commands use it for the history of a job" {
	before=$(report_value .history.stats.process_memory_mib stats)
	[ -e "$run1/.summary" ]
	rewrite "$run1/process.csv" 's/,300\.000,/,700.000,/'
	[ "$(report_value .history.stats.process_memory_mib stats)" = "$before" ]
	touch "$run1/process.csv"
	[ "$(report_value .history.stats.process_memory_mib.max stats)" = 700 ]
}

@test "cached summary: a damaged summary, or a link in its place, is written again" {
	all_answers >"$BATS_TEST_TMPDIR/right"
	cp "$run1/.summary" "$BATS_TEST_TMPDIR/summary"
	size=$(wc -c <"$BATS_TEST_TMPDIR/summary")
	for cut in 0 1 20 $((size / 2)) $((size - 1)); do
		head -c "$cut" "$BATS_TEST_TMPDIR/summary" >"$run1/.summary"
		all_answers | cmp - "$BATS_TEST_TMPDIR/right"
		cmp "$BATS_TEST_TMPDIR/summary" "$run1/.summary"
	done
	head -c 100000 /dev/zero >"$run1/.summary"
	all_answers | cmp - "$BATS_TEST_TMPDIR/right"
	sed 's/^rtrack-summary 1/rtrack-summary 0/' "$BATS_TEST_TMPDIR/summary" >"$run1/.summary"
	all_answers | cmp - "$BATS_TEST_TMPDIR/right"
	rm "$run1/.summary"
	ln -s "$BATS_TEST_TMPDIR/summary" "$run1/.summary"
	all_answers | cmp - "$BATS_TEST_TMPDIR/right"
	[ ! -L "$run1/.summary" ]
	rm "$run1/.summary"
	mkfifo "$run1/.summary"
	all_answers | cmp - "$BATS_TEST_TMPDIR/right"
}

@test "cached summary: none is written for a running or abandoned run" {
	make_run 20261121T020003Z-compute-7-10-0003 running job.R 3
	make_run 20261121T020004Z-compute-7-10-0004 finished job.R 4
	touch "$RTRACK_SPOOL/20261121T020004Z-compute-7-10-0004/.lock"
	all_answers >/dev/null
	[ ! -e "$RTRACK_SPOOL/20261121T020003Z-compute-7-10-0003/.summary" ]
	[ ! -e "$RTRACK_SPOOL/20261121T020004Z-compute-7-10-0004/.summary" ]
	[ -e "$run1/.summary" ]
}

@test "cached summary: none is written for a run with warnings, which are repeated" {
	printf '1795226405.000,10,0,0.5' >>"$run1/process.csv"
	report list
	[[ $stderr == *process.csv* ]]
	[ ! -e "$run1/.summary" ]
	first=$stderr
	report list
	[ "$stderr" = "$first" ]
	sed -i '$d; s/,300\.000,/,many,/' "$run1/process.csv"
	report list
	[[ $stderr == *"not a number"* ]]
	[ ! -e "$run1/.summary" ]
}

# bats test_tags=root
@test "cached summary: none is written to another user's directory" {
	as_root "give a directory away"
	chown 65534 "$run1"
	report list
	[ ! -e "$run1/.summary" ]
	[ -e "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0000/.summary" ]
}
