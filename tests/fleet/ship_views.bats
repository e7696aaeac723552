#!/usr/bin/env bats
# Tests of the views of rtrack-report sql on a bucket in SeaweedFS. The bucket is filled by ship or with Parquet files.
# bats file_tags=waits

load ../lib/helper

setup_file() {
	venv fleet -r "$PROJECT/tests/jobs/locks/fleet.txt"
	FLEET=$PYTHON
	venv ship -r "$PROJECT/tests/jobs/locks/ship.txt"
	export PYTHON FLEET
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export HOME=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache BUILD PROJECT
	unset "${!AWS_@}" http_proxy https_proxy all_proxy
}

@test "sql: views of a bucket give the same answers as views of the spool" {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 12
	# The label of one mark contains a comma and quotes.
	set -- "$RTRACK_SPOOL"/*
	printf '%s\n' '"timestamp","pid","label"' '1795219200.500,100,"a, ""b"""' >"$1/mark.csv"
	# shellcheck disable=SC2016  # the script's own
	cat >script.sh <<-'END'
		# ask ENGINE PLACE QUERY...: prints the rounded answer to each query.
		ask() {
			local python=$FLEET
			[ "$1" != duckdb ] || python=$PYTHON
			"$BUILD/rtrack-report" sql --engine "$1" $2 >views.sql
			"$python" "$PROJECT/tests/peers/engine.py" "$1" views.sql "${@:3}" |
				jq -c '[.[] | map_values(if type == "number" then (. * 1e9 | round) / 1e9
					elif type == "string" then sub("( 00:00:00|0+)$"; "") else . end)] | sort'
		}
		queries=("$PROJECT"/sql/*.sql 'select * from totals' "select job, user, start_time, labels['team'] as team, member_rank from runs"
			'select * from "start"' 'select * from mark' 'select count(*) as rows from gpu')
		rows='select count(*) as rows from process'
		"$BUILD/rtrack-report" ship --all --to s3://runs/shipped
		PATH=${PYTHON%/*}:$PATH "$BUILD/rtrack-report" export --to parquet -o parquet
		"$PYTHON" - <<-PY
			import boto3, os
			client = boto3.client("s3", region_name="us-east-1")
			for folder, _, names in os.walk("parquet"):
			    for name in names:
			        client.upload_file(os.path.join(folder, name), "runs", os.path.join(folder, name))
		PY
		for engine in duckdb clickhouse; do
			bucket=s3://runs
			[ $engine = duckdb ] || bucket=$AWS_ENDPOINT_URL_S3/runs
			ask $engine "$RTRACK_SPOOL" "${queries[@]}" >expected
			[ "$(wc -l <expected)" = ${#queries[@]} ]
			[ "$(sed -n '/a, \\"b\\"/p' expected | wc -l)" = 1 ]
			for folder in shipped parquet; do
				ask $engine $bucket/$folder "${queries[@]}" | diff expected -
			done
			ask $engine "$bucket/shipped $RTRACK_SPOOL $bucket/parquet" "$rows" | grep -qx '\[{"rows":99}\]'
			ask $engine $bucket/nothing "$rows" | grep -qx '\[{"rows":0}\]'
		done
	END
	local status=0
	"$PROJECT/tests/servers/seaweedfs" "$(dirname "$PYTHON")/weed" . bash -eu script.sh 3>&- || status=$?
	[ $status = 0 ] || { tail -n 5 weed.log; return 1; }
}
