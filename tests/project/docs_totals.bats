#!/usr/bin/env bats
# Tests that docs/report.md describes the totals as their table does, and that JSON has them
# bats file_tags=quick

load ../lib/helper
load ../lib/runs

DOCUMENT=$PROJECT/docs/report.md

@test "docs/report.md: the table of totals matches total.def (make docs)" {
	local def=$PROJECT/report/model/total.def
	diff "$DOCUMENT" <("$PROJECT/scripts/total-table" "$def" "$DOCUMENT")
	[ "$(sed -n '/^# Totals/,/^# [^T]/s/^| `\([a-z_.]*\)`.*/\1/p' "$DOCUMENT" | tr . _ | sort)" = "$(sed -n 's/^TOTAL(\([a-z_]*\),.*/\1/p' "$def" | sort)" ]
	sed 's/^TOTAL(processes, /TOTAL(prozesse, /' "$def" >"$BATS_TEST_TMPDIR/total.def"
	fails diff -q "$DOCUMENT" <("$PROJECT/scripts/total-table" "$BATS_TEST_TMPDIR/total.def" "$DOCUMENT")
}

@test "docs/report.md lists the totals in the order of the JSON output" {
	cd "$BATS_TEST_TMPDIR" || return
	make_run 20261121T020000Z-compute-7-10-0001 finished job.R
	sed -n '/^# Totals/,/^# [^T]/s/^| `\([a-z_.]*\)`.*/\1/p' "$DOCUMENT" >told
	for command in stats show list; do
		"$BUILD/rtrack-report" $command --format json | jq -r '(if type == "array" then .[0] else . end).totals | to_entries[] | .key + (if (.value | type) == "object" then "." + (.value | keys_unsorted[]) else "" end)' >keys
		diff keys <(grep -Fxf keys told)
		diff <(sed -n 's/^TOTAL(\([a-z_]*\),.* \(ALWAYS\|COMPARED\|EFFICIENCY\),.*/\1/p' "$PROJECT/report/model/total.def" | sed 's/^efficiency_/efficiency./') keys
	done
}

@test "total.def: each comment names an existing function of report/model" {
	local file function
	sed -n 's|^/\* \([a-z_]*\.c\): \([a-z_]*\).*|\1 \2|p' "$PROJECT/report/model/total.def" >"$BATS_TEST_TMPDIR/makers"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/makers")" -ge 10 ]
	while read -r file function; do
		grep -q "^[a-z].*\<$function(" "$PROJECT/report/model/$file"
	done <"$BATS_TEST_TMPDIR/makers"
}
