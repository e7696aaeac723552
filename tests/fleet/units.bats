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

@test "recommend --all: the script and the steps of a Slurm job are one run" {
	rm -r "$RTRACK_SPOOL"/*0004
	sed -i 's/"job": "fit.sh"/"job": "fit"/' "$RTRACK_SPOOL"/*0001/run.json
	# The script and both ranks have 300 MiB each, and overlap.
	[ "$(report_value '[.[] | .basis.runs, .resources.memory >= 900]' recommend --all)" = '[1,true]' ]
}
