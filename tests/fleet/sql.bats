#!/usr/bin/env bats
# Tests of the SQL views that rtrack-report prints, without an engine. tests/fleet/fleet.bats runs them on engines.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

@test "sql: defines a view of each table, with a line for each column and its unit" {
	mkdir -p "$RTRACK_SPOOL"
	cd "$BATS_TEST_TMPDIR"
	for engine in duckdb clickhouse; do
		"$BUILD/rtrack-report" sql --engine $engine >views
		sed -n 's/^COLUMN(\([a-z]*\), \([a-z_]*\), "\([^"]*\)".*, "\([^"]*\)")$/\1 \2 \3/p' "$PROJECT/core/columns.def" >columns
		[ "$(wc -l <columns)" -ge 90 ]
		while read -r table name unit; do
			[ "$name" != timestamp ] || unit=UTC
			sed -n "/^create or replace view $table as/,/;/p" views | grep -q "as \"$name\",\{0,1\} -- ${unit:+$unit: }" ||
				{ echo "no $table.$name in $unit"; false; }
		done <columns
		grep -q '^create or replace view runs as' views
		grep -q '^create or replace view totals as' views
	done
}

@test "sql: every key of run.json is a column" {
	"$BUILD/rtrack-run" --max-memory 1000M --tag a=b true >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	"$BUILD/rtrack-report" sql >"$BATS_TEST_TMPDIR/views"
	jq -r 'del(.schema, .id, .labels, .command) | [paths(scalars or . == null)] | .[] | map(tostring) | join("_")' \
		"$(only_run)/run.json" | grep -v '^tracker_' >"$BATS_TEST_TMPDIR/keys"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/keys")" -ge 25 ]
	while read -r key; do
		grep -q "as \"$key\"" "$BATS_TEST_TMPDIR/views" || { echo "no $key"; false; }
	done <"$BATS_TEST_TMPDIR/keys"
}

@test "sql: an unreadable spool is named in an error, and nothing is printed" {
	mkdir -p "$RTRACK_SPOOL"
	for place in "$BATS_TEST_TMPDIR/none" "$BATS_TEST_TMPDIR/x"$'\351' "$BATS_TEST_TMPDIR/back\\slash"; do
		[ "$place" = "$BATS_TEST_TMPDIR/none" ] || mkdir "$place"
		run --separate-stderr "$BUILD/rtrack-report" sql "$RTRACK_SPOOL" "$place"
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		echo "$stderr" | grep -qE "^rtrack-report: '.*' cannot be (read|used): "
	done
	run "$BUILD/rtrack-report" sql --engine clickhouse "$BATS_TEST_TMPDIR/back\\slash"
	[ "$status" -eq 0 ]
	run "$BUILD/rtrack-report" sql --engine spark
	[ "$status" -eq 2 ]
}

@test "export --to parquet: without DuckDB, prints one line about how to install it" {
	"$BUILD/rtrack-run" true
	mkdir "$BATS_TEST_TMPDIR/bin"
	run --separate-stderr env PATH="$BATS_TEST_TMPDIR/bin" "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out"
	[ "$status" -eq 1 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *'pip install duckdb'* ]]
	run env PATH="$BATS_TEST_TMPDIR/bin" "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out" --print-sql
	[ "$status" -eq 0 ]
	[[ $output == *"/process' (format parquet"* ]]
}

@test "export --to parquet: needs a directory, and accepts options that select runs" {
	"$BUILD/rtrack-run" true
	for arguments in '--to parquet' '--to parquet -o -' "--to parquet -o $BATS_TEST_TMPDIR/out true" '--job true' '--group a' '--print-sql'; do
		# shellcheck disable=SC2086 # words
		run "$BUILD/rtrack-report" export $arguments
		[ "$status" -eq 2 ] || { echo "$arguments"; false; }
	done
}

@test "sql, export: --user, --status and --label select runs" {
	cd "$BATS_TEST_TMPDIR"
	make_three_runs >/dev/null
	sed -i 's/"ada"/"eve"/' "$RTRACK_SPOOL"/*0003/run.json
	sed -i 's/"team": "x"/"team": "y"/' "$RTRACK_SPOOL"/*0002/run.json
	for choice in '--user eve:0003' '--status failed:0002' '--user ada --status finished:0001' '--label team=y:0002'; do
		# shellcheck disable=SC2086 # words
		[ "$("$BUILD/rtrack-report" sql ${choice%:*} | grep -o '000[0-9]/process.csv' | sort -u)" = "${choice#*:}/process.csv" ]
		# shellcheck disable=SC2086 # words
		[ "$("$BUILD/rtrack-report" export --to parquet --print-sql -o out ${choice%:*} | grep -o '000[0-9]/process.csv' | sort -u)" = "${choice#*:}/process.csv" ]
	done
	"$BUILD/rtrack-report" sql --user mallory >views
	fails grep -q '000[0-9]' views
	run "$BUILD/rtrack-report" sql --user eve "$RTRACK_SPOOL"/*0003
	[ "$status" -eq 1 ]
	[[ $output == *'work only with spools'* ]]
	"$BUILD/rtrack-report" export --all --to prometheus-textfile --status failed >told
	grep -q '^rtrack_jobs_runs{.*other.R.* 1$' told || { cat told; false; }
	[ "$(grep -c '^rtrack_jobs_runs{' told)" = 1 ] || { cat told; false; }
}

@test "list --group: prints the runs of one group" {
	"$BUILD/rtrack-run" --group one true
	"$BUILD/rtrack-run" --group two true
	"$BUILD/rtrack-report" list --group one --format json | jq -e 'length == 1 and .[0].group == "one"'
}
