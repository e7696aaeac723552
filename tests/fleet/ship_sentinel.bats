#!/usr/bin/env bats
# Tests of rtrack-report ship to a fake Spare Cores Sentinel, which checks each request by its schema. Its bucket is in
# SeaweedFS.
# bats file_tags=waits

load ../lib/helper
load ../lib/runs
load faults

setup_file() {
	venv ship -r "$PROJECT/tests/jobs/locks/ship.txt"
	export PYTHON
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache BUILD PROJECT HOME=$BATS_TEST_TMPDIR SENTINEL_API_TOKEN=token-of-test
	unset SENTINEL_API_KEY http_proxy https_proxy all_proxy AWS_SESSION_TOKEN AWS_PROFILE
}

teardown() {
	[ -z "${SERVER:-}${FAULTY:-}" ] || kill ${SERVER:-} ${FAULTY:-} ${REVIVED:-}
}

# lengthen RUN: turns a run of four rows into a run of 120 rows, one row per second.
lengthen() {
	for table in process system; do
		awk -F, -v OFS=, 'NR == 1 { print; next } { row[NR - 2] = $0 }
			END { for (i = 0; i < 120; i++) { $0 = row[i % 4]; $1 = sprintf("%.3f", 1795226401 + i); print } }' \
			"$1/$table.csv" >lengthened
		cat lengthened >"$1/$table.csv"
	done
	sed -i 's/"stop_time": [0-9]*/"stop_time": 1795226520/' "$1/run.json"
}

@test "ship to a simulated Sentinel: short runs are sent in the request, long ones to a bucket" {
	lengthen "$(make_run 20261121T020000Z-compute-7-10-0001)"
	make_run 20261121T020100Z-compute-7-11-0002 failed other.R 60 >/dev/null
	mkdir server
	touch server/wrong
	# shellcheck disable=SC2016  # the script's own
	cat >script.sh <<-'END'
		python3 "$PROJECT/tests/servers/sentinel.py" server s3://runs/sentinel & trap "kill $!" EXIT
		until [ -s server/port ]; do sleep 0.05; done
		export SENTINEL_API_URL=http://127.0.0.1:$(cat server/port)
		"$BUILD/rtrack-report" ship --all --to sentinel:
		"$BUILD/rtrack-report" ship --all --to sentinel: --format json | jq -e '.batches == 0'
		"$PYTHON" "$PROJECT/tests/fleet/ship_read.py" fetch runs sentinel objects
		if SENTINEL_API_TOKEN=other "$BUILD/rtrack-report" ship --all --spool other --to sentinel: 2>err; then false; fi
	END
	mkdir other
	RTRACK_SPOOL=$PWD/other make_run 20261121T020000Z-compute-7-10-0003 >/dev/null
	local status=0
	"$PROJECT/tests/servers/seaweedfs" "$(dirname "$PYTHON")/weed" . bash -eu script.sh 3>&- || status=$?
	[ $status = 0 ] || { tail -n 5 weed.log; return 1; }
	grep -q 'the server answered 401' err
	jq -es '[.[] | "\(.path) \(.status)"] == ["/runs 201", "/runs/r1/refresh-credentials 200", "/runs/r1/finish 200",
		"/runs 201", "/runs/r2/finish 200", "/runs 401"]' server/questions
	jq -es '.[0].body | .job_name == "job.R" and .host_hostname == "compute-7" and .tags.team == "x" and
		(.command | fromjson | .[0] == "Rscript") and .external_run_id == "20261121T020000Z-compute-7-10-0001"' server/questions
	jq -es '.[2].body == {exit_code: 0, run_status: "finished", data_source: "s3", data_uris: ["s3://runs/sentinel/r1/0001.csv.gz"]}' server/questions
	jq -es '.[4].body | .exit_code == 3 and .run_status == "failed" and .data_source == "inline"' server/questions
	"$BUILD/rtrack-report" export 20261121T020000Z --to csv | diff - <(zcat objects/r1/0001.csv.gz)
	"$BUILD/rtrack-report" export 20261121T020100Z --to csv | diff - <(jq -rsj '.[4].body.data_csv' server/questions)
	fails grep -r token-of-test "$RTRACK_SPOOL"
}

@test "ship sentinel: makes no request without a token" {
	make_three_runs >/dev/null
	SENTINEL_API_TOKEN='' SENTINEL_API_URL=http://127.0.0.1:1 run "$BUILD/rtrack-report" ship --all --to sentinel:
	[ "$status" -eq 2 ]
	[[ $output == "rtrack-report: 'sentinel:' cannot be used as a target: SENTINEL_API_TOKEN is not set" ]]
}

@test "ship sentinel (fake): requests have all JSON keys that resource-tracker sends" {
	local python
	venv predecessor resource-tracker
	python=$PYTHON
	mkdir server
	export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
	python3 "$PROJECT/tests/servers/sentinel.py" server s3://runs/sentinel 3>&- &
	SERVER=$!
	until [ -s server/port ]; do sleep 0.05; done
	export SENTINEL_API_URL
	SENTINEL_API_URL=http://127.0.0.1:$(cat server/port)
	"$python" - 3>&- <<-'END'
		import os, time
		from resource_tracker import ResourceTracker
		from resource_tracker.sentinel_api import refresh_credentials

		if __name__ == "__main__":
		    tracker = ResourceTracker(interval=1, discover_cloud=False, autostart=True, streaming_metadata={
		        "job_name": "job", "command": ["sh", "-c", "x"], "tags": {"team": "x"}, "external_run_id": "e"})
		    end = time.time() + 30
		    while len(tracker.process_metrics) < 3 and time.time() < end:
		        time.sleep(0.2)
		    refresh_credentials(os.environ["SENTINEL_API_TOKEN"], "r1")
		    tracker.stop(exit_code=0)
	END
	"$BUILD/rtrack-run" --job job --tag team=x --interval 0.2 sh -c 'sleep 0.5'
	"$BUILD/rtrack-report" ship --all --to sentinel:
	jq -c '[.path, .status]' server/questions
	jq -es 'map(.status) == [201, 200, 200, 201, 200] and map(.path) == ["/runs", "/runs/r1/refresh-credentials", "/runs/r1/finish", "/runs", "/runs/r2/finish"]
		and all(.type == "application/json")' server/questions
	# Each key that resource-tracker sends is among our keys, with the same type.
	jq -es 'def kinds: map_values(type); [.[0], .[3]] | map(.body | kinds) | .[0] as $theirs | .[1] as $ours
		| $theirs | to_entries | length == 4 and all($ours[.key] == .value)' server/questions
	jq -es '[.[0], .[3]] | all(.body.command | fromjson | .[0] == "sh") and all(.body.tags.team == "x")' server/questions
	jq -es '[.[2], .[4]] | (.[0].body | del(.data_csv)) == (.[1].body | del(.data_csv))
		and .[0].gzipped and (.[1].gzipped | not)' server/questions
	# The columns of resource-tracker are among our columns, in the same order.
	jq -rs '.[2].body.data_csv' server/questions | head -1 | tr -d '\r' | tr , '\n' >theirs
	jq -rs '.[4].body.data_csv' server/questions | head -1 | tr , '\n' >ours
	[ "$(wc -l <theirs)" -ge 25 ]
	[ "$(grep -xFf theirs ours)" = "$(cat theirs)" ] || { diff theirs ours; false; }
}

aim() {
	export SENTINEL_API_URL=$1
	TO=sentinel:
}

# arrived_once: exactly one run was finished, with all rows. Other runs of the same name exist if the answer to their
# creation was lost.
arrived_once() {
	local run
	run=$(basename "$(only_run)")
	jq -es --arg mode "$1" --arg run "$run" 'map(select(.path | startswith("/\($mode)/"))) |
		([.[] | select(.path == "/\($mode)/runs") | .body.external_run_id] | unique) == [$run] and
		([.[] | select(.path | endswith("/finish")) | select(.status == 200) | .body | .exit_code, .run_status] == [7, "failed"])' "$2/questions"
	"$BUILD/rtrack-report" export --to csv |
		diff - <(jq -rsj --arg mode "/$1/" '.[] | select(.status == 200 and (.path | startswith($mode))) | .body.data_csv // empty' "$2/questions")
}

@test "rtrack-run --ship to Sentinel: a failing service changes no job" {
	export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
	jobs_beside_faults sentinel.py s3://runs/sentinel
}

@test "ship sentinel: 100 kills and failing servers lose and repeat no row" {
	export AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b
	lengthen "$(make_run 20261121T020000Z-compute-7-10-0001)"
	mkdir bucket
	python3 "$PROJECT/tests/servers/ingest.py" bucket 5 2>/dev/null 3>&- &
	SERVER=$!
	mkdir server
	python3 "$PROJECT/tests/servers/sentinel.py" server s3://runs/sentinel 2>/dev/null 3>&- &
	FAULTY=$!
	until [ -s bucket/port ] && [ -s server/port ]; do sleep 0.02; done
	export AWS_ENDPOINT_URL_S3=http://127.0.0.1:$(cat bucket/port)/flaky SENTINEL_API_URL=http://127.0.0.1:$(cat server/port)/flaky
	python3 "$PROJECT/tests/fleet/ship.py" kills "$BUILD/rtrack-report" "$RTRACK_SPOOL" sentinel: 100 13
	jq -s '[.[] | select((.path | endswith("/finish")) and .status == 200)]' server/questions >ends
	jq -e 'length == 1 and (.[0].body | .run_status == "finished" and .data_source == "s3")' ends
	"$BUILD/rtrack-report" export --to csv >whole
	local first=yes uri
	for uri in $(jq -r '.[0].body.data_uris[]' ends); do
		zcat "bucket/objects/${uri#s3://}" | if [ $first ]; then cat; else sed 1d; fi
		first=
	done | diff whole -
}
