#!/usr/bin/env bats
# Many runs, read by engines that others make: DuckDB and ClickHouse (chdb), from PyPI.

load ../lib/helper
load ../lib/runs

ENGINES='duckdb clickhouse'

setup_file() {
	PYTHON=$("$BATS_TEST_DIRNAME/../../scripts/venv" fleet -r "$BATS_TEST_DIRNAME/locks/fleet.txt" 2>"$BATS_FILE_TMPDIR/why") || true
	export PYTHON
}

setup() {
	[ -n "$PYTHON" ] || skip "$(cat "$BATS_FILE_TMPDIR/why")"
	export PYTHONDONTWRITEBYTECODE=1
}

make_spool() {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$@"
}

# ask ENGINE QUERY [PLACE...]: the answer as JSON, over the views of these places.
ask() {
	local engine=$1 query=$2
	shift 2
	"$BUILD/rtrack-report" sql --engine "$engine" "$@" >"$BATS_TEST_TMPDIR/views.sql"
	"$PYTHON" "$PROJECT/tests/lib/engine.py" "$engine" "$BATS_TEST_TMPDIR/views.sql" "$query"
}

# Numbers to nine digits, dates without what an engine adds to them.
rounded() {
	jq -c '[.[] | map_values(if type == "number" then (. * 1e9 | round) / 1e9
		elif type == "string" then sub("( 00:00:00|0+)$"; "") else . end)] | sort'
}

@test "sql: each of our queries gives the same on DuckDB and on ClickHouse, and says something" {
	make_spool "$RTRACK_SPOOL" 100
	for query in "$PROJECT"/sql/*.sql; do
		echo "$query"
		ask duckdb "$query" | rounded >"$BATS_TEST_TMPDIR/duckdb"
		ask clickhouse "$query" | rounded >"$BATS_TEST_TMPDIR/clickhouse"
		jq -e 'length > 0 and (.[0] | all(. != null))' "$BATS_TEST_TMPDIR/duckdb"
		diff "$BATS_TEST_TMPDIR/duckdb" "$BATS_TEST_TMPDIR/clickhouse"
	done
}

@test "sql: our queries say what was put into the spool" {
	make_spool "$RTRACK_SPOOL" 100
	ask duckdb "$PROJECT/sql/oom.sql" | jq -e 'map(.kills) | add == 4'
	ask duckdb "$PROJECT/sql/imbalance.sql" | jq -e 'map(select(.missing_ranks > 0).group) | sort == ["g0", "g20"]'
	ask duckdb "$PROJECT/sql/programs.sql" | jq -e '.[0] | .program == "/bin/sh" and .processes == 98'
	ask duckdb "$PROJECT/sql/machines.sql" | jq -e 'map(.runs) | add == 98'
}

@test "sql: totals are those of stats" {
	make_spool "$RTRACK_SPOOL" 12
	local keys='wall_seconds, cpu_seconds, user_seconds, system_seconds, peak_memory_mib, disk_read_bytes, disk_write_bytes'
	for engine in $ENGINES; do
		ask "$engine" "select run, $keys from totals order by run" | rounded >"$BATS_TEST_TMPDIR/$engine"
		jq -e length "$BATS_TEST_TMPDIR/$engine"
		for run in "$RTRACK_SPOOL"/*; do
			"$BUILD/rtrack-report" stats --format json "$run" | jq -c "{run: .run.id} + (.totals | {$keys})"
		done | jq -s | rounded | diff - "$BATS_TEST_TMPDIR/$engine"
	done
}

@test "sql: a real run's totals are those of stats, and its labels can be asked for" {
	"$BUILD/rtrack-run" --interval 0.1 --tag "owner=it's" sh -c 'seq 200000 | sort -R >/dev/null; sleep 0.2'
	for engine in $ENGINES; do
		ask "$engine" "select cpu_seconds, peak_memory_mib, labels['owner'] as owner from totals join runs using (run)" >answer
		"$BUILD/rtrack-report" stats --format json | jq -e --slurpfile answer answer '$answer[0][0] as $a
			| (.totals.cpu_seconds - $a.cpu_seconds | fabs) < 1e-6
			and .totals.peak_memory_mib == $a.peak_memory_mib and $a.owner == "it'"'"'s"'
		rm answer
	done
}

@test "sql: spools of any name are read, and several together" {
	local place places=()
	for place in "it's" 'sp ace' 'br[a]c{ket}s' 'st*r?' 'ümläut' $'new\nline'; do
		make_spool "$BATS_TEST_TMPDIR/$place" 3
		rm -r "$BATS_TEST_TMPDIR/$place"/*-0002
		places+=("$BATS_TEST_TMPDIR/$place")
	done
	# What a pattern in place of a name would take as well.
	make_spool "$BATS_TEST_TMPDIR/starr" 2
	for engine in $ENGINES; do
		ask "$engine" 'select count(*) as rows, count(distinct run) as runs from process' "${places[@]}" |
			jq -e '.[0].rows == 36 and .[0].runs == 2'
		ask "$engine" 'select count(*) as runs from runs' "${places[3]}" | jq -e '.[0].runs == 2'
	done
}

@test "sql: a torn line is no row, a torn run.json no run, and bytes that are no UTF-8 lose nothing" {
	make_spool "$RTRACK_SPOOL" 3
	set -- "$RTRACK_SPOOL"/*
	printf '1795219300.000,100,7' >>"$1/process.csv"
	printf '{"id": "torn' >"$2/run.json"
	printf '1.500,1,1,1,"/bin/\351","say ""hi"", \\ \351",\n' >>"$3/start.csv"
	: >"$2/member.csv"
	cut -d , -f 1-8 "$2/process.csv" >"$BATS_TEST_TMPDIR/older"
	cp "$BATS_TEST_TMPDIR/older" "$2/process.csv"
	for engine in $ENGINES; do
		ask "$engine" 'select count(*) as rows, count(disk_write_bytes) as known from process' | jq -e '.[0] == {rows: 9, known: 6}'
		ask "$engine" 'select count(*) as runs from runs' | jq -e '.[0].runs == 2'
		ask "$engine" 'select command from "start" where pid = 1' | jq -e '.[0].command | startswith("say \"hi\", \\ ")'
		ask "$engine" 'select count(*) as rows from "start"' | jq -e '.[0].rows == 7'
		ask "$engine" 'select count(*) as rows from mark' | jq -e '.[0].rows == 0'
	done
}
