#!/usr/bin/env bats
# rtrack-report ship to a server of ours that answers rightly or wrongly; real ones are in tests/fleet/ship_s3.bats.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	mkdir "$BATS_TEST_TMPDIR/server"
	python3 "$PROJECT/tests/servers/ingest.py" "$BATS_TEST_TMPDIR/server" 2>/dev/null 3>&- &
	SERVER=$!
	until [ -s "$BATS_TEST_TMPDIR/server/port" ]; do sleep 0.02; done
	URL=http://127.0.0.1:$(cat "$BATS_TEST_TMPDIR/server/port")
	OBJECTS=$BATS_TEST_TMPDIR/server/objects
	export AWS_ACCESS_KEY_ID=AKIDOFTEST AWS_SECRET_ACCESS_KEY=secret-of-test AWS_ENDPOINT_URL_S3=$URL/right HOME=$BATS_TEST_TMPDIR
	unset AWS_SESSION_TOKEN AWS_PROFILE AWS_REGION http_proxy https_proxy all_proxy
}

teardown() {
	kill "$SERVER"
}

ship() {
	run --separate-stderr "$BUILD/rtrack-report" ship "$@"
}

same() {
	python3 "$PROJECT/tests/lib/ship.py" same "$RTRACK_SPOOL" "$OBJECTS/$1"
}

requests() {
	wc -l <"$BATS_TEST_TMPDIR/server/requests"
}

# How often each way of asking has been answered.
ways() {
	cut -d' ' -f2 "$BATS_TEST_TMPDIR/server/requests" | cut -d/ -f2 | sort | uniq -c | awk '{ print $2 $1 }' | tr '\n' ' '
}

@test "ship --all: each row of each table once, and the second time nothing" {
	make_three_runs >/dev/null
	ship --all --to s3://bucket/some/prefix/
	[ "$status" -eq 0 ]
	[ "$output" = '15 batches, 42 rows of 3 runs sent to s3://bucket/some/prefix/' ]
	same bucket/some/prefix
	local before
	before=$(requests)
	ship --all --to s3://bucket/some/prefix/ --format json
	[ "$status" -eq 0 ]
	echo "$output" | jq -e '. == {to: "s3://bucket/some/prefix/", runs: 0, batches: 0, rows: 0}'
	[ "$(requests)" = "$before" ]
	[ "$(find "$RTRACK_SPOOL/.shipped" -name '*.body')" = '' ]
}

@test "ship: another target has everything anew, and the ledger of a run that is gone goes" {
	make_three_runs >/dev/null
	RTRACK_SHIP=s3://one ship --all
	RTRACK_SHIP=s3://two ship --all
	same one
	same two
	rm -r "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001"
	RTRACK_SHIP=s3://two ship --all
	[ "$(find "$RTRACK_SPOOL/.shipped" -name '*0001' | wc -l)" -eq 1 ]
	[ "$("$BUILD/rtrack-report" list --format json | jq length)" -eq 2 ]
}

@test "ship: what came since goes the next time, a torn row once it is whole" {
	local run
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	cp "$run/process.csv" whole
	head -c -7 whole >"$run/process.csv"
	ship "$run" --to s3://bucket
	[ "$status" -eq 0 ]
	fails same bucket
	tail -c 7 whole >>"$run/process.csv"
	ship "$run" --to s3://bucket
	same bucket
}

@test "ship: keys, prefixes and hosts that are none are refused before anybody is asked" {
	make_three_runs >/dev/null
	for url in s3:// s3://UPPER/x 's3://a/../b' 's3://a/./b' http://example.org ftp://x 's3://user:secret@bucket' $'s3://a/b\nc'; do
		ship --all --to "$url"
		[ "$status" -eq 2 ] || { echo "$url"; false; }
		[[ $stderr != *secret@* ]]
	done
	ship --all --to csv
	[ "$status" -eq 2 ]
	[[ $stderr == *"--to 'csv': expected URL"* ]]
	ship --all
	[ "$status" -eq 2 ]
	run "$BUILD/rtrack-report" export --to s3://bucket
	[ "$status" -eq 2 ]
	[ ! -e "$BATS_TEST_TMPDIR/server/requests" ]
	AWS_ACCESS_KEY_ID='' ship --all --to s3://bucket
	[ "$status" -eq 1 ]
	[[ $stderr == *'no keys: AWS_ACCESS_KEY_ID'* ]]
}

@test "ship: a server that refuses is asked once, with what stays said and the rest kept for the next time" {
	make_three_runs >/dev/null
	AWS_ENDPOINT_URL_S3=$URL/refuse ship --all --to s3://bucket
	[ "$status" -eq 1 ]
	[[ $stderr == "rtrack-report: cannot send all to 's3://bucket': it answered 403 (AccessDenied)" ]]
	[ "$(ways)" = 'refuse1 ' ]
}

@test "ship: 500 is tried again, and kill -9 of the sender at 100 random instants loses and doubles no row" {
	"$BUILD/rtrack-run" --interval 0.01 sh -c 'for i in 1 2 3 4 5 6 7 8; do seq 3000 | sort -R >/dev/null; sleep 0.05; done'
	AWS_ENDPOINT_URL_S3=$URL/flaky python3 "$PROJECT/tests/lib/ship.py" kills "$BUILD/rtrack-report" "$RTRACK_SPOOL" \
		"$OBJECTS/bucket" s3://bucket 100 7
}

@test "ship: no secret stands in an argument, a message, the ledger or run.json" {
	make_three_runs >/dev/null
	mkdir "$BATS_TEST_TMPDIR/bin"
	cat >"$BATS_TEST_TMPDIR/bin/curl" <<-END
		#!/bin/sh
		printf '%s\n' "\$@" >>"$BATS_TEST_TMPDIR/arguments"
		cat >>"$BATS_TEST_TMPDIR/questions"
		printf 'HTTP/1.1 200 OK\r\n\r\n'
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/curl"
	PATH="$BATS_TEST_TMPDIR/bin:$PATH" AWS_SESSION_TOKEN=token-of-test ship --all --to s3://bucket
	[ "$status" -eq 0 ]
	[ -s "$BATS_TEST_TMPDIR/arguments" ]
	fails grep -r -e secret-of-test -e token-of-test -e AKIDOFTEST "$BATS_TEST_TMPDIR/arguments" "$RTRACK_SPOOL"
	# The secret itself is in no question either: it only signs.
	fails grep secret-of-test "$BATS_TEST_TMPDIR/questions"
	grep -q 'x-amz-security-token: token-of-test' "$BATS_TEST_TMPDIR/questions"
	[[ $output$stderr != *of-test* ]]
}

@test "ship --follow: sends what comes, until the run is over" {
	"$BUILD/rtrack-run" --interval 0.1 sh -c 'until [ -e "$0" ]; do sleep 0.1; done; sleep 0.3' "$OBJECTS/bucket/process" 3>&- &
	local job=$!
	until [ "$(find "$RTRACK_SPOOL" -name process.csv 2>/dev/null | wc -l)" -eq 1 ]; do sleep 0.02; done
	ship "$(only_run)" --follow --every 1 --to s3://bucket
	[ "$status" -eq 0 ]
	wait $job
	same bucket
	[ "$(find "$OBJECTS/bucket/process" -type f | wc -l)" -ge 2 ]
}
