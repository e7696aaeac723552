#!/usr/bin/env bats
# Tests of progress messages on a terminal, which are removed after the work. A fake clock runs fast, so the tests are
# short.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/runs

setup() {
	clock=$(victim clock "${CC:-cc}" -shared -fPIC)
}

# on_terminal ARG...: runs rtrack-report on a terminal with stdout in a file, and puts what the terminal shows into
# $seen.
on_terminal() {
	printf '%q ' "$BUILD/rtrack-report" "$@" >"$BATS_TEST_TMPDIR/command"
	seen=$(timeout 60 script -qec "LD_PRELOAD='$clock' sh '$BATS_TEST_TMPDIR/command' >'$BATS_TEST_TMPDIR/out'" /dev/null </dev/null)
}

# stays: prints what remains visible on the terminal: the text after the last carriage return of each line.
stays() {
	printf '%s' "$seen" | sed 's/\r$//; s/.*\r//; s/ *$//'
}

# make_long_run makes a run with a process.csv that is read in many pieces.
make_long_run() {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	awk 'NR == 1 { print } NR > 1 { row[NR] = $0 } END { for (i = 0; i < 40000; i++) print row[2 + i % 4] }' "$run/process.csv" >"$run/longer"
	mv "$run/longer" "$run/process.csv"
	echo "hours of CPU time in a run of 4 s" >"$RTRACK_SPOOL/.impossible"
}

@test "html, show, stats: a terminal shows the progress of reading, then removes it" {
	make_long_run
	for command in html show stats; do
		output=
		[ "$command" != html ] || output="-o $BATS_TEST_TMPDIR/page.html"
		# shellcheck disable=SC2086 # an option and its argument, or nothing
		on_terminal "$command" $output "$run"
		[[ $seen == *'rtrack-report: reading process.csv, '[0-9]*' %'* ]] || { echo "$command: $seen"; return 1; }
		[[ $seen == *' '$'\r' ]]
		[ -z "$(stays)" ]
	done
	grep -q '</html>' "$BATS_TEST_TMPDIR/page.html"
}

@test "import: a terminal shows the progress of unpacking and writing" {
	make_long_run
	"$BUILD/rtrack-report" export -o "$BATS_TEST_TMPDIR/s.json.gz" "$run"
	rm -r "$run"
	on_terminal import "$BATS_TEST_TMPDIR/s.json.gz"
	[[ $seen == *'rtrack-report: unpacking, '[0-9]*' %'* ]]
	[[ $seen == *'rtrack-report: writing the series, '[0-9]*' %'* ]]
	[ -z "$(stays)" ]
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = "${run##*/}" ]
}

@test "prune: a terminal shows the progress, and messages are on separate lines" {
	for i in 1 2 3 4 5 6 7 8; do make_run "20261121T02000${i}Z-compute-7-10-000$i" >/dev/null; done
	touch "$RTRACK_SPOOL/20261121T020002Z-compute-7-10-0002/foreign"
	touch -d 2026-11-21T03:00:00Z "$RTRACK_SPOOL"/*/*
	on_terminal prune --keep 1 --dry-run
	[[ $seen == *'rtrack-report: looking at runs, '[0-9]*' %'* ]]
	[ "$(stays)" = "rtrack-report: '20261121T020002Z-compute-7-10-0002' was not removed: it is not a run, or it has other files too" ]
	tail -n 1 "$BATS_TEST_TMPDIR/out" | grep -q '^6 runs would be removed'
}

@test "progress is not shown in a pipe, in a file, or in the first second" {
	make_long_run
	LD_PRELOAD="$clock" "$BUILD/rtrack-report" show -v "$run" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
	CLOCK_STANDS=1 on_terminal show "$run"
	[ -z "$seen" ]
}

@test "export, watch: progress is not shown if output goes to the same terminal" {
	make_long_run
	for command in "export --to csv" watch; do
		seen=$(timeout 60 script -qec "LD_PRELOAD='$clock' '$BUILD/rtrack-report' $command '$run'" /dev/null </dev/null)
		[[ $seen != *'rtrack-report: reading'* ]]
	done
}
