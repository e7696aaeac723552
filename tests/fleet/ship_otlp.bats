#!/usr/bin/env bats
# Tests of rtrack-report ship to an OpenTelemetry collector. The schema of OpenTelemetry checks each body, and the
# collector rotel accepts them.
# bats file_tags=waits

load ../lib/helper
load faults

setup_file() {
	venv ship -r "$PROJECT/tests/jobs/locks/ship.txt"
	export PYTHON
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache
	unset http_proxy https_proxy all_proxy OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_METRICS_HEADERS
	mkdir server
	python3 "$PROJECT/tests/servers/ingest.py" server 2>/dev/null 3>&- &
	SERVER=$! FAULTY='' REVIVED=''
	until [ -s server/port ]; do sleep 0.02; done
	URL=http://127.0.0.1:$(cat server/port)
}

teardown() {
	[ -z "$SERVER" ] || kill "$SERVER" $FAULTY $REVIVED
}

# job: a job that uses CPU time, writes to disk, and has invalid UTF-8 in its name and label.
job() {
	"$BUILD/rtrack-run" --interval 0.05 --job $'a "job" \\ é\001' --tag 'team=b"io' \
		sh -c 'for i in 1 2 3; do seq 30000 | sort -R >file; sleep 0.1; done; exit 3' || [ $? = 3 ]
}

# arrived: parses the bodies received below server/objects/$2 (or another folder) by the schema, and prints them.
arrived() {
	"$PYTHON" "$PROJECT/tests/fleet/otlp.py" "$1" "${3:-server}/objects/$2" >arrived || { cat arrived; return 1; }
}

totals_are_right() {
	last_is rtrack.run.cpu_seconds cpu_seconds
	last_is rtrack.run.peak_memory_mib peak_memory_mib
	grep -q '^rtrack.run.exit_code 1 3' arrived
	grep -q '^rtrack.run.succeeded 1 0' arrived
}

# last_is METRIC KEY: the last value of the metric is the total KEY of stats.
last_is() {
	local last total
	last=$(awk -v name="$1 " 'index($0, name) == 1 { print $NF }' arrived)
	total=$("$BUILD/rtrack-report" stats --format json | jq ".totals.$2")
	awk -v a="$last" -v b="$total" 'BEGIN { exit !(a != "" && a - b < 2e-6 && b - a < 2e-6) }' ||
		{ echo "$1: $last, $2: $total"; return 1; }
}

series_are_right() {
	last_is 'process.cpu.time user' user_seconds
	last_is 'process.cpu.time system' system_seconds
	last_is 'process.disk.io write' disk_write_bytes
	[ "$(awk '$1 == "process.memory.usage" { print $2 }' arrived)" -eq "$(($(wc -l <"$(only_run)/process.csv") - 1))" ]
	grep -q $'^resource service.name=a "job" \\\\ é.* rtrack.run.id='"$(basename "$(only_run)")"'.* rtrack.label.team=b"io' arrived
}

@test "ship to OpenTelemetry: requests are valid, and final sums equal those of stats" {
	job
	"$BUILD/rtrack-report" ship --all --to "otlp+$URL/right/v1"
	arrived json v1
	series_are_right
	totals_are_right
	local before
	before=$(wc -l <server/requests)
	"$BUILD/rtrack-report" ship --all --to "otlp+$URL/right/v1"
	[ "$(wc -l <server/requests)" -eq "$before" ]
}

@test "ship to OpenTelemetry: split or repeated batches give the same points" {
	job
	cp "$(only_run)/process.csv" whole
	local lines
	for lines in 3 4 7; do
		head -n $lines whole >"$(only_run)/process.csv"
		"$BUILD/rtrack-report" ship --to "otlp+$URL/flaky/v1" || true
	done
	cat whole >"$(only_run)/process.csv"
	until "$BUILD/rtrack-report" ship --to "otlp+$URL/flaky/v1"; do :; done
	arrived json v1
	series_are_right
}

@test "ship to OpenTelemetry: sends given headers, and retries status 503 but not 500" {
	job
	if "$BUILD/rtrack-report" ship --to "otlp+$URL/broken/v1" 2>err; then false; fi
	[ "$(cat err)" = "rtrack-report: not everything was sent to 'otlp+$URL/broken/v1': the server answered 500 (InternalError)" ]
	[ "$(wc -l <server/requests)" -eq 1 ]
	OTEL_EXPORTER_OTLP_HEADERS='api-key=se%20cret,x-other = 1' "$BUILD/rtrack-report" ship --to "otlp+$URL/right"
	grep -qx 'api-key: se cret' server/headers
	grep -qx 'POST /right' server/requests
	fails grep -r -e 'se.*cret' "$RTRACK_SPOOL"
	fails timeout 2 "$BUILD/rtrack-report" ship --to "otlp+$URL"
	grep -qx 'POST /v1/metrics' server/requests
}

@test "ship to OpenTelemetry: 100 kills lose no point and change no value" {
	job
	python3 "$PROJECT/tests/fleet/ship.py" kills "$BUILD/rtrack-report" "$RTRACK_SPOOL" "otlp+$URL/flaky/v1" 100 11
	arrived json v1
	series_are_right
	totals_are_right
}

aim() {
	TO=otlp+$1/${RTRACK_SPOOL##*/}
}

arrived_once() {
	arrived json "${RTRACK_SPOOL##*/}" "$2"
	last_is 'process.cpu.time user' user_seconds
	last_is rtrack.run.cpu_seconds cpu_seconds
	grep -q '^rtrack.run.exit_code 1 7' arrived
	[ "$(awk '$1 == "process.memory.usage" { print $2 }' arrived)" -eq "$(($(wc -l <"$(only_run)/process.csv") - 1))" ]
}

@test "rtrack-run --ship to OpenTelemetry: a failing server changes no job" {
	jobs_beside_faults ingest.py 1
}

@test "ship to OpenTelemetry: the collector rotel passes on unchanged sums" {
	job
	cat >script.sh <<-'END'
		"$BUILD/rtrack-report" ship --all --to "otlp+http://$COLLECTOR"
		# The totals are sent last, so all other points have arrived before them.
		until zgrep -qs 'rtrack.run.cpu_seconds' server/objects/v1/*; do sleep 0.1; done
	END
	local status=0
	BUILD=$BUILD "$PROJECT/tests/servers/rotel" "$(dirname "$PYTHON")"/../lib/python3*/site-packages/rotel/rotel-agent . \
		"$URL/right/v1" timeout 60 bash -eu script.sh || status=$?
	[ $status = 0 ] || { tail -n 5 rotel.log; return 1; }
	arrived protobuf v1
	series_are_right
	totals_are_right
}
