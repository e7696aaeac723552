#!/usr/bin/env bats
# Tests of a run that contains other runs: a rule of a tracked workflow calls rtrack-run, or is a task with its own run.
# The outer run has each process once, with the peak and the end that the inner run recorded.

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	cd "$BATS_TEST_TMPDIR"
	touch=$(victim touch)
	static=$(victim touch "${CC:-cc}" -static)
	export PATH=$BUILD:$PATH
	task='env AIRFLOW_CTX_DAG_ID=d AIRFLOW_CTX_DAG_RUN_ID=r AIRFLOW_CTX_TRY_NUMBER=1 AIRFLOW_CTX_TASK_ID'
}

# outer_run WAY: sets $run to the outermost run.
outer_run() {
	local outer
	outer=$(jq -r 'select(.parent == null).id' "$(spool_of "$1")"/*/run.json)
	run=$(spool_of "$1")/$outer
	is_over "$run"
}

# counts_once MIB RUNS COMMAND…: tracks the command by LD_PRELOAD and by rtrack-run. Fails unless it makes RUNS runs, the
# peak of the outer run is at least MIB and at most 6 % and 8 MiB larger, its CPU time is the kernel's, and at most $unseen
# processes, by default 0, have no record.
counts_once() {
	local mib=$1 runs=$2 way
	shift 2
	for way in preload launcher; do
		WAYS_PREFIX=("$(victim account)" "$BATS_TEST_TMPDIR/$way.account")
		one_way $way "$@"
		WAYS_PREFIX=()
		[ "$(cat $way.status)" = 0 ] || { cat $way.err; false; }
		[ "$(ls "$(spool_of $way)" | wc -l)" = "$runs" ] || { ls "$(spool_of $way)"; false; }
		outer_run $way
		total "$run" peak_memory_mib >peak
		echo "$way: $(cat peak) of $mib MiB, at most $(total "$run" peak_memory_at_most_mib)"
		at_least "$(cat peak)" "$mib"
		at_least "$(awk "BEGIN { print $mib * 1.06 + 8 }")" "$(cat peak)"
		at_least "$(awk "BEGIN { print $mib * 1.06 + 16 }")" "$(total "$run" peak_memory_at_most_mib)"
		near "$(total "$run" cpu_seconds)" "$(kernel $way cpu)" 0.1 0.05
		at_least "${unseen:-0}" "$(total "$run" ended_unseen)"
		[ "$(total "$run" exact_cpu)" = true ]
		[ "${unseen:-0}" != 0 ] || [ "$(total "$run" exact_processes)" = true ]
	done
}

@test "the memory of a job under rtrack-run inside another run counts once" {
	counts_once 300 2 sh -c "rtrack-run --job inner $touch 300 1500; true"
}

@test "sequential jobs under rtrack-run that end between two samples count once" {
	RTRACK_INTERVAL=3600 counts_once 200 5 sh -c "for i in 1 2 3 4; do rtrack-run --job inner $touch 200 10; done"
}

@test "make runs rtrack-run in each recipe: its peak is the peak of the largest recipe" {
	printf 'all: a b c\na b c:\n\t@rtrack-run --job $@ %s 150 300\n' "$touch" >Makefile
	counts_once 150 4 make
}

@test "two concurrent jobs under rtrack-run inside a run count once each" {
	mkfifo begun
	# The second job begins after the first has touched its memory, and ends while the first waits for it.
	counts_once 250 3 sh -c "rtrack-run --job large sh -c '$touch 150 3000 & sleep 1; wait' & sleep 1.5; rtrack-run --job small $touch 100 300; wait"
}

@test "a run inside a run inside a run counts once" {
	counts_once 200 3 sh -c "rtrack-run --job middle sh -c 'rtrack-run --job inner $touch 200 300; true'; $touch 100 1"
}

@test "tasks of a workflow that have their own runs are counted once" {
	counts_once 200 3 sh -c "for i in 1 2; do $task=\$i sh -c '$touch 200 300; true'; done"
}

@test "a large child of a static program in an inner run counts once" {
	unseen=1 counts_once 180 2 sh -c "rtrack-run --job inner sh -c '$static 180 300; true'; true"
}

@test "a job that fails inside another run is named as the cause" {
	one_way launcher sh -c "rtrack-run --job good true; rtrack-run --job bad sh -c 'sleep 0.1; exit 3'"
	outer_run launcher
	"$BUILD/rtrack-report" show -v "$run" >text
	cat text
	grep -qxF '`sh -c sleep 0.1; exit 3` ended with status 3' text
}

@test "an inner run whose processes are not in the outer run is not added to it" {
	one_way launcher sh -c "rtrack-run --job inner $touch 200 10; true"
	outer_run launcher
	inner=$(grep -l '"job": "inner"' spool-launcher/*/run.json)
	sed -i 's/"script_pid": [0-9]*/"script_pid": 1/; s/"start_ticks": [0-9]*/"start_ticks": 1/' "$inner"
	[ "$(total "$run" processes)" -lt 5 ]
	[ "$("$BUILD/rtrack-report" stats "$(dirname "$inner")" --format json | jq 'has("counted_in")')" = false ]
}

# pipeline STATUS: runs a pipeline of three jobs, which has the exit status of its last task. The tasks of "align" burn
# 0.7 s of CPU time, and the first attempt of one of them fails.
pipeline() {
	cat >pipeline.sh <<-END
		rtrack-run --job align --tag sample=a $(victim burn) 0.4
		rtrack-run --job align --tag sample=b --tag attempt=1 sh -c 'exit 4'
		rtrack-run --job align --tag sample=b --tag attempt=2 $(victim burn) 0.3
		rtrack-run --job sort $(victim burn) 0.1
		rtrack-run --job merge --tag attempt=1 sh -c 'echo no room >&2; exit $1'
		status=\$?
		echo 'progress 100 %' >&2
		exit \$status
	END
	rtrack-run --job pipeline sh pipeline.sh 2>log || [ $? = "$1" ]
	run=$RTRACK_SPOOL/$(jq -r 'select(.parent == null).id' "$RTRACK_SPOOL"/*/run.json)
}

@test "show lists the tasks of a pipeline by job, those with the most CPU time first" {
	pipeline 0
	rtrack-report show --format json "$run" >json
	jq -c .inner_jobs json
	jq -e '[.inner_jobs[] | [.job, .runs, .failed]] == [["align", 3, 1], ["sort", 1, 0], ["merge", 1, 0]]
		or [.inner_jobs[] | [.job, .runs, .failed]] == [["align", 3, 1], ["merge", 1, 0], ["sort", 1, 0]]' json
	jq -e '.inner_jobs[0] | .cpu_seconds >= 0.7 and .share > 0.5 and .memory_gib_hours > 0 and .price == null' json
	jq -e '.totals.cpu_seconds as $all | [.inner_jobs[].cpu_seconds] | add <= $all + 0.001' json
	[ "$(jq '.ended.first_failure' json)" = null ]
	[ "$(rtrack-report show "$run" | tee shown | wc -l)" -le 12 ]
	grep -E '^Tasks +align .* \([0-9]+ %\), ' shown
	rtrack-report show -v "$run" >shown
	cat shown
	grep -E '^ +3 .* align +\(1 failed\)$' shown
	# The table names a run of the first job, and that run names the pipeline.
	rtrack-report show -v "$(jq -r '.inner_jobs[0].costliest_run' json)" >shown
	grep -E "^Inside +$(basename "$run")$" shown
}

@test "show --catalog has the price of each job of a pipeline" {
	pipeline 0
	printf 'vendor,server,vcpus,memory,gpu,vram,region,price,currency\nown,a,64,65536,0,0,here,36,EUR\n' >catalog.csv
	rtrack-report show --format json --catalog catalog.csv "$run" >json
	jq -e '.inner_jobs[] | .currency == "EUR" and (.price - .wall_seconds / 100 | fabs) < 0.0001' json
	rtrack-report show -v --catalog catalog.csv "$run" | grep -E 'Price +Job$'
}

@test "a failed pipeline names the task that failed first, its attempt and its own output" {
	pipeline 3
	rtrack-report show --format json "$run" | jq -e '.ended.first_failure | [.job, .attempt, .exit_code, .output.text] == ["merge", "1", 3, "no room\n"]'
	rtrack-report show "$run" >shown
	cat shown
	grep -E '^Failed +merge \(attempt 1\): failed with exit status 3: `sh -c ' shown
	grep -xE 'Error +no room' shown
	rtrack-report show -v "$run" >>shown
	fails grep progress shown
	rtrack-report html -o page.html "$run"
	grep -F 'First failure: merge (attempt 1): failed with exit status 3' page.html
}

@test "html: the pages of a pipeline and of its tasks have links to each other" {
	pipeline 0
	rtrack-report html --all -o site
	page=$(grep -l '<h3 id="tasks-by-job">' site/runs/*.html)
	link=$(grep -oE '<a href="[^"]*">align</a>' "$page" | cut -d'"' -f2)
	grep -F "inside <a href=\"$(basename "$page")\">$(basename "$run")</a>" "site/runs/$link"
	rtrack-report html -o page.html "$run"
	grep -F '<h3 id="tasks-by-job">' page.html
	fails grep -E '<a href="[^"]*">align</a>' page.html
}
