#!/usr/bin/env bats
# Tests of the connections of rtrack-report ship: TLS, proxies, batch sizes and rates
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# setup_file makes a certificate authority, and a certificate for store.test and 127.0.0.1.
setup_file() {
	need openssl
	cd "$BATS_FILE_TMPDIR"
	openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=authority -days 2 -keyout authority.key -out authority.pem 2>log
	openssl req -newkey rsa:2048 -nodes -subj /CN=store -keyout store.key -out store.csr 2>log
	echo 'subjectAltName=DNS:store.test,IP:127.0.0.1' >names
	openssl x509 -req -in store.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -extfile names -out store.crt 2>log
	cat store.key store.crt >store.pem
	echo 'subjectAltName=DNS:other.test' >names
	openssl x509 -req -in store.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -extfile names -out other.crt 2>log
	cat store.key other.crt >other.pem
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset "${!AWS_@}" "${!OTEL_@}" http_proxy https_proxy all_proxy no_proxy HTTPS_PROXY ALL_PROXY NO_PROXY
	export AWS_ACCESS_KEY_ID=AKIDOFTEST AWS_SECRET_ACCESS_KEY=secret-of-test HOME=$PWD SENTINEL_API_TOKEN=token-of-test
	make_run 20261121T020000Z-compute-7-10-0001 >/dev/null
	SERVERS=()
}

teardown() {
	[ -z "${SERVERS[*]}" ] || kill "${SERVERS[@]}"
}

# serve FOLDER SERVER.py [ARGUMENT...]: starts a server and sets PORT.
serve() {
	mkdir "$1"
	python3 "$PROJECT/tests/servers/$2" "$1" "${@:3}" 2>/dev/null 3>&- &
	SERVERS+=($!)
	until [ -s "$1/port" ]; do sleep 0.02; done
	PORT=$(cat "$1/port")
}

# ship KIND URL [VARIABLE=VALUE...]: ships to a target of that kind.
ship() {
	local to=$1 with=("${@:3}")
	case $1 in
	s3) to=s3://bucket with+=("AWS_ENDPOINT_URL_S3=$2/right") ;;
	web) to=s3://bucket with+=("AWS_ENDPOINT_URL_STS=$2" AWS_ACCESS_KEY_ID= AWS_WEB_IDENTITY_TOKEN_FILE=token
		AWS_ROLE_ARN=arn:aws:iam::123456789012:role/job AWS_ENDPOINT_URL_S3=http://127.0.0.1:1) ;;
	otlp | pushgateway) to=$1+$2/right/$1 ;;
	sentinel) to=sentinel: with+=("SENTINEL_API_URL=$2") ;;
	esac
	timeout 100 env "${with[@]}" "$BUILD/rtrack-report" ship --all --to "$to"
}

# serve_each starts a server of each kind, and sets PORT_OF for the function `ship`.
serve_each() {
	declare -gA PORT_OF
	local kind
	for kind in s3 otlp pushgateway; do
		serve "$1.$kind" ingest.py
		PORT_OF[$kind]=$PORT
	done
	serve "$1.sentinel" sentinel.py s3://bucket/place
	PORT_OF[sentinel]=$PORT
	serve "$1.web" role.py
	PORT_OF[web]=$PORT
}

@test "ship: each kind of target verifies the certificate's issuer and host name" {
	echo identity >token
	local kind shown pids=() bundle=()
	for shown in store other; do
		SERVED_CERTIFICATE=$BATS_FILE_TMPDIR/$shown.pem serve_each $shown
		# In this case the authority is trusted, and only the host name in the certificate is wrong.
		[ $shown != other ] || bundle=("CURL_CA_BUNDLE=$BATS_FILE_TMPDIR/authority.pem")
		for kind in s3 web otlp pushgateway sentinel; do
			ship $kind "https://127.0.0.1:${PORT_OF[$kind]}" "${bundle[@]}" >$shown.$kind.out 2>$shown.$kind.err 3>&- &
			pids+=($!)
		done
	done
	for pid in "${pids[@]}"; do
		fails wait "$pid"
	done
	for kind in s3 otlp pushgateway sentinel; do
		grep -q "the certificate of the server could not be checked" store.$kind.err
		grep -q "the certificate of the server could not be checked" other.$kind.err
	done
	grep -q 'the token service gave no keys for AWS_ROLE_ARN' store.web.err
	grep -q 'the token service gave no keys for AWS_ROLE_ARN' other.web.err
	[ -z "$(find store.* other.* -name requests -o -name questions)" ]
}

@test "ship: each kind of target works over TLS with a valid certificate" {
	SERVED_CERTIFICATE=$BATS_FILE_TMPDIR/store.pem serve_each store
	export CURL_CA_BUNDLE=$BATS_FILE_TMPDIR/authority.pem
	for kind in s3 otlp pushgateway sentinel; do
		ship $kind "https://127.0.0.1:${PORT_OF[$kind]}"
	done
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" store.s3/objects/bucket
	grep -q '^POST /right/otlp' store.otlp/requests
	grep -q '^PUT /right/pushgateway' store.pushgateway/requests
	[ "$(jq -s 'map(.status) == [201, 200]' store.sentinel/questions)" = true ]
}

@test "ship: obeys http_proxy, https_proxy and no_proxy, and never prints the password" {
	serve plain ingest.py
	local plain=$PORT
	SERVED_CERTIFICATE=$BATS_FILE_TMPDIR/store.pem serve tls ingest.py
	local tls=$PORT
	serve proxy proxy.py
	export CURL_CA_BUNDLE=$BATS_FILE_TMPDIR/authority.pem
	# Only the proxy can resolve this name.
	http_proxy=http://127.0.0.1:$PORT ship s3 "http://store.test:$plain"
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" plain/objects/bucket
	grep -q "^PUT http://store.test:$plain/right/bucket/process/.* None$" proxy/requests
	rm proxy/requests
	https_proxy=http://user:secret-of-proxy@127.0.0.1:$PORT ship s3 "https://store.test:$tls"
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" tls/objects/bucket
	[ "$(sort -u proxy/requests)" = "CONNECT store.test:$tls Basic $(printf user:secret-of-proxy | base64)" ]
	rm -r proxy/requests "$RTRACK_SPOOL/.shipped"
	no_proxy=127.0.0.1 http_proxy=http://127.0.0.1:$PORT ship otlp "http://127.0.0.1:$plain"
	no_proxy=127.0.0.1 https_proxy=http://127.0.0.1:$PORT ship pushgateway "https://127.0.0.1:$tls"
	[ ! -e proxy/requests ]
	# The message about a proxy that refuses does not contain the password.
	touch proxy/closed
	fails ship pushgateway "https://store.test:$tls" https_proxy="http://user:secret-of-proxy@127.0.0.1:$PORT" 2>err
	grep -q 'not everything was sent to' err
	fails grep -r secret-of-proxy err "$RTRACK_SPOOL"
}

@test "ship: does not use the proxy to get credentials from this machine" {
	serve plain ingest.py
	local plain=$PORT
	serve role role.py
	local role=$PORT
	printf '{"AccessKeyId": "A", "SecretAccessKey": "B", "Token": "C", "Expiration": "2099-01-01T00:00:00Z"}' >role/1
	serve proxy proxy.py
	export http_proxy=http://127.0.0.1:$PORT
	ship s3 "http://127.0.0.1:$plain" AWS_ACCESS_KEY_ID= AWS_CONTAINER_CREDENTIALS_FULL_URI="http://127.0.0.1:$role/creds"
	rm -r "$RTRACK_SPOOL/.shipped"
	ship s3 "http://127.0.0.1:$plain" AWS_ACCESS_KEY_ID= AWS_EC2_METADATA_SERVICE_ENDPOINT="http://127.0.0.1:$role"
	[ "$(wc -l <role/questions)" -eq 2 ]
	fails grep -v "PUT http://127.0.0.1:$plain/right/bucket/" proxy/requests
}

# takes SECONDS COMMAND...: succeeds if the command takes at least SECONDS.
takes() {
	local began
	began=$(date +%s%N)
	"${@:2}"
	awk -v passed=$(($(date +%s%N) - began)) -v least="$1" 'BEGIN { exit passed / 1e9 < least }'
}

# random_rows FILE MIB: writes a table with a header and random rows, which compress badly.
random_rows() {
	python3 - "$1" "$2" <<-'END'
		import base64, os, sys
		head = open(sys.argv[1], encoding="ascii").readline()
		with open(sys.argv[1], "w", encoding="ascii") as file:
		    file.write(head + "".join(base64.b64encode(os.urandom(750)).decode() + "\n" for _ in range(int(sys.argv[2]) << 10)))
	END
}

@test "ship: sends at most 4 MiB per batch, at a limited rate" {
	local run=$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001
	random_rows "$run/process.csv" 9
	serve plain ingest.py
	# gzip compresses the 9 MiB to 6.8 MiB.
	takes 0.7 ship s3 "http://127.0.0.1:$PORT"
	python3 "$PROJECT/tests/fleet/ship.py" same "$RTRACK_SPOOL" plain/objects/bucket
	[ "$(ls plain/objects/bucket/process/*/* | wc -l)" -eq 3 ]
	for batch in plain/objects/bucket/process/*/*/*; do
		[ "$(zcat "$batch" | sed 1d | wc -c)" -le $((4 << 20)) ]
	done
	"$BUILD/rtrack-run" --interval 0.05 sh -c 'until [ -e on ]; do sleep 0.05; done' 3>&- &
	local job=$!
	until run=$(grep -l '"running"' "$RTRACK_SPOOL"/*/run.json | grep -v compute-7) && [ "$(cat "${run%/*}/process.csv" | wc -l)" -ge 2 ]; do sleep 0.02; done
	random_rows "${run%/*}/member.csv" 3
	takes 1.5 ship s3 "http://127.0.0.1:$PORT"
	touch on
	wait $job
}

@test "ship to OpenTelemetry: the body of a request has at most 8 MiB" {
	local run=$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001
	echo "a second in each row, of a run of 4 s" >"$RTRACK_SPOOL/.impossible"
	python3 - "$run/process.csv" <<-'END'
		import sys
		head, row = open(sys.argv[1], encoding="ascii").read().splitlines()[:2]
		rest = row.split(",", 1)[1]
		with open(sys.argv[1], "w", encoding="ascii") as file:
		    file.write(head + "\n" + "".join(f"{1795226401 + i}.000,{rest}\n" for i in range((9 << 20) // len(row))))
	END
	serve plain ingest.py
	ship otlp "http://127.0.0.1:$PORT"
	[ "$(du -b plain/objects/otlp/* | sort -n | tail -n 1 | cut -f1)" -le $((8 << 20)) ]
}
