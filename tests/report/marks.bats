#!/usr/bin/env bats
# Tests of marks that a job sets with rtrack_mark: its page shows them.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

@test "html: lists the marks of a real job in order, as text" {
	need python3
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

@test "html: lists no marks if a run has none, and reports a damaged mark.csv" {
	"$BUILD/rtrack-run" true
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	[ "$(grep -c 'id="marks"' "$BATS_TEST_TMPDIR/page.html")" = 0 ]
	printf 'no header' >"$(only_run)/mark.csv"
	run --separate-stderr "$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	[ "$status" -eq 0 ]
	[ "$stderr" = "rtrack-report: '$(only_run)/mark.csv' cannot be read: its header is incomplete" ]
}

@test "show: prints marks that are not part of a pair, without control characters" {
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-run" --job marking sh -c '
		"$0" --mark "begin load"; "$0" --mark "end load"
		for i in 1 2 3 4 5 6 7 8; do "$0" --mark "epoch $i"; done
		"$0" --mark "$(printf "\033[31mred")"' "$BUILD/rtrack-run"
	"$BUILD/rtrack-report" show -v >shown
	[ "$(tr -s ' \n' ' ' <shown | grep -oE 'Marks 9 (at [0-9.]+ m?s epoch [1-8]; ){8}and 1 more Run')" != "" ]
	[ "$("$BUILD/rtrack-report" show --format json | jq -c '[.marks[].label][:3]')" = '["begin load","end load","epoch 1"]' ]
	sed -i '/epoch [1-7]/d; s/epoch 8/\o033[31mred/' "$(only_run)/mark.csv"
	"$BUILD/rtrack-report" show -v >shown
	grep -qE '^Marks +2 +at [0-9.]+ m?s \\x1b\[31mred; at [0-9.]+ m?s  \[31mred$' shown || { cat -v shown; return 1; }
	"$BUILD/rtrack-run" --job none true
	fails grep -q '^Marks' <<<"$("$BUILD/rtrack-report" show -v none)"
}

@test "show: cuts labels between characters; a begin without a name is a plain mark" {
	"$BUILD/rtrack-run" --job marking sh -c '"$0" --mark x' "$BUILD/rtrack-run"
	for label in "$(printf 'x%.0s' {1..38})ééé" "$(printf 'x%.0s' {1..37})ééé" "begin " "end" "begin all"; do
		sed "s/\"x\"/\"$label\"/" <<<"$(sed -n 2p "$(only_run)/mark.csv")" >>"$BATS_TEST_TMPDIR/rows"
	done
	sed -i 2d "$(only_run)/mark.csv"
	cat "$BATS_TEST_TMPDIR/rows" >>"$(only_run)/mark.csv"
	"$BUILD/rtrack-report" show -v | tr -s ' \n' ' ' >"$BATS_TEST_TMPDIR/shown"
	grep -qE "Marks 4 at [0-9.]+ m?s x{38}é\.\.\.; at [0-9.]+ m?s x{37}é\.\.\.; at [0-9.]+ m?s begin ; at [0-9.]+ m?s end Run" "$BATS_TEST_TMPDIR/shown" ||
		{ cat -v "$BATS_TEST_TMPDIR/shown"; return 1; }
}
