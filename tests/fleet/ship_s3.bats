#!/usr/bin/env bats
# Tests of rtrack-report ship to S3 servers: SeaweedFS, a real store, and moto, which checks keys, tokens and hashes
# bats file_tags=waits

load ../lib/helper

setup_file() {
	venv fleet -r "$PROJECT/tests/jobs/locks/fleet.txt"
	FLEET=$PYTHON
	venv ship -r "$PROJECT/tests/jobs/locks/ship.txt"
	export PYTHON FLEET
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export HOME=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache BUILD PROJECT
	unset AWS_SESSION_TOKEN AWS_PROFILE AWS_REGION AWS_DEFAULT_REGION http_proxy https_proxy all_proxy
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 4
}

# beside COMMAND...: runs the script on stdin while COMMAND, an S3 server, runs.
beside() {
	cat >script.sh
	local status=0
	"$@" bash -eu script.sh 3>&- || status=$?
	[ $status != 77 ] || tail -n 5 ./*.log
	return $status
}

@test "ship: SeaweedFS stores each row once, also under names with odd characters" {
	# shellcheck disable=SC2016  # the script's own
	beside "$PROJECT/tests/servers/seaweedfs" "$(dirname "$PYTHON")/weed" . <<'END'
		to='s3://runs/a+b=c d (é)/x:y@z'
		"$BUILD/rtrack-report" ship --all --to "$to" --format json | tee sent.json
		"$BUILD/rtrack-report" ship --all --to "$to" --format json | jq -e '.batches == 0'
		jq -e '.runs == 3 and .batches == 18' sent.json
		"$PYTHON" "$PROJECT/tests/fleet/ship_read.py" fetch runs 'a+b=c d (é)/x:y@z' objects
		python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" objects
		if AWS_SECRET_ACCESS_KEY=wrong "$BUILD/rtrack-report" ship --to s3://runs/other 2>err; then false; fi
		grep -q "the server answered 403 (SignatureDoesNotMatch)" err
		"$BUILD/rtrack-report" ship --all --to s3://runs/plain
		"$BUILD/rtrack-report" stats --format json >/dev/null
		for engine in duckdb clickhouse polars; do
			python=$FLEET
			[ "$engine" != duckdb ] || python=$PYTHON
			"$python" "$PROJECT/tests/fleet/ship_read.py" "$engine" runs plain | tee "$engine"
		done
		cmp duckdb clickhouse
		cmp duckdb polars
END
	python3 - "$RTRACK_SPOOL" <<-END | diff - duckdb
		import csv, pathlib, sys
		sums = {}
		for run in pathlib.Path(sys.argv[1]).glob("2*"):
		    rows = list(csv.DictReader(open(run / "process.csv")))
		    sums[run.name] = (len(rows), sum(float(r["utime"]) + float(r["stime"]) for r in rows))
		for name in sorted(sums):
		    print(name, sums[name][0], f"{sums[name][1]:.3f}")
	END
}

@test "ship: the S3 simulation moto accepts valid credentials and refuses invalid ones" {
	mkdir role
	# shellcheck disable=SC2016  # the script's own
	beside "$PYTHON" "$PROJECT/tests/servers/moto" . <<'END'
		key() { jq -r ".$1" keys.json; }
		ship() { "$BUILD/rtrack-report" ship --all --to "s3://runs/$1" 2>err; }
		ended() { printf '{"AccessKeyId": "%s", "SecretAccessKey": "%s", "Token": "%s", "Expiration": "%s"}' "$(key role.access)" "$(key role.secret)" "$1" "$2"; }

		AWS_ACCESS_KEY_ID=$(key user.access) AWS_SECRET_ACCESS_KEY=$(key user.secret) ship environment
		if AWS_ACCESS_KEY_ID=$(key user.access) AWS_SECRET_ACCESS_KEY=wrong ship wrong; then false; fi
		grep -q 'the server answered 403' err
		AWS_ACCESS_KEY_ID=$(key role.access) AWS_SECRET_ACCESS_KEY=$(key role.secret) AWS_SESSION_TOKEN=$(key role.token) ship session
		if AWS_ACCESS_KEY_ID=$(key role.access) AWS_SECRET_ACCESS_KEY=$(key role.secret) AWS_SESSION_TOKEN=other ship other; then false; fi
		grep -q 'the server answered 40[03]' err

		printf '[default]\naws_access_key_id = no\naws_secret_access_key = no\n\n[job]\naws_access_key_id=%s\naws_secret_access_key = %s\n' \
			"$(key user.access)" "$(key user.secret)" >credentials
		AWS_SHARED_CREDENTIALS_FILE=credentials AWS_PROFILE=job ship file
		if AWS_SHARED_CREDENTIALS_FILE=credentials ship default; then false; fi

		# The first keys expire before their stated time, and the second keys expire within five minutes. The
		# third keys are valid.
		ended gone 2099-01-01T00:00:00Z >role/1
		ended "$(key role.token)" "$(date -u -d '+200 seconds' +%FT%TZ)" >role/2
		ended "$(key role.token)" 2099-01-01T00:00:00Z >role/3
		python3 "$PROJECT/tests/servers/role.py" role & trap "kill $!" EXIT
		until [ -s role/port ]; do sleep 0.05; done
		export AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1:$(cat role/port)/creds AWS_CONTAINER_AUTHORIZATION_TOKEN=container
		ship role
		[ "$(grep -c '^container$' role/questions)" -eq 3 ]
		if AWS_CONTAINER_CREDENTIALS_FULL_URI=http://example.org/creds ship none; then false; fi
		grep -q 'must begin with https:// or name this machine' err

		export AWS_ACCESS_KEY_ID=$(key user.access) AWS_SECRET_ACCESS_KEY=$(key user.secret)
		"$PYTHON" "$PROJECT/tests/fleet/ship_read.py" fetch runs '' objects
		for place in environment session file role; do
			python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" objects/$place
		done
		[ "$(ls objects | wc -l)" -eq 4 ]
END
}
