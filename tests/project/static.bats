#!/usr/bin/env bats
# Tests of make static, which builds three files that work in every root directory. packages.bats builds the shipped
# files with full optimization.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/roots

setup_file() {
	unset MAKEFLAGS MAKELEVEL MFLAGS
	cd "$PROJECT"
	third_party
	make -s -j2 BUILD="$BUILD" CFLAGS="-O0 -g0" static >/dev/null
}

setup() {
	need bwrap
	root=$BATS_TEST_TMPDIR/root
	spool=$BATS_TEST_TMPDIR/spool
	mkdir -p "$root/opt" "$spool"
	cp "$BUILD"/static/{librtrack.so,rtrack-run,rtrack-report} "$root/opt"
}

# inside COMMAND...: runs the command in that root directory, without a network.
inside() {
	bwrap --unshare-net --ro-bind "$root" / --proc /proc --dev /dev --bind "$spool" /spool --tmpfs /tmp \
		--clearenv --setenv RTRACK_SPOOL /spool --setenv PATH /bin --setenv HOME /tmp "$@"
}

# everything_works: uses all programs as a person would, with what the root directory has.
everything_works() {
	inside /opt/rtrack-run --report /spool/page.html /bin/burn 0.3
	inside /opt/rtrack-report show --format json >"$BATS_TEST_TMPDIR/show"
	[ "$(jq '.totals.cpu_seconds > 0.25' "$BATS_TEST_TMPDIR/show")" = true ]
	inside /opt/rtrack-report list | grep -q burn
	inside /opt/rtrack-report export -o /spool/run.json.gz
	gzip -t "$spool/run.json.gz"
	grep -q '</html>' "$spool/page.html"
	run --separate-stderr inside /opt/rtrack-report recommend --format json
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "$(jq '.notes | map(select(test("could not be asked: the name of the server is unknown"))) | length' <<<"$output")" = 1 ]
}

@test "static build: library and programs need no other library and no loader" {
	for file in librtrack.so rtrack-run rtrack-report; do
		fails grep -q 'NEEDED\|INTERP' <(readelf -dl "$root/opt/$file")
	done
}

@test "static build: library and programs work in a root directory with only the job" {
	mkdir "$root"/{proc,dev,spool,tmp}
	"${CC:-cc}" -O2 -static -o "$root/burn" "$PROJECT/tests/victims/work/burn.c"
	mkdir "$root/bin"
	mv "$root/burn" "$root/bin"
	everything_works
}

@test "static build: library and programs work in a root directory with musl" {
	need musl-gcc
	make_root "$root" musl
	everything_works
	grep -q '"self"' "$spool"/*/exit.csv
}

@test "static build: rtrack-report prints the same as the dynamic build" {
	load ../lib/runs
	make_three_runs >/dev/null
	for words in list show stats 'recommend --offline' 'export -o -'; do
		# shellcheck disable=SC2086
		diff <("$BUILD/rtrack-report" $words) <("$BUILD/static/rtrack-report" $words)
	done
}

# authority: makes authority.pem in $BATS_TEST_TMPDIR, and store.pem for localhost, signed by it.
authority() {
	(
		cd "$BATS_TEST_TMPDIR"
		openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=authority -days 2 -keyout authority.key -out authority.pem
		openssl req -newkey rsa:2048 -nodes -subj /CN=store -keyout store.key -out store.csr
		openssl x509 -req -in store.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -out store.crt \
			-extfile <(echo subjectAltName=DNS:localhost)
		cat store.key store.crt >store.pem
	) 2>"$BATS_TEST_TMPDIR/openssl.log"
}

@test "static build: TLS in an empty root directory trusts only a known authority" {
	need openssl
	load ../lib/runs
	authority
	cd "$BATS_TEST_TMPDIR"
	mkdir server "$root"/{proc,dev,spool,tmp}
	cp authority.pem "$root/opt"
	RTRACK_SPOOL=$spool make_run 20261121T020000Z-compute-7-10-0001 >/dev/null
	SERVED_CERTIFICATE=$PWD/store.pem python3 "$PROJECT/tests/servers/ingest.py" server 2>/dev/null 3>&- &
	local server=$!
	until [ -s server/port ]; do sleep 0.02; done
	ship() {
		bwrap --ro-bind "$root" / --proc /proc --dev /dev --bind "$spool" /spool --tmpfs /tmp --clearenv --setenv RTRACK_SPOOL /spool \
			--setenv AWS_ACCESS_KEY_ID a --setenv AWS_SECRET_ACCESS_KEY b \
			--setenv AWS_ENDPOINT_URL_S3 "https://localhost:$(cat server/port)/right" "${@:2}" \
			/opt/rtrack-report ship --all --to "s3://$1"
	}
	fails ship none 2>err
	grep -q 'the certificate of the server could not be checked' err
	[ ! -e server/requests ]
	ship one --setenv CURL_CA_BUNDLE /opt/authority.pem
	ship two --setenv SSL_CERT_FILE /opt/authority.pem
	mkdir -p "$root/etc/ssl/certs"
	mv "$root/opt/authority.pem" "$root/etc/ssl/certs/ca-certificates.crt"
	ship three
	kill $server
	for bucket in one two three; do
		python3 "$PROJECT/tests/fleet/ship.py" same "$spool" "server/objects/$bucket"
	done
}

@test "make CURL=no: the program reports that it was built without libcurl" {
	load ../lib/runs
	cd "$BATS_TEST_TMPDIR"
	without_libcurl "$PWD/without"
	fails grep -q libcurl <(readelf -d without/rtrack-report)
	make_three_runs >/dev/null
	for words in list show stats 'recommend --offline' 'export -o -'; do
		# shellcheck disable=SC2086
		diff <("$BUILD/rtrack-report" $words) <(without/rtrack-report $words)
	done
	run --separate-stderr without/rtrack-report ship --all --to s3://bucket
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: 's3://bucket' cannot be used as a target: this rtrack-report was built without libcurl" ]
	[ "$(without/rtrack-report recommend --format json | jq ".notes | map(select(test(\"built without libcurl\"))) | length")" = 1 ]
	[ "$(without/rtrack-report doctor --format json | jq -r '.checks[] | select(.check == "network") | .result')" = less ]
}
