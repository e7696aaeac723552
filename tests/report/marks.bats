#!/usr/bin/env bats
# What a job marks with rtrack_mark stands on its page.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

@test "rtrack-report html: the marks of a real job are listed in their order, as text" {
	command -v python3 >/dev/null || skip "python3 is not installed"
	timeout 60 "$BUILD/rtrack-run" --job marking python3 -c '
import ctypes
mark = ctypes.CDLL(None).rtrack_mark
for label in ["load", "a <b> & \"c\", d", "späť"]:
    assert mark(label.encode()) == 0'
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	sed -n '/id="marks"/,/<\/section>/s/.*<bdi>\(.*\)<\/bdi>.*/\1/p' "$BATS_TEST_TMPDIR/page.html" >"$BATS_TEST_TMPDIR/labels"
	printf '%s\n' load 'a &lt;b&gt; &amp; &quot;c&quot;, d' 'späť' | cmp - "$BATS_TEST_TMPDIR/labels"
	sed -n 's/^"marks":\(.*\),$/\1/p' "$BATS_TEST_TMPDIR/page.html" | jq -e 'map(.[1]) == ["load", "a <b> & \"c\", d", "späť"] and all(.[]; .[0] >= 0)'
}

@test "rtrack-report html: a run without marks has no list of them, and a damaged file is said" {
	"$BUILD/rtrack-run" true
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	[ "$(grep -c 'id="marks"' "$BATS_TEST_TMPDIR/page.html")" = 0 ]
	printf 'no header' >"$(only_run)/mark.csv"
	run --separate-stderr "$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	[ "$status" -eq 0 ]
	[ "$stderr" = "rtrack-report: cannot read '$(only_run)/mark.csv': its header is torn" ]
}
