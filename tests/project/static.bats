#!/usr/bin/env bats
# `make static`: three files for every root. Those that are shipped are built with the compiler's best in packages.bats.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs
load ../lib/roots

setup_file() {
	unset MAKEFLAGS MAKELEVEL MFLAGS
	cd "$PROJECT"
	packages/sources "$BUILD/third_party" 2>"$BATS_FILE_TMPDIR/why" || skip "$(cat "$BATS_FILE_TMPDIR/why")"
	make -s -j2 BUILD="$BUILD" CFLAGS="-O0 -g0" static >/dev/null
}

setup() {
	command -v bwrap >/dev/null || skip "no bwrap here"
	root=$BATS_TEST_TMPDIR/root
	spool=$BATS_TEST_TMPDIR/spool
	mkdir -p "$root/opt" "$spool"
	cp "$BUILD"/static/{librtrack.so,rtrack-run,rtrack-report} "$root/opt"
}

# inside COMMAND…: in that root, with no network.
inside() {
	bwrap --unshare-net --ro-bind "$root" / --proc /proc --dev /dev --bind "$spool" /spool --tmpfs /tmp \
		--clearenv --setenv RTRACK_SPOOL /spool --setenv PATH /bin --setenv HOME /tmp "$@"
}

# Everything that a person does there, by what the root has.
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
	[ "$(jq '.notes | map(select(test("built without libcurl"))) | length' <<<"$output")" = 1 ]
}

@test "none of the three files needs a library or a loader" {
	for file in librtrack.so rtrack-run rtrack-report; do
		fails grep -q 'NEEDED\|INTERP' <(readelf -dl "$root/opt/$file")
	done
}

@test "in a root that has nothing but the job, all three work" {
	mkdir "$root"/{proc,dev,spool,tmp}
	"${CC:-cc}" -O2 -static -o "$root/burn" "$PROJECT/tests/victims/work/burn.c"
	mkdir "$root/bin"
	mv "$root/burn" "$root/bin"
	everything_works
}

@test "in a root of musl, all three work" {
	command -v musl-gcc >/dev/null || skip "no musl-gcc here"
	make_root "$root" musl
	everything_works
	grep -q '"self"' "$spool"/*/exit.csv
}

@test "what static rtrack-report says of a run is what the other says" {
	load ../lib/runs
	make_three_runs >/dev/null
	for words in list show stats 'recommend --offline' 'export -o -'; do
		# shellcheck disable=SC2086
		diff <("$BUILD/rtrack-report" $words) <("$BUILD/static/rtrack-report" $words)
	done
}
