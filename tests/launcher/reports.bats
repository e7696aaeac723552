#!/usr/bin/env bats
# Tests of --summary and --report: how rtrack-run calls rtrack-report, and what happens if that fails
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	cp "$BUILD"/rtrack-run* "$BUILD/librtrack.so" bin
	cat >bin/rtrack-report <<-'END'
		#!/bin/sh
		echo "report: $*"
		echo "RTRACK=$RTRACK LD_PRELOAD=$LD_PRELOAD" >&2
		exit ${REPORT_STATUS:-0}
	END
	chmod +x bin/rtrack-report
	RUN=$PWD/bin/rtrack-run
}

@test "rtrack-run --summary: goes to stderr, and changes neither output nor status" {
	status=0
	REPORT_STATUS=1 "$RUN" --summary sh -c 'echo mine; exit 6' >out 2>err || status=$?
	[ "$status" = 6 ]
	[ "$(cat out)" = mine ]
	printf 'report: show --short %s\nRTRACK=off LD_PRELOAD=\n' "$(only_run)" | diff - err
}

@test "rtrack-run --report: makes a page, even if its name begins with a dash" {
	"$RUN" --report page.html true 2>err
	grep -qx "report: html -o page.html $(only_run)" err
	rm -rf "$RTRACK_SPOOL"
	"$RUN" --report=-x.html true 2>err
	grep -qx "report: html -o ./-x.html $(only_run)" err
}

@test "rtrack-run: prints one line if rtrack-report is missing, and keeps the status" {
	rm bin/rtrack-report
	status=0
	PATH=/usr/bin:/bin "$RUN" --summary sh -c 'exit 6' 2>err || status=$?
	[ "$status" = 6 ]
	[ "$(cat err)" = "rtrack-run: 'rtrack-report' cannot be run: No such file or directory" ]
}

@test "rtrack-run: says why a run has no record only if a report was requested" {
	echo precious >file
	status=0
	RTRACK_SPOOL=$PWD/file "$RUN" sh -c 'exit 6' >out 2>err || status=$?
	[ "$status" = 6 ]
	[ ! -s out ]
	[ ! -s err ]
	RTRACK_SPOOL=$PWD/file "$RUN" --summary --report x.html sh -c 'exit 6' 2>err || status=$?
	[ "$status" = 6 ]
	[ "$(wc -l <err)" = 1 ]
	grep -q "^rtrack-run: this run has no record: '$PWD/file/.*' cannot be made: Not a directory$" err
	RTRACK_SPOOL=$PWD/file "$RUN" --debug diary true 2>err
	[ ! -s err ]
	[ "$(grep -c "^rtrack-run: no record: '.*' cannot be made: " diary)" = 1 ]
}

@test "rtrack-run: without a record, the command's environment is unchanged" {
	not_in_qemu "it turns the order of the environment"
	echo precious >file
	RTRACK_SPOOL=$PWD/file env >bare
	RTRACK_SPOOL=$PWD/file "$RUN" --memory rss env >tracked
	sed -i '/^_=/d' bare tracked
	diff bare tracked
}

@test "rtrack-run --summary: says if a run was too short to be kept" {
	status=0
	"$RUN" --summary --min-seconds 1000 sh -c 'exit 6' 2>err || status=$?
	[ "$status" = 6 ]
	[ "$(cat err)" = 'rtrack-run: this run has no record: it was shorter than --min-seconds (RTRACK_MIN_SECONDS), 1000 s' ]
}

@test "rtrack-run --summary: prints nothing under RTRACK=off" {
	RTRACK=off "$RUN" --summary true 2>err
	[ ! -s err ]
}

@test "rtrack-run --summary, --report: work with the real rtrack-report" {
	"$BUILD/rtrack-run" --summary --report page.html sh -c 'echo mine' >out 2>err
	[ "$(cat out)" = mine ]
	[ -s err ]
	grep -qi '<html' page.html
}
