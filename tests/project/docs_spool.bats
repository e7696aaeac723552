#!/usr/bin/env bats
# Tests that docs/spool.md agrees with the tables of columns and with the files in a spool
# bats file_tags=quick

load ../lib/helper

DOCUMENT=$PROJECT/docs/spool.md

# rows_of HEADING: prints the cells of the table of a section, without backticks, separated by '|'.
rows_of() {
	awk -v heading="## $1" '
		/^## / { inside = $0 == heading }
		inside && /^\| `/ { gsub(/ *\| */, "|"); gsub(/^\||\|$/, ""); gsub(/`/, ""); print }' "$DOCUMENT"
}

@test "docs/spool.md: the tables match core/columns.def and figures.def" {
	tables_of() {
		"$PROJECT/scripts/spool-tables" "$1" "$PROJECT/os/linux/figures.def" "$DOCUMENT"
	}
	diff "$DOCUMENT" <(tables_of "$PROJECT/core/columns.def")
	# Every column has a source, and a changed table is detected.
	for table in system process member start exit mark; do
		fails grep -E '\|  *\|$' <(rows_of "$table.csv")
		[ "$(rows_of "$table.csv" | awk -F'|' '$6 != ""' | wc -l)" -eq "$(grep -c "^COLUMN($table," "$PROJECT/core/columns.def")" ]
	done
	sed 's/^COLUMN(exit, exit_code, /COLUMN(exit, exit_kode, /' "$PROJECT/core/columns.def" >"$BATS_TEST_TMPDIR/columns.def"
	fails diff -q "$DOCUMENT" <(tables_of "$BATS_TEST_TMPDIR/columns.def")
}

@test "docs/spool.md has the columns in the header lines of the files of a run" {
	"$BUILD/rtrack-run" true
	run=$(only_run)
	for table in system process member start exit; do
		diff <(head -1 "$run/$table.csv" | tr ',' '\n' | tr -d '"') <(rows_of "$table.csv" | cut -d'|' -f1)
	done
}

@test "docs/spool.md has every key of run.json in order" {
	"$BUILD/rtrack-run" --tag a=b true
	run=$(only_run)
	diff <(jq -r 'del(.cloud) | keys_unsorted[] as $key | $key, (if $key == "tracker" then .tracker | keys_unsorted[] | "tracker." + . else empty end)' \
		"$run/run.json") <(rows_of run.json | cut -d'|' -f1)
	for key in $(jq -r '.server | keys[]' "$run/run.json"); do
		rows_of run.json | grep '^server|' | grep -qw "$key"
	done
}

@test "docs/spool.md has every file of a run" {
	"$BUILD/rtrack-run" sh -c 'ls -A "$RTRACK_RUN" >"$1"' sh "$BATS_TEST_TMPDIR/files"
	while read -r file; do
		grep -qF "| $file |" "$DOCUMENT" || { echo "$file"; false; }
	done <"$BATS_TEST_TMPDIR/files"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/files")" = 8 ]
}

@test "docs/spool.md has the number of digits of each cell" {
	"$BUILD/rtrack-run" --interval 0.1 sh -c 'sleep 0.3; i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
	run=$(only_run)
	for table in system process member exit; do
		rows_of "$table.csv" | awk -F'|' -v OFS='|' '$3 != "" { print $1, $3 }' | while IFS='|' read -r name digits; do
			pattern="^-?[0-9]+$([ "$digits" = 0 ] || printf '[.][0-9]{%s}' "$digits")\$"
			! column "$run/$table.csv" "$name" | grep -v '^$' | grep -vE "$pattern" || {
				echo "$table.csv: $name has not $digits digits"
				false
			}
		done
	done
}
