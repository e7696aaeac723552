#!/usr/bin/env bats
# A unit is what an orchestrator runs as one job, for example a Slurm job. Its script, steps and ranks share one
# request. Every table of many runs shows the unit of each run.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# setup makes a job of 4 s with a script and two ranks on one node, and a task of an array.
setup() {
	cd "$BATS_TEST_TMPDIR"
	make_run 20261121T020000Z-compute-7-10-0001 finished fit.sh
	make_run 20261121T020001Z-compute-7-11-0002 finished fit 1
	make_run 20261121T020001Z-compute-7-12-0003 finished fit 1
	make_run 20261121T020100Z-compute-7-13-0004 finished scan 60
	local run number
	for run in "$RTRACK_SPOOL"/*; do
		number=${run##*-000}
		jq --arg number "$number" '.labels = {orchestrator: "slurm", slurm_job_id: "7"}
			| .requested = {cpu: 4, memory_mib: 1024, gpu: null, seconds: 600}
			| if $number == "2" or $number == "3" then .labels.slurm_step_id = "0" | .group = "7.0" | .member = {rank: ($number | tonumber - 2), node: 0, of: 2} else . end
			| if $number == "4" then .labels.slurm_job_id = "9" | .labels.slurm_array_job_id = "8" | .labels.slurm_array_task_id = "1" else . end' "$run/run.json" >new
		mv new "$run/run.json"
	done
}

@test "waste: the request of a Slurm job counts once on each host" {
	# The request is 1 GiB for 5 s and 1 GiB for 4 s.
	[ "$(report_value '.all.memory_gib_hours.asked * 3600 | round' waste)" = 9 ]
	report_value '[.jobs[] | {job, hours: (.memory_gib_hours.asked * 3600 | round)}] | sort_by(.job)' waste >wasted
	grep -Fx '[{"job":"fit.sh","hours":5},{"job":"scan","hours":4}]' wasted || { cat wasted; false; }
	"$BUILD/rtrack-report" export --all --to prometheus-textfile >told
	[ "$(awk '/^rtrack_jobs_asked_memory_gib_seconds\{/ { sum += $NF } END { printf "%d", sum }' told)" = 9 ]
}

@test "Prometheus: rtrack_run_info names the orchestrator's job, such as slurm:4711" {
	"$BUILD/rtrack-report" export "$RTRACK_SPOOL"/*0002 --to prometheus-textfile >told
	grep -q '^rtrack_run_info{.*unit="slurm:7"' told
	"$BUILD/rtrack-report" export "$RTRACK_SPOOL"/*0004 --to openmetrics >told
	grep -q '^rtrack_run_info{.*unit="slurm:8"' told
}

@test "html --all: the table of runs names the orchestrator's job of each run" {
	"$BUILD/rtrack-report" html --all -o site >/dev/null
	grep -q '<th scope="col">Part of</th>' site/jobs/*.html
	grep -rq '<td>slurm:7</td>' site/jobs
	grep -rq '<td>slurm:8</td>' site/jobs
}

@test "watch slurm:JOB: follows the batch script of the job to its end" {
	"$BUILD/rtrack-report" watch slurm:7 --format json >watched
	grep -q '0003' watched
	sed -i 's/"status": "finished"/"status": "running"/; s/"stop_time": [0-9]*/"stop_time": null/' "$RTRACK_SPOOL"/*000[13]/run.json
	touch "$RTRACK_SPOOL"/*000[13]/*
	timeout 2 "$BUILD/rtrack-report" watch slurm:7 --format json >watched || true
	head -n 1 watched | grep -q '0001'
	timeout 1 "$BUILD/rtrack-report" watch slurm:77 2>said || true
	grep -q "no run 'slurm:77' .*waiting for it" said
}

@test "show: a requeued Slurm job has the request of one attempt" {
	rm -r "$RTRACK_SPOOL"/*000[234]
	run=$(make_run 20261121T020100Z-compute-7-13-0005 finished fit.sh 60)
	jq '.labels = {orchestrator: "slurm", slurm_job_id: "7", attempt: "1"}
		| .requested = {cpu: 4, memory_mib: 1024, gpu: null, seconds: 600}' "$run/run.json" >new
	mv new "$run/run.json"
	# Each attempt uses 6 CPU seconds and 300 MiB in 4 s. The CPU time requested is 2 * 4 CPUs * 4 s.
	PATH=$BUILD:$PATH rtrack-report show slurm:7 --format json | jq .totals.efficiency >efficiency
	cat efficiency
	jq -e '(.cpu - 12 / 32 | fabs) < 0.001 and (.memory - 300 / 1024 | fabs) < 0.001 and (.time - 4 / 600 | fabs) < 0.001' efficiency
	[ "$(report_value '.[0].basis.runs' recommend --all)" = 2 ]
}

# number RUN CLUSTER: makes the run a job with the number 7 of that cluster.
number() {
	jq --arg cluster "$2" '.labels = {orchestrator: "slurm", slurm_job_id: "7", cluster: $cluster}' "$1/run.json" >new
	mv new "$1/run.json"
}

@test "slurm:JOB is one job, without jobs of the same number on another cluster or in another year" {
	rm -r "$RTRACK_SPOOL"/*0004
	number "$(make_run 20261021T020000Z-compute-7-14-0005 finished other -2678400)" north
	make_run 20251121T020000Z-compute-7-15-0006 finished old -31536000 >old
	jq '.labels = {orchestrator: "slurm", slurm_job_id: "7"}' "$(cat old)/run.json" >new
	mv new "$(cat old)/run.json"
	report list --fold
	[ "$(grep -c '^20' <<<"$output")" = 2 ]
	grep -q '^slurm:7 .*3 runs: fit.sh, fit' <<<"$output"
	report show slurm:7 --format json
	[ "$(jq '.totals.wall_seconds < 10' <<<"$output")" = true ]
	[[ $stderr == "rtrack-report: 'slurm:7' is also a job of "*' on the cluster north, which is left out: choose it by --label cluster=NAME, or by the --spool of its user' ]]
	report show slurm:7 --label cluster=north --format json
	[ -z "$stderr" ]
	[ "$(jq '.totals.wall_seconds' <<<"$output")" = 4 ]
}

@test "list --fold --limit: the last job is complete" {
	report list --fold --limit 2
	grep -q '^slurm:7 .*3 runs: fit.sh, fit' <<<"$output"
	report list --fold --limit 1
	fails grep -q 'fit' <<<"$output"
}

@test "a RUN is found in all spools of a glob, and of several --spool" {
	mkdir -m 700 a b
	mv "$RTRACK_SPOOL"/*0004 a
	mv "$RTRACK_SPOOL"/*000? b
	unset RTRACK_SPOOL
	[ "$(report_value .run.job stats scan --spool "$PWD/[ab]")" = '"scan"' ]
	[ "$(report_value .run.job stats 20261121T020000Z --spool "$PWD/[ab]")" = '"fit.sh"' ]
	[ "$(report_value .run.job stats --spool a --spool b)" = '"scan"' ]
	[ "$(report_value .b.job compare scan fit --spool a --spool b)" = '"fit"' ]
	report doctor --spool a --spool b
	[ "$status" -eq 2 ]
	[ "$(report_value 'map(.job) | join(" ")' recommend --all --spool "$PWD/[ab]" --label slurm_job_id=9)" = '"scan"' ]
}

@test "slurm:JOB: a step that left no run makes all figures lower bounds, and recommend keeps the request of the job" {
	local script=("$RTRACK_SPOOL"/*0001)
	echo '1795226400.700,13,170,10,"/usr/bin/srun","srun -n2 fit"' >>"${script[0]}/start.csv"
	[ "$(report_value '[.silent_steps, .totals.peak_memory_at_most_mib != null]' stats slurm:7)" = '[0,true]' ]
	echo '1795226400.800,14,180,10,"/usr/bin/srun","srun ./static"' >>"${script[0]}/start.csv"
	echo '1795226400.900,15,190,14,"/usr/bin/srun",' >>"${script[0]}/start.csv" # the fork of srun
	[ "$(report_value '[.silent_steps, .totals.exact, .totals.peak_memory_at_most_mib]' stats slurm:7)" = "[1,false,null]" ]
	report show slurm:7
	[[ $(tr -s ' \n' ' ' <<<"$output") == *'; 1 step left no run, so all figures are lower bounds'* ]]
	report recommend slurm:7 --for slurm
	grep -qx '#SBATCH --mem=1024M' <<<"$output" || grep -qx '#SBATCH --mem=1G' <<<"$output" || { echo "$output"; false; }
	[[ $stderr == *'1 step of this job left no run'* ]]
}

@test "Prometheus: beyond 1,000 combinations of job, user and account, jobs share a series" {
	rm -r "$RTRACK_SPOOL"/*
	python3 - "$RTRACK_SPOOL" <<-'END'
		import json, os, sys
		for i in range(1010):
		    run = f"{sys.argv[1]}/20261121T020000Z-compute-7-10-{i:04x}"
		    os.mkdir(run, 0o700)
		    json.dump({"schema": 1, "id": os.path.basename(run), "job": f"job {i}", "start_time": 1795226400, "stop_time": 1795226410 + i,
		               "status": "finished", "exit_code": 0, "host": "compute-7", "pid": 10}, open(run + "/run.json", "w"))
	END
	"$BUILD/rtrack-report" export --all --to prometheus-textfile | grep '^rtrack_jobs_runs{' >told
	[ "$(wc -l <told)" = 1001 ]
	grep -q '^rtrack_jobs_runs{job="(other jobs)",.*} 10$' told
	grep -q 'job="job 10"' told
	fails grep -q 'job="job 9"' told
}

@test "recommend slurm:JOB: an earlier job with its script and steps is one earlier run" {
	rm -r "$RTRACK_SPOOL"/*0004
	[ "$(report_value .basis.runs recommend slurm:7)" = 1 ]
	local run
	for run in "$RTRACK_SPOOL"/*000[123]; do
		cp -a "$run" "${run/20261121/20261120}"
	done
	for run in "$RTRACK_SPOOL"/20261120*; do
		jq '.labels.slurm_job_id = "6" | .start_time -= 86400 | .stop_time -= 86400 | .group |= if . == "7.0" then "6.0" else . end' "$run/run.json" >new
		mv new "$run/run.json"
	done
	[ "$(report_value '[.basis.runs, .resources.memory >= 900]' recommend slurm:7)" = '[2,true]' ]
}

@test "recommend slurm:JOB.STEP: uses only the same step of earlier jobs" {
	rm -r "$RTRACK_SPOOL"/*
	local job step run
	for job in 5 6 7; do
		for step in 0 1; do
			run=$(make_run "2026111${job}T02000${step}Z-compute-7-1$job-000$step" finished fit.sh $((86400 * (job - 11) + step)))
			set_peak "$run" $((step == 0 ? 3000 : 100))
			jq --arg job "$job" --arg step "$step" '.labels = {orchestrator: "slurm", slurm_job_id: $job, slurm_step_id: $step}
				| .group = "\($job).\($step)" | .member = {rank: 0, node: 0, of: 1}' "$run/run.json" >new
			mv new "$run/run.json"
		done
	done
	[ "$(report_value '[.basis.runs, .resources.memory < 1000]' recommend slurm:7.1)" = '[3,true]' ]
	[ "$(report_value '[.basis.runs, .resources.memory > 3000]' recommend slurm:7.0)" = '[3,true]' ]
	[ "$(report_value .basis.runs recommend slurm:5.1)" = 1 ]
	# A job counts as one run.
	[ "$(report_value .basis.runs recommend slurm:7)" = 3 ]
}

@test "recommend --all: the script and the steps of a Slurm job are one run" {
	rm -r "$RTRACK_SPOOL"/*0004
	sed -i 's/"job": "fit.sh"/"job": "fit"/' "$RTRACK_SPOOL"/*0001/run.json
	# The script and both ranks have 300 MiB each, and overlap.
	[ "$(report_value '[.[] | .basis.runs, .resources.memory >= 900]' recommend --all)" = '[1,true]' ]
}

@test "show airflow:DAG/RUN: has the name of the DAG, and only the tasks of that run" {
	local run number
	for run in "$RTRACK_SPOOL"/*; do
		number=${run##*-000}
		jq --argjson number "$number" '.job = "train/\(if $number < 3 then "fit" else "score" end)" | del(.group, .member)
			| .labels = {orchestrator: "airflow", dag: "train", task: .job[6:], run: "day \($number % 2)"}' "$run/run.json" >new
		mv new "$run/run.json"
	done
	"$BUILD/rtrack-report" show 'airflow:train/day 1' >shown
	cat shown
	[[ "$(head -n 1 shown)" == 'train finished in 5 s' ]]
	[ "$(report_value '[.run.job, (.group.members | length)]' show 'airflow:train/day 1')" = '["train",2]' ]
	[ "$(report_value .run.job show 'airflow:train/day 1/fit')" = '"train/fit"' ]
}

# train JQ: makes all runs tasks of one run of an Airflow DAG: two tries of "fit", of which the first failed, and two other
# tasks. Edits each run.json with the filter JQ.
train() {
	local run number
	for run in "$RTRACK_SPOOL"/*; do
		number=${run##*-000}
		jq --argjson number "$number" 'del(.group, .member) | .labels = {orchestrator: "airflow", dag: "train", run: "day", attempt: "1"}
			| .status = if $number == 1 then "failed" else "finished" end | .exit_code = if $number == 1 then 3 else 0 end
			| if $number == 4 then .labels.attempt = "2" else . end
			| .labels.task = {"1": "fit", "2": "a", "3": "b", "4": "fit"}["\($number)"] | .job = "train/" + .labels.task | '"$1" "$run/run.json" >new
		mv new "$run/run.json"
	done
}

@test "a unit whose failed task was retried is finished and reports the retry" {
	train .
	"$BUILD/rtrack-report" show airflow:train/day >shown
	cat shown
	[ "$(head -n 1 shown)" = 'train finished in 1 min 4 s; 1 of 4 runs failed and was retried' ]
	report_value '.ended | [.outcome, .text, .first_failure]' show airflow:train/day >ended
	grep -Fx '["finished","finished; 1 of 4 runs failed and was retried",null]' ended || { cat ended; false; }
	[ "$(report_value '[.members[] | select(.retried).status]' stats airflow:train/day)" = '["failed"]' ]
	report show -v airflow:train/day
	grep -q 'Group .*; retried: 20261121T020000Z-compute-7-10-0001' <<<"$output" || { echo "$output"; false; }
	"$BUILD/rtrack-report" html airflow:train/day -o page.html
	grep -q 'Finished in <strong>1 min 4 s</strong>; 1 of 4 runs failed and was retried' page.html
	grep -q '<td>failed, retried</td>' page.html
}

@test "a unit failed if the last attempt of a task failed, or if no run has an attempt" {
	train 'if .labels.attempt == "2" then .status = "failed" | .exit_code = 4 else . end'
	report show airflow:train/day
	[[ ${lines[0]} == 'train: 1 of 4 runs failed; all ended after 1 min 4 s; 1 more failed and was retried' ]] || { echo "$output"; false; }
	[ "$(report_value '.ended | [.outcome, .first_failure.attempt]' show airflow:train/day)" = '["failed","2"]' ]
	train 'del(.labels.attempt)'
	report show airflow:train/day
	[[ ${lines[0]} == 'train: 1 of 4 runs failed; all ended after 1 min 4 s' ]] || { echo "$output"; false; }
}

@test "list: a worker that Ray ended with exit status 1 is finished, one with another status failed" {
	local run number
	for run in "$RTRACK_SPOOL"/*000[12]; do
		number=${run##*-000}
		jq --argjson number "$number" '.labels = {orchestrator: "ray"} | .status = "failed" | .exit_code = $number' "$run/run.json" >new
		mv new "$run/run.json"
	done
	[ "$(report_value 'map(select(.labels.orchestrator == "ray") | [.exit_code, .status]) | sort' list)" = '[[1,"finished"],[2,"failed"]]' ]
}
