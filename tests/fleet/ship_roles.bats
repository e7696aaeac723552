#!/usr/bin/env bats
# Tests of rtrack-report ship with keys from an AWS role. A fake endpoint gives the keys through the interfaces that AWS
# documents. The S3 server moto receives the rows and checks the tokens.

load ../lib/helper

setup_file() {
	venv ship -r "$PROJECT/tests/jobs/locks/ship.txt"
	export PYTHON
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export HOME=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache BUILD PROJECT PYTHON
	unset "${!AWS_@}" http_proxy https_proxy all_proxy
}

# beside: runs the script on stdin together with moto and a role endpoint at ROLE, which gives the keys in role/1,
# role/2 and so on. `keys NUMBER TOKEN EXPIRATION` writes one of these files. If INSIDE is set, everything runs inside
# that command.
beside() {
	mkdir role
	{
		cat <<-'END'
			key() { jq -r ".$1" keys.json; }
			ship() { "$BUILD/rtrack-report" ship "$@" 2>err; }
			asked() { grep -cx "$1" role/questions; }
			keys() { printf '{"AccessKeyId": "%s", "SecretAccessKey": "%s", "Token": "%s", "Expiration": "%s"}' "$(key role.access)" "$(key role.secret)" "$2" "$3" >"role/$1"; }
			# same: reads the received objects with a user's keys, and compares them with the spool.
			same() {
				AWS_ACCESS_KEY_ID=$(key user.access) AWS_SECRET_ACCESS_KEY=$(key user.secret) \
					"$PYTHON" "$PROJECT/tests/fleet/ship_read.py" fetch runs "$1" "objects/$1"
				python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" "objects/$1"
			}
			python3 "$PROJECT/tests/servers/role.py" role & trap "kill $!" EXIT
			until [ -s role/port ]; do sleep 0.05; done
			ROLE=http://127.0.0.1:$(cat role/port)
			keys 1 "$(key role.token)" 2099-01-01T00:00:00Z
		END
		cat
	} >script.sh
	local status=0
	"${INSIDE[@]}" "$PYTHON" "$PROJECT/tests/servers/moto" . timeout 90 bash -eu script.sh 3>&- || status=$?
	[ $status != 77 ] || tail -n 5 ./*.log
	return $status
}

@test "ship: gets credentials from EC2's IMDSv2, or reports why there are none" {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 2
	beside <<-'END'
		export AWS_EC2_METADATA_SERVICE_ENDPOINT=$ROLE/
		ship --all --to s3://runs/instance
		same instance
		[ "$(asked instance)" -eq 1 ]
		touch role/far
		if timeout 30 "$BUILD/rtrack-report" ship --all --to s3://runs/far 2>err; then false; fi
		grep -q "the instance's metadata service gave no token" err
		if AWS_EC2_METADATA_DISABLED=true ship --all --to s3://runs/far; then false; fi
		grep -q 'no keys: ' err
	END
}

# The test's network namespace has these addresses and no route outside.
@test "ship: gets credentials from the endpoints of an ECS task and an EC2 instance" {
	local own=(unshare -n)
	"${own[@]}" true 2>/dev/null || own=(unshare -rn)
	# shellcheck disable=SC2016
	INSIDE=("${own[@]}" sh -ec 'ip link set lo up; for host in 170.2 169.254; do ip address add 169.254.$host/32 dev lo; done; exec "$@"' -)
	need ip
	"${INSIDE[@]}" true 2>/dev/null || skip "no network namespace of its own here"
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 2
	mkdir link
	beside <<-'END'
		cp role/1 link
		python3 "$PROJECT/tests/servers/role.py" link 0.0.0.0 & trap 'kill $(jobs -p)' EXIT
		until [ -s link/port ]; do sleep 0.05; done
		AWS_CONTAINER_CREDENTIALS_RELATIVE_URI=/v2/credentials/1 ship --all --to s3://runs/task
		same task
		AWS_EC2_METADATA_SERVICE_ENDPOINT=http://169.254.169.254 ship --all --to s3://runs/link
		same link
		[ "$(cat link/questions)" = "None
		instance" ]
		for path in creds @127.0.0.1/creds :80@127.0.0.1/creds; do
			if AWS_CONTAINER_CREDENTIALS_RELATIVE_URI=$path ship --all --to s3://runs/none; then false; fi
			grep -q 'RELATIVE_URI is not a path' err
			if AWS_CONTAINER_CREDENTIALS_FULL_URI=http://127.0.0.1$path ship --all --to s3://runs/none; then false; fi
			grep -q 'must begin with https:// or name this machine' err
		done
	END
}

@test "ship: exchanges a web identity token for credentials, or reports a wrong token" {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 2
	beside <<-'END'
		export AWS_ROLE_ARN=arn:aws:iam::123456789012:role/job AWS_WEB_IDENTITY_TOKEN_FILE=$PWD/token AWS_ENDPOINT_URL_STS=$ROLE
		echo 'identity+/=' >token
		ship --all --to s3://runs/identity
		same identity
		[ "$(asked identity)" -eq 1 ]
		if grep -rF -e identity+ -e "$(key role.secret)" "$RTRACK_SPOOL"; then false; fi
		echo other >token
		if ship --all --to s3://runs/other; then false; fi
		grep -q 'the token service gave no keys for AWS_ROLE_ARN' err
		if AWS_ENDPOINT_URL_STS=http://example.org ship --all --to s3://runs/other; then false; fi
		grep -q 'must begin with https:// or name this machine' err
		if AWS_WEB_IDENTITY_TOKEN_FILE=none ship --all --to s3://runs/other; then false; fi
		grep -q 'names a file without a token' err
		# Keys in the environment take priority.
		AWS_ACCESS_KEY_ID=$(key user.access) AWS_SECRET_ACCESS_KEY=$(key user.secret) ship --all --to s3://runs/first
		[ "$(asked identity)" -eq 1 ]
	END
}

@test "ship --follow: renews credentials that expire while the run goes on" {
	beside <<-'END'
		echo container >pod
		export AWS_CONTAINER_CREDENTIALS_FULL_URI=$ROLE/creds AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$PWD/pod
		# The first keys expire during the run, since keys are renewed five minutes before they expire. The
		# second keys expire before their stated time. The third keys are valid.
		keys 1 "$(key role.token)" "$(date -u -d '+302 seconds' +%FT%TZ)"
		keys 2 gone 2099-01-01T00:00:00Z
		keys 3 "$(key role.token)" 2099-01-01T00:00:00Z
		"$BUILD/rtrack-run" --interval 0.1 sh -c 'until [ "$(grep -c . role/questions)" -ge 3 ]; do sleep 0.1; done; sleep 0.3' & job=$!
		until run=$(ls -d "$RTRACK_SPOOL"/2* 2>/dev/null) && [ -s "$run/process.csv" ]; do sleep 0.05; done
		ship "$run" --follow --every 1 --to s3://runs/follow
		wait $job
		[ "$(asked container)" -eq 3 ]
		same follow
	END
}
