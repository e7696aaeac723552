#!/usr/bin/env bats
# Tests of database engines that read many runs: DuckDB and ClickHouse (chdb), both from PyPI
# bats file_tags=long

load ../lib/helper
load ../lib/runs

ENGINES='duckdb clickhouse'

setup_file() {
	venv fleet -r "$PROJECT/tests/jobs/locks/fleet.txt"
	export PYTHON
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	PLACES=()
	export PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache
}

make_spool() {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$@"
}

# ask_each ENGINE QUERY...: prints the answer to each query on one line. All queries are in one call, because an engine
# starts slowly.
ask_each() {
	local engine=$1
	shift
	"$BUILD/rtrack-report" sql --engine "$engine" "${PLACES[@]}" >"$BATS_TEST_TMPDIR/views.sql"
	"$PYTHON" "$PROJECT/tests/peers/engine.py" "$engine" "$BATS_TEST_TMPDIR/views.sql" "$@"
}

# ask ENGINE QUERY [PLACE...]: queries the views of these places and prints the answer as JSON.
ask() {
	local PLACES=("${@:3}")
	ask_each "$1" "$2"
}

# ask_ours ENGINE FILE [PLACE...]: writes the rounded answers to all queries of sql/ to FILE, one per line.
ask_ours() {
	local engine=$1 file=$2 PLACES=("${@:3}")
	ask_each "$engine" "$PROJECT"/sql/*.sql >"$file.whole"
	rounded <"$file.whole" >"$file"
	[ "$(wc -l <"$file")" -eq "$(ls "$PROJECT"/sql/*.sql | wc -l)" ]
}

# rounded: rounds numbers to nine digits, and removes the suffixes that engines add to dates.
rounded() {
	jq -c '[.[] | map_values(if type == "number" then (. * 1e9 | round) / 1e9
		elif type == "string" then sub("( 00:00:00|0+)$"; "") else . end)] | sort'
}

@test "sql: each query of sql/ gives the same answer on DuckDB and ClickHouse" {
	make_spool "$RTRACK_SPOOL" 100
	ask_ours duckdb "$BATS_TEST_TMPDIR/duckdb"
	ask_ours clickhouse "$BATS_TEST_TMPDIR/clickhouse"
	jq -s -e 'all(length > 0 and (.[0] | all(. != null)))' "$BATS_TEST_TMPDIR/duckdb"
	diff "$BATS_TEST_TMPDIR/duckdb" "$BATS_TEST_TMPDIR/clickhouse"
}

@test "sql: the queries of sql/ find the runs of the test spool" {
	make_spool "$RTRACK_SPOOL" 100
	ask_each duckdb "$PROJECT"/sql/{oom,imbalance,programs,machines}.sql | jq -s -e 'length == 4 and (.[0] | map(.kills) | add == 4) and
		(.[1] | map(select(.missing_ranks > 0).group) | sort == ["g0", "g20"]) and
		(.[2][0] | .program == "/bin/sh" and .processes == 98) and (.[3] | map(.runs) | add == 98)'
}

@test "sql, Parquet: the request of a Slurm job counts once per host" {
	make_run 20261121T020000Z-compute-7-10-0001 finished fit.sh
	make_run 20261121T020001Z-compute-7-11-0002 finished fit 1
	make_run 20261121T020100Z-compute-7-13-0003 finished other 60
	for run in "$RTRACK_SPOOL"/*000[12]; do
		jq '.labels = {orchestrator: "slurm", slurm_job_id: "7"} | .requested = {cpu: 3600, memory_mib: 921600}' "$run/run.json" >new
		mv new "$run/run.json"
	done
	PATH=$(dirname "$PYTHON"):$PATH "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out"
	for engine in $ENGINES; do
		for place in "$RTRACK_SPOOL" "$BATS_TEST_TMPDIR/out"; do
			ask "$engine" 'select unit, allocation from totals order by run' "$place" |
				jq -c 'map([.unit // "", .allocation // ""])' | grep -Fx '[["slurm:7","7/"],["slurm:7","7/"],["",""]]'
			# 900 GiB and 3,600 CPUs are requested for 4 s.
			ask "$engine" "$PROJECT/sql/waste.sql" "$place" |
				jq -c 'map([.job, (.runs | tonumber), (.asked_gib_hours * 1000 | round), (.asked_cpu_hours * 1000 | round)])' | grep -Fx '[["fit.sh",2,1000,4000]]'
			ask "$engine" "$PROJECT/sql/cost.sql" "$place" |
				jq -c 'map([.job, (.cost * 1000 | round)])[0]' | grep -Fx '["fit.sh",165]'
		done
	done
}

@test "Grafana: each query of runs.json gives the same answer on DuckDB and ClickHouse" {
	make_spool "$RTRACK_SPOOL" 100
	for by in '"user"' job "labels['team']"; do
		queries=()
		while read -r query; do
			queries+=("$(jq -r . <<<"$query")")
		done < <(jq -c --arg by "$by" '.panels[].targets[].rawSql | gsub("[$][{]by:raw[}]"; $by)
			| gsub("[$]__timeFilter[(](?<of>[a-z_]+)[)]"; "\(.of) > \u00272000-01-01 00:00:00\u0027")' "$PROJECT/integrations/grafana/runs.json")
		[ "${#queries[@]}" -eq 6 ]
		for engine in $ENGINES; do
			ask_each "$engine" "${queries[@]}" | rounded >"$BATS_TEST_TMPDIR/$engine"
			[ "$(wc -l <"$BATS_TEST_TMPDIR/$engine")" -eq 6 ]
		done
		diff "$BATS_TEST_TMPDIR/duckdb" "$BATS_TEST_TMPDIR/clickhouse"
		# The runs in this spool request no GPU.
		jq -s -e '[.[] | length > 0] | (.[3] = true) | all' "$BATS_TEST_TMPDIR/duckdb"
	done
}

@test "sql: totals are equal to those of rtrack-report stats" {
	make_spool "$RTRACK_SPOOL" 12
	# all totals in the order of report/model/total.def
	local keys
	keys=$(sed -n 's/^TOTAL(\([a-z_]*\),.*/\1/p' "$PROJECT/report/model/total.def" | paste -sd,)
	[ "$(tr , '\n' <<<"$keys" | wc -l)" -ge 25 ]
	for engine in $ENGINES; do
		ask "$engine" "select run, $keys from totals order by run" | rounded >"$BATS_TEST_TMPDIR/$engine"
		jq -e length "$BATS_TEST_TMPDIR/$engine"
		# The Parquet files have the same totals.
		PATH=${PYTHON%/*}:$PATH "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/parquet"
		ask "$engine" "select run, $keys from totals order by run" "$BATS_TEST_TMPDIR/parquet" | rounded >"$BATS_TEST_TMPDIR/of-parquet"
		jq -ec 'length == 11' "$BATS_TEST_TMPDIR/of-parquet"
		jq -c --slurpfile parquet "$BATS_TEST_TMPDIR/of-parquet" '[.[] | select(.run as $run | $parquet[0] | any(.run == $run))]' \
			"$BATS_TEST_TMPDIR/$engine" | diff - "$BATS_TEST_TMPDIR/of-parquet"
		for run in "$RTRACK_SPOOL"/*; do
			"$BUILD/rtrack-report" stats --format json "$run" | jq -c "{run: .run.id} + (.totals | {$keys})"
		done | jq -s | rounded | diff - "$BATS_TEST_TMPDIR/$engine"
	done
}

@test "sql: a real run has the totals of stats, and its labels can be queried" {
	"$BUILD/rtrack-run" --interval 0.1 --tag "owner=it's" sh -c 'seq 200000 | sort -R >/dev/null; sleep 0.2'
	for engine in $ENGINES; do
		ask "$engine" "select cpu_seconds, peak_memory_mib, labels['owner'] as owner from totals join runs using (run)" >answer
		"$BUILD/rtrack-report" stats --format json | jq -e --slurpfile answer answer '$answer[0][0] as $a
			| (.totals.cpu_seconds - $a.cpu_seconds | fabs) < 1e-6
			and .totals.peak_memory_mib == $a.peak_memory_mib and $a.owner == "it'"'"'s"'
		rm answer
	done
}

@test "sql: without cached totals, sums are known, but the peak memory is unknown" {
	make_run 20261121T020000Z-compute-7-10-0001 running >/dev/null
	for engine in $ENGINES; do
		ask "$engine" 'select cpu_seconds, peak_memory_mib, exact from totals' | jq -ec '.[0] == {cpu_seconds: 6, peak_memory_mib: null, exact: null}'
	done
}

@test "sql: a run that used more than its request has no unused resources" {
	local run
	# The first run uses 1.5 of 2 CPUs and 300 of 1324 MiB for 4 s. The second run uses more than it requested. The
	# third run requested no memory.
	run=$(make_run 20261121T020000Z-a-10-0001)
	sed -i 's/"server"/"requested": {"cpu": 2, "memory_mib": 1324}, &/' "$run/run.json"
	run=$(make_run 20261121T020100Z-a-11-0002 finished job.R 60)
	sed -i 's/"server"/"requested": {"cpu": 1, "memory_mib": 200}, &/' "$run/run.json"
	run=$(make_run 20261121T020200Z-a-12-0003 finished job.R 120)
	sed -i 's/"server"/"requested": {"cpu": 2, "memory_mib": null}, &/' "$run/run.json"
	for engine in $ENGINES; do
		ask "$engine" "$(cat "$PROJECT/sql/waste.sql")" |
			jq -c '.[0] | [.runs, .unused_gib_hours * 3600, .unused_cpu_hours * 3600 | . * 1e6 | round / 1e6]' |
			diff <(echo '[3,4,4]') -
	done
	[ "$(report_value '[.all.memory_gib_hours, .all.cpu_hours | .between * 3600 | round]' waste)" = '[4,4]' ]
}

@test "sql: the duckdb program opens a spool with -init <(rtrack-report sql)" {
	local module=$PYTHON
	venv duckdb -r "$PROJECT/tests/jobs/locks/duckdb.txt"
	mkdir "$BATS_TEST_TMPDIR/bin"
	# The wrapper script in the PyPI package closes the descriptor of <( ), so the program itself is used.
	ln -s "$(dirname "$PYTHON")"/../lib/python3*/site-packages/duckdb_cli/duckdb "$BATS_TEST_TMPDIR/bin/duckdb"
	PYTHON=$module
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	make_spool "$RTRACK_SPOOL" 40
	local query='select job, sum(cpu_seconds) as cpu from runs join totals using (run) group by job order by job'
	duckdb -init <("$BUILD/rtrack-report" sql) -json -c "$query" | rounded >"$BATS_TEST_TMPDIR/program"
	[ "$(jq length "$BATS_TEST_TMPDIR/program")" -eq 10 ]
	duckdb -init <("$BUILD/rtrack-report" sql) -json -f "$PROJECT/sql/cost.sql" | rounded >>"$BATS_TEST_TMPDIR/program"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/program")" -eq 2 ]
	ask_each duckdb "$query" "$PROJECT/sql/cost.sql" | rounded | diff "$BATS_TEST_TMPDIR/program" -
	# PATH contains only this engine.
	PATH=$BATS_TEST_TMPDIR/bin "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out"
	ask duckdb 'select count(*) as n, count(distinct run) as runs from process' "$BATS_TEST_TMPDIR/out" |
		jq -e '.[0] == {n: 117, runs: 39}'
}

@test "sql: reads spools with any name, and several spools at once" {
	local place places=()
	for place in "it's" 'sp ace' 'br[a]c{ket}s' 'st*r?' 'ümläut' $'new\nline'; do
		make_spool "$BATS_TEST_TMPDIR/$place" 3
		rm -r "$BATS_TEST_TMPDIR/$place"/*-0002
		places+=("$BATS_TEST_TMPDIR/$place")
	done
	# The name of this spool matches the name of the other spool, if that is read as a glob pattern.
	make_spool "$BATS_TEST_TMPDIR/starr" 2
	for engine in $ENGINES; do
		ask "$engine" 'select count(*) as rows, count(distinct run) as runs from process' "${places[@]}" |
			jq -e '.[0].rows == 36 and .[0].runs == 2'
		ask "$engine" 'select count(*) as runs from runs' "${places[3]}" | jq -e '.[0].runs == 2'
	done
}

@test "sql: skips incomplete lines and run.json files, and accepts invalid UTF-8" {
	make_spool "$RTRACK_SPOOL" 3
	set -- "$RTRACK_SPOOL"/*
	printf '1795219300.000,100,7' >>"$1/process.csv"
	printf '{"id": "torn' >"$2/run.json"
	printf '1.500,1,1,1,"/bin/\351","say ""hi"", \\ \351",\n' >>"$3/start.csv"
	: >"$2/member.csv"
	cut -d , -f 1-8 "$2/process.csv" >"$BATS_TEST_TMPDIR/older"
	cp "$BATS_TEST_TMPDIR/older" "$2/process.csv"
	for engine in $ENGINES; do
		ask_each "$engine" 'select count(*) as rows, count(disk_write_bytes) as known from process' 'select count(*) as runs from runs' \
			'select command from "start" where pid = 1' 'select count(*) as rows from "start"' \
			'select count(*) as rows from mark' >"$BATS_TEST_TMPDIR/answers"
		jq -s -e 'length == 5 and .[0][0] == {rows: 9, known: 6} and .[1][0].runs == 2 and
			(.[2][0].command | startswith("say \"hi\", \\ ")) and .[3][0].rows == 7 and .[4][0].rows == 0' "$BATS_TEST_TMPDIR/answers"
	done
}

# Parquet

export_parquet() {
	PATH=${PYTHON%/*}:$PATH "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out" --format json "$@"
}

@test "export --to parquet: each query gives the same answer as on the spool" {
	make_spool "$RTRACK_SPOOL" 60
	export_parquet | jq -e '.exported == 59 and .before == 0'
	ask_ours duckdb "$BATS_TEST_TMPDIR/expected"
	for engine in $ENGINES; do
		ask_ours "$engine" "$BATS_TEST_TMPDIR/$engine" "$BATS_TEST_TMPDIR/out"
		diff "$BATS_TEST_TMPDIR/expected" "$BATS_TEST_TMPDIR/$engine"
	done
}

@test "export --to parquet: writes every row, including rows of damaged files" {
	cd "$BATS_TEST_TMPDIR"
	make_spool "$RTRACK_SPOOL" 12
	set -- "$RTRACK_SPOOL"/*
	printf '1795219260.' >>"$1/process.csv"
	# An older run has fewer columns. Another run has its columns in another order, and one unknown column.
	cut -d , -f 1-8 "$2/process.csv" >older
	cp older "$2/process.csv"
	awk -F, -v OFS=, '{ first = $1; $1 = $3; $3 = NR == 1 ? "\"unknown\"" : first; if (NR == 1) { $4 = "\"timestamp\"" } else { $4 = first }; print }' \
		"$3/system.csv" >other
	cp other "$3/system.csv"
	{
		printf '1795219300.5,7,1,1,"/bin/\351","say ""hi"", \\ \351",\n'
		printf '1795219301.5,8,1,1,,"",\n'
	} >>"$4/start.csv"
	{
		printf '1795219300.5,7,1,1,"a, b","it is ""so"", é",x,y,z\n'
		printf '1795219301.5,8,1,1,"never ended, é\n'
		printf '1795219302.5,9,1,1,a"b,c\rd\n'
		printf '\n1795219303.5,10,nan,1e3,-,0x7\n'
	} >>"$5/start.csv"
	: >"$6/process.csv"
	printf 'no newline' >"$7/process.csv"
	rm "$8/exit.csv"
	mv "$9" "$RTRACK_SPOOL/20261121T230000Z-a,\"b' é-1-0001"
	local views=$BATS_TEST_TMPDIR/views.sql
	export_parquet | jq -e '.exported == 11'
	"$BUILD/rtrack-report" sql >"$views"
	"$PYTHON" - "$views" "$BATS_TEST_TMPDIR/out" <<-'END'
		import sys
		import duckdb

		duckdb.execute(open(sys.argv[1], encoding="utf-8").read())
		for table in "runs", "process", "system", "member", "start", "exit":
		    view = f'select * from "{table}"'
		    parquet = f"select * from read_parquet('{sys.argv[2]}/{table}/*/*.parquet', hive_partitioning = true)"
		    columns = ", ".join(f'"{row[0]}"' for row in duckdb.execute("describe " + view).fetchall())
		    for one, other in (view, parquet), (parquet, view):
		        more = duckdb.execute(f"(select {columns} from ({one})) except all (select {columns} from ({other}))").fetchall()
		        assert not more, (table, one, more)
	END
}

@test "export --to parquet: Polars and PyArrow compute the same sums as stats" {
	make_spool "$RTRACK_SPOOL" 12
	export_parquet
	for run in "$RTRACK_SPOOL"/*; do
		"$BUILD/rtrack-report" stats --format json "$run" | jq .totals.cpu_seconds
	done | jq -s add >"$BATS_TEST_TMPDIR/stats"
	"$PYTHON" - "$BATS_TEST_TMPDIR/out" "$(cat "$BATS_TEST_TMPDIR/stats")" <<-'END'
		import datetime, sys
		import polars
		import pyarrow.dataset

		out, stats = sys.argv[1], float(sys.argv[2])
		table = polars.scan_parquet(out + "/process/*/*.parquet").select(polars.col("utime").sum() + polars.col("stime").sum())
		assert abs(table.collect().item() - stats) < 1e-6, table.collect()
		table = pyarrow.dataset.dataset(out + "/process", partitioning="hive").to_table()
		assert abs(sum(table["utime"].to_pylist()) + sum(table["stime"].to_pylist()) - stats) < 1e-6
		assert set(table["date"].to_pylist()) == {"2026-11-21"}, set(table["date"].to_pylist())
		runs = pyarrow.dataset.dataset(out + "/runs", partitioning="hive").to_table().to_pylist()
		assert len(runs) == 11 and dict(runs[0]["labels"])["team"].startswith("t")
		assert runs[0]["parent"] is None and isinstance(runs[0]["start_time"], datetime.datetime)
	END
}

@test "export --to parquet: repeated exports contain each run once" {
	make_spool "$RTRACK_SPOOL" 40
	export_parquet --job 'job 1' | jq -e '.exported == 4'
	export_parquet --group g4 | jq -e ".exported == 4"
	export_parquet --label team=t0 --since 2026-11-21T00:20Z | jq -e '.exported > 0'
	export_parquet | jq -e '.exported > 0 and .exported + .before == 39'
	export_parquet | jq -e '.exported == 0 and .before == 39'
	make_spool "$BATS_TEST_TMPDIR/more" 2
	mv "$BATS_TEST_TMPDIR/more"/*-0001 "$RTRACK_SPOOL/20270101T000000Z-other-1-0001"
	export_parquet | jq -e '.exported == 1 and .before == 39'
	ask duckdb 'select count(*) as n, count(distinct run) as runs, count(distinct date) as dates from runs' "$BATS_TEST_TMPDIR/out" |
		jq -e '.[0] == {n: 40, runs: 40, dates: 2}'
	ask duckdb 'select count(*) as n from process' "$BATS_TEST_TMPDIR/out" | jq -e '.[0].n == 120'
}

@test "export --to parquet: several spools become one file for each table and day, with each run once" {
	local spools=$BATS_TEST_TMPDIR/spools
	make_spool "$spools/a" 12
	cp -a "$spools/a" "$spools/b"
	rm -r "$spools"/a/*-000[0-3] "$spools"/b/*-000[6-9]
	export_parquet --spool "$spools/*" | jq -e '.exported == 11 and .before == 0'
	ask duckdb 'select count(*) as n, count(distinct run) as runs from runs' "$BATS_TEST_TMPDIR/out" | jq -e '.[0] == {n: 11, runs: 11}'
	[ "$(find "$BATS_TEST_TMPDIR/out" -name '*.parquet' | wc -l)" = "$(find "$BATS_TEST_TMPDIR/out" -name 'date=*' | wc -l)" ]
	export_parquet --spool "$spools/*" | jq -e '.exported == 0 and .before == 11'
}

@test "export --to parquet: skips live runs and removes leftovers of a killed export" {
	make_spool "$RTRACK_SPOOL" 4
	set -- "$RTRACK_SPOOL"/*
	sed -i 's/"status": "finished"/"status": "running"/' "$1/run.json"
	export_parquet | jq -e '.exported == 2'
	local new=$BATS_TEST_TMPDIR/out/_new/process/date=2026-11-21
	mkdir -p "$new"
	cp "$BATS_TEST_TMPDIR/out"/process/date=*/*_0.parquet "$new/rtrack-17-4_0.parquet"
	touch "$new/x.parquet"
	export_parquet | jq -e '.exported == 0'
	ask duckdb 'select count(*) as n from process' "$BATS_TEST_TMPDIR/out" | jq -e '.[0].n == 6'
	sed -i 's/"status": "running"/"status": "finished"/' "$1/run.json"
	export_parquet | jq -e '.exported == 1'
	[ ! -e "$BATS_TEST_TMPDIR/out/_new" ]
}

@test "export --to parquet: kill -9 at random times leaves valid files" {
	make_spool "$RTRACK_SPOOL" 4
	make_spool "$BATS_TEST_TMPDIR/more" 30
	rm -r "$BATS_TEST_TMPDIR/more"/*-000[0-2]
	PATH=${PYTHON%/*}:$PATH "$PYTHON" "$PROJECT/tests/fleet/parquet.py" "$BUILD/rtrack-report" "$RTRACK_SPOOL" \
		"$BATS_TEST_TMPDIR/more" "$BATS_TEST_TMPDIR/out" 21 7
}

@test "export --to parquet: waits for an engine that a killed export left running" {
	make_spool "$RTRACK_SPOOL" 4
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	printf '#!/bin/sh\ntouch begun\nuntil [ -e on ]; do sleep 0.05; done\n' >bin/duckdb
	chmod +x bin/duckdb
	PATH=$PWD/bin:$PATH "$BUILD/rtrack-report" export --to parquet -o out 3>&- &
	local export=$!
	until [ -e begun ]; do sleep 0.05; done
	kill -9 $export
	wait $export || true
	fails flock -n out/_lock true
	touch on
	export_parquet | jq -e '.exported == 3'
}

@test "export --to parquet: accepts odd file names, and leaves no file after a failure" {
	make_spool "$BATS_TEST_TMPDIR/it's [a] {s} *"$'\nq' 2
	PATH=${PYTHON%/*}:$PATH "$BUILD/rtrack-report" export --to parquet --spool "$BATS_TEST_TMPDIR/it's [a] {s} *"$'\nq' \
		-o "$BATS_TEST_TMPDIR/o'ut [é] "$'\nx'
	ask duckdb 'select count(*) as n from process' "$BATS_TEST_TMPDIR/o'ut [é] "$'\nx' | jq -e '.[0].n == 6'
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/duckdb"
	chmod +x "$BATS_TEST_TMPDIR/bin/duckdb"
	make_spool "$RTRACK_SPOOL" 2
	status=0
	PATH=$BATS_TEST_TMPDIR/bin:$PATH "$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/none" || status=$?
	[ "$status" -eq 1 ]
	[ "$(ls -A "$BATS_TEST_TMPDIR/none")" = _lock ]
	export_parquet | jq -e '.exported == 2'
}

@test "export --to parquet --print-sql: DuckDB runs the printed statements" {
	make_spool "$RTRACK_SPOOL" 4
	mkdir "$BATS_TEST_TMPDIR/out"
	"$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out" --print-sql |
		"$PYTHON" -c 'import duckdb, sys; duckdb.execute(sys.stdin.read())'
	ask duckdb 'select count(*) as n from totals' "$BATS_TEST_TMPDIR/out" | jq -e '.[0].n == 3'
}

@test "prune --exported: removes the runs that a directory of Parquet files contains" {
	PATH=$(dirname "$PYTHON"):$PATH
	make_spool "$RTRACK_SPOOL" 12
	before=$(ls "$RTRACK_SPOOL" | wc -l)
	"$BUILD/rtrack-report" export --to parquet --job 'job 1' -o "$BATS_TEST_TMPDIR/out"
	"$BUILD/rtrack-report" prune --exported "$BATS_TEST_TMPDIR/out" --format json | jq -e '.removed | length == 2'
	[ "$(ls "$RTRACK_SPOOL" | wc -l)" = $((before - 2)) ]
	"$BUILD/rtrack-report" export --to parquet -o "$BATS_TEST_TMPDIR/out"
	rm -r "$BATS_TEST_TMPDIR/out/runs"
	"$BUILD/rtrack-report" prune --exported "$BATS_TEST_TMPDIR/out" --format json | jq -e '.removed | length == 0'
}
