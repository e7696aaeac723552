#!/usr/bin/env bats
# Test of the example of docs/fleet.md: a Spark job reads 1,000 runs, with pyspark from PyPI on two cores of this
# machine.
# bats file_tags=long

load ../lib/helper
load ../lib/recipes

setup() {
	need java
	venv spark -r "$PROJECT/tests/jobs/locks/spark.txt"
	SPARK=$PYTHON
	venv fleet -r "$PROJECT/tests/jobs/locks/fleet.txt"
	FLEET=$PYTHON
	cd "$BATS_TEST_TMPDIR" || return
	export PYSPARK_PYTHON=$SPARK HOME=$PWD PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS=$PWD/spark
	# The job takes a few seconds, so only the JVM's first compiler is worthwhile.
	export JAVA_TOOL_OPTIONS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
	# Spark's defaults are for a cluster. A sum would be divided into 200 tasks, and the web interface would need a
	# server.
	export SPARK_CONF_DIR=$PWD/conf
	mkdir conf
	printf '%s\n' 'spark.sql.shuffle.partitions 2' 'spark.ui.enabled false' >conf/spark-defaults.conf
}

@test "Spark: the usage of 1,000 runs matches rtrack-report and DuckDB" {
	python3 "$PROJECT/tests/lib/fleet_spool.py" "$RTRACK_SPOOL" 1013 # 1,000 of these have a run
	ln -s "$PROJECT/examples" examples
	PATH=${FLEET%/*}:${SPARK%/*}:$BUILD:$PATH DIR=$PWD/parquet
	sed -n '/^## Spark/,/^## /s/^    //p' "$PROJECT/docs/fleet.md" | sed "s#DIR#$DIR#" >command
	[ "$(wc -l <command)" -eq 2 ]
	"$BUILD/rtrack-report" list --all --limit 0 --format json >list
	jq -e 'length == 1000' list
	sh -e command 2>err | grep '^{' >told || { cat err; false; }
	jq -e -s --slurpfile list list '(map(.runs) | add) == 1000
		and (map(.not_finished) | add) == ($list[0] | map(select(.status != "finished")) | length)
		and ((map(.cpu_hours * 3600) | add) - ($list[0] | map(.totals.cpu_seconds) | add) | fabs) < 1e-3' told
	"$BUILD/rtrack-report" sql "$DIR" >views.sql
	"${FLEET}" "$PROJECT/tests/peers/engine.py" duckdb views.sql 'select r.job, r."user", count(*) as runs, sum(p.cpu) / 3600 as cpu_hours
		from runs r join (select run, sum(utime + stime) as cpu from process group by run) p using (run) group by all order by 1, 2' >duckdb
	jq -e -s --slurpfile duckdb duckdb '[.[] | [.job, .user, .runs]] == [$duckdb[0][] | [.job, .user, .runs]]
		and ([., $duckdb[0]] | transpose | all(.[0].cpu_hours - .[1].cpu_hours | fabs < 1e-9))' told
}
