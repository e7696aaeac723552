#!/usr/bin/env bats
# Tests of rtrack-report ship with a test server that can answer wrongly. tests/fleet/ship_s3.bats uses real servers.
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load faults

setup() {
	mkdir "$BATS_TEST_TMPDIR/server"
	python3 "$PROJECT/tests/servers/ingest.py" "$BATS_TEST_TMPDIR/server" 2>/dev/null 3>&- &
	SERVER=$! FAULTY='' REVIVED=''
	until [ -s "$BATS_TEST_TMPDIR/server/port" ]; do sleep 0.02; done
	URL=http://127.0.0.1:$(cat "$BATS_TEST_TMPDIR/server/port")
	OBJECTS=$BATS_TEST_TMPDIR/server/objects
	cd "$BATS_TEST_TMPDIR"
	export AWS_ACCESS_KEY_ID=AKIDOFTEST AWS_SECRET_ACCESS_KEY=secret-of-test AWS_ENDPOINT_URL_S3=$URL/right HOME=$BATS_TEST_TMPDIR
	unset AWS_SESSION_TOKEN AWS_PROFILE AWS_REGION http_proxy https_proxy all_proxy
}

teardown() {
	# shellcheck disable=SC2086  # none, or one
	kill "$SERVER" $FAULTY $REVIVED
}

ship() {
	run --separate-stderr "$BUILD/rtrack-report" ship "$@"
}

same() {
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" "$OBJECTS/$1"
}

requests() {
	wc -l <"$BATS_TEST_TMPDIR/server/requests"
}

# ways: prints how often the server answered in each mode.
ways() {
	cut -d' ' -f2 "$BATS_TEST_TMPDIR/server/requests" | cut -d/ -f2 | sort | uniq -c | awk '{ print $2 $1 }' | tr '\n' ' '
}

@test "ship --all: sends each row of each table once, and a second call sends nothing" {
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
	[ -z "$(find "$RTRACK_SPOOL/.shipped" -name '.*' ! -name .shipped)" ]
}

@test "ship slurm:JOB: sends the runs of that job only" {
	make_three_runs >/dev/null
	sed -i 's/"labels": {"team": "x"}/"labels": {"slurm_job_id": "7"}/' "$RTRACK_SPOOL"/*{0001,0003}/run.json
	ship slurm:7 --to s3://bucket/job/ --format json
	[ "$status" -eq 0 ]
	[ "$(echo "$output" | jq .runs)" = 2 ]
}

@test "ship --user, --status, --label: sends only the runs that these options select" {
	make_three_runs >/dev/null
	sed -i 's/"ada"/"eve"/' "$RTRACK_SPOOL"/*0003/run.json
	ship --user eve --to s3://bucket/user/ --format json
	[ "$(echo "$output" | jq .runs)" = 1 ]
	ship --status failed --spool "$RTRACK_SPOOL" --spool "$RTRACK_SPOOL" --to s3://bucket/status/ --format json
	[ "$(echo "$output" | jq .runs)" = 1 ]
	[ -n "$(find "$OBJECTS" -path '*status*' -path '*-0002*')" ]
	sed -i 's/"team": "x"/"team": "y"/' "$RTRACK_SPOOL"/*0001/run.json
	ship --label team=y --to s3://bucket/label/ --format json
	[ "$(echo "$output" | jq .runs)" = 1 ]
	[ -n "$(find "$OBJECTS" -path '*label*' -path '*-0001*')" ]
	ship --label team=y job.R --to s3://bucket/label/
	[ "$status" -eq 2 ]
}

@test "ship: sends all rows to a second target, and forgets runs that were removed" {
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

@test "ship: a second call sends new rows, and rows that were incomplete before" {
	local run
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cp "$run/process.csv" whole
	head -c -7 whole >"$run/process.csv"
	ship "$run" --to s3://bucket
	[ "$status" -eq 0 ]
	fails same bucket
	tail -c 7 whole >>"$run/process.csv"
	ship "$run" --to s3://bucket
	same bucket
}

@test "ship: refuses invalid keys, prefixes and hosts before any request" {
	make_three_runs >/dev/null
	for url in s3:// s3://UPPER/x 's3://a/../b' 's3://a/./b' http://example.org ftp://x 's3://user:secret@bucket' $'s3://a/b\nc'; do
		ship --all --to "$url"
		[ "$status" -eq 2 ] || { echo "$url"; false; }
		[[ $stderr != *secret@* ]]
	done
	for word in csv BAD; do
		ship --all --to $word
		[ "$status" -eq 2 ]
		[[ $stderr == "rtrack-report: '$word' cannot be used as a target: expected s3://BUCKET/PREFIX, "* ]]
	done
	ship --all --to ''
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --to '': expected a value that is not empty" ]
	ship --all
	[ "$status" -eq 2 ]
	run "$BUILD/rtrack-report" export --to s3://bucket
	[ "$status" -eq 2 ]
	[ ! -e "$BATS_TEST_TMPDIR/server/requests" ]
	AWS_ACCESS_KEY_ID='' ship --all --to s3://bucket
	[ "$status" -eq 1 ]
	[[ $stderr == *'no keys: set AWS_ACCESS_KEY_ID'* ]]
}

@test "ship: if a server refuses, asks only once and keeps the unsent rows" {
	make_three_runs >/dev/null
	AWS_ENDPOINT_URL_S3=$URL/refuse ship --all --to s3://bucket
	[ "$status" -eq 1 ]
	[[ $stderr == "rtrack-report: not everything was sent to 's3://bucket': the server answered 403 (AccessDenied)" ]]
	[ "$(ways)" = 'refuse1 ' ]
}

@test "ship: retries after status 500, and 100 kills neither lose nor repeat a row" {
	"$BUILD/rtrack-run" --interval 0.01 sh -c 'for i in 1 2 3 4 5 6 7 8; do seq 3000 | sort -R >/dev/null; sleep 0.05; done'
	AWS_ENDPOINT_URL_S3=$URL/flaky python3 "$PROJECT/tests/fleet/ship.py" kills "$BUILD/rtrack-report" "$RTRACK_SPOOL" s3://bucket 100 7
	same bucket
}

@test "ship: secrets are not in arguments, messages, run.json, notes or a core dump" {
	make_three_runs >/dev/null
	export RTRACK_DEBUG=$BATS_TEST_TMPDIR/debug AWS_SESSION_TOKEN=token-of-test
	touch "$RTRACK_DEBUG"
	ship --all --to s3://bucket
	[ "$status" -eq 0 ]
	"$BUILD/rtrack-run" --ship s3://bucket true
	grep -qi '^x-amz-security-token: token-of-test' server/headers
	fails grep secret-of-test server/headers
	AWS_ENDPOINT_URL_S3=$URL/hang "$BUILD/rtrack-report" ship --all --to s3://other 3>&- &
	local sender=$!
	until grep -q hang server/requests; do sleep 0.05; done
	fails grep -a of-test "/proc/$sender/cmdline"
	grep -q '^Max core file size  *[01] ' "/proc/$sender/limits"
	kill -9 $sender
	fails grep -r -e secret-of-test -e token-of-test -e AKIDOFTEST "$RTRACK_SPOOL" "$RTRACK_DEBUG"
	[[ $output$stderr != *of-test* ]]
}

@test "ship: sends a hundred objects over one connection" {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 20
	ship --all --to s3://bucket
	[ "$status" -eq 0 ]
	[ "$(requests)" -ge 100 ]
	[ "$(wc -l <server/connections)" -eq 1 ]
}

@test "ship: without --follow, ends after sending the present rows of a live run" {
	"$BUILD/rtrack-run" --interval 0.01 sh -c 'until [ -e on ]; do sleep 0.05; done' 3>&- &
	local job=$!
	until [ "$(cat "$RTRACK_SPOOL"/2*/process.csv 2>/dev/null | wc -l)" -ge 2 ]; do sleep 0.02; done
	AWS_ENDPOINT_URL_S3=$URL/slow ship --all --to s3://bucket
	[ "$status" -eq 0 ]
	[ "$(find "$OBJECTS/bucket/process" "$OBJECTS/bucket/system" "$OBJECTS/bucket/start" -type f | wc -l)" -eq 3 ]
	touch on
	wait $job
	ship --all --to s3://bucket
	same bucket
}

@test "ship --follow: sends new rows until the run ends" {
	"$BUILD/rtrack-run" --interval 0.1 sh -c 'until [ -e "$0" ]; do sleep 0.1; done; sleep 0.3' "$OBJECTS/bucket/process" 3>&- &
	local job=$!
	until [ "$(find "$RTRACK_SPOOL" -name process.csv 2>/dev/null | wc -l)" -eq 1 ]; do sleep 0.02; done
	ship "$(only_run)" --follow --every 1 --to s3://bucket
	[ "$status" -eq 0 ]
	wait $job
	same bucket
	[ "$(find "$OBJECTS/bucket/process" -type f | wc -l)" -ge 2 ]
}

# work STATUS: runs a job that prints output and exits with STATUS.
work() {
	"$BUILD/rtrack-run" --interval 0.05 "${@:2}" sh -c 'echo out; echo err >&2; sleep 0.3; exit "$0"' "$1"
}

@test "rtrack-run --ship: all rows are sent before rtrack-run ends" {
	run --separate-stderr work 3 --ship s3://bucket/flag
	[ "$status" -eq 3 ]
	[ "$output" = out ]
	[ "$stderr" = err ]
	same bucket/flag
	[ "$(wc -l <"$(only_run)/exit.csv")" -eq 3 ]
	fails grep -r rtrack-report "$(only_run)"
	RTRACK_SHIP=s3://bucket/variable run work 0
	[ "$status" -eq 0 ]
	"$BUILD/rtrack-report" ship --all --to s3://bucket/flag
	same bucket/flag
	fails same bucket/variable
	"$BUILD/rtrack-report" ship --all --to s3://bucket/variable
	same bucket/variable
}

aim() {
	export AWS_ENDPOINT_URL_S3=$1
	TO=s3://bucket/${RTRACK_SPOOL##*/}
}

arrived_once() {
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" "$2/objects/bucket/${RTRACK_SPOOL##*/}"
}

@test "rtrack-run --ship: a failing server changes no job and loses no row" {
	jobs_beside_faults ingest.py 1
}

@test "rtrack-run --ship-wait: limits how long rtrack-run waits for unsent rows" {
	export AWS_ENDPOINT_URL_S3=$URL/hang RTRACK_SHIP=s3://bucket
	"$BUILD/rtrack-run" true
	"$BUILD/rtrack-run" --ship-wait 0.1 true
	run "$BUILD/rtrack-run" --ship-wait -1 true
	[ "$status" -eq 125 ]
	[ "$output" = "rtrack-run: --ship-wait '-1': expected a number from 0 to 86400" ]
}

@test "rtrack-run --ship-wait: stops a sender that never ends" {
	mkdir programs
	cp "$BUILD/rtrack-run" "$BUILD/librtrack.so" programs
	printf '#!/bin/sh\ntrap "" TERM\n: >began.$$\nexec sleep infinity\n' >programs/rtrack-report
	chmod +x programs/rtrack-report
	export RTRACK_SHIP=s3://bucket
	programs/rtrack-run --ship-wait 86400 true 3>&- &
	local long=$!
	programs/rtrack-run --ship-wait 0.1 true
	until [ -n "$(find . -name 'began.*')" ] && [ "$(cat spool/*/run.json | grep -c '"status": "finished"')" -eq 2 ]; do sleep 0.02; done
	kill $long
	wait $long
	local began
	for began in began.*; do
		[ ! -e "/proc/${began#began.}" ]
	done
}

@test "rtrack-run --ship-wait: sending starts even for a very short command" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "no process may be traced here"
	mkdir programs
	cp "$BUILD/rtrack-run" "$BUILD/librtrack.so" programs
	printf '#!/bin/sh\n: >began\n' >programs/rtrack-report
	chmod +x programs/rtrack-report
	RTRACK_SHIP=s3://bucket strace -f -o trace -e trace=setsid -e inject=setsid:delay_enter=500000 \
		programs/rtrack-run --ship-wait 60 true
	grep -q setsid trace
	[ -e began ]
}

@test "LD_PRELOAD alone with RTRACK_SHIP: sends nothing and opens no socket" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "no process may be traced here"
	RTRACK_SHIP=s3://bucket strace -f -qq -e trace=%network -e signal=none -o calls \
		-E "LD_PRELOAD=$BUILD/librtrack.so" sh -c 'seq 1000 | sort -R >/dev/null; sleep 0.1; true'
	[ "$(wc -l <"$(only_run)/exit.csv")" -eq 5 ]
	cat calls
	[ ! -s calls ]
	[ ! -e "$BATS_TEST_TMPDIR/server/requests" ]
}

@test "rtrack-run --ship: killing the sender does not affect the job" {
	AWS_ENDPOINT_URL_S3=$URL/hang RTRACK_SHIP=s3://bucket "$BUILD/rtrack-run" --interval 0.05 sh -c '
		until sender=$(pgrep -P $PPID -x rtrack-report); do sleep 0.02; done
		kill -9 $sender; sleep 0.2; echo done; exit 4' >out 2>err || echo $? >>out
	[ "$(cat out err)" = $'done\n4' ]
	"$BUILD/rtrack-report" ship --all --to s3://bucket
	same bucket
	fails grep -r -e 'rtrack-report ship --follow -- ' "$(only_run)/start.csv"
}

# bats test_tags=root
@test "rtrack-run --ship: the sender has low priority while the command runs" {
	as_root "make a process more urgent"
	cd "$BATS_TEST_TMPDIR"
	AWS_ENDPOINT_URL_S3=$URL/hang "$BUILD/rtrack-run" --ship s3://bucket sh -c 'until [ -e go ]; do sleep 0.05; done' 3>&- & job=$!
	until sender=$(pgrep -P $job -x rtrack-report); do sleep 0.05; done
	[ "$(ps -o ni= -p "$sender")" -eq 19 ]
	touch go
	while [ "$(ps -o ni= -p "$sender")" -eq 19 ]; do sleep 0.05; done
	[ "$(ps -o ni= -p "$sender")" -eq "$(nice)" ]
	kill $job
	wait $job
}

@test "rtrack-run --ship: refuses an invalid target before the command starts" {
	for value in '' nothing http://example.org s4://bucket; do
		run "$BUILD/rtrack-run" --ship "$value" echo ran
		[ "$status" -eq 125 ]
		[[ $output == "rtrack-run: --ship '$value': expected a target such as s3://BUCKET/PREFIX" ]]
	done
	RTRACK_SHIP=nothing run "$BUILD/rtrack-run" echo ran
	[ "$status" -eq 125 ]
	RTRACK_SHIP=nothing RTRACK=off run "$BUILD/rtrack-run" echo ran
	[ "$output" = ran ]
}
