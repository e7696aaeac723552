#!/usr/bin/env bats
# Tests of rtrack-report recommend --all --for, which prints one file for all jobs. The tools themselves read the file.
# The Python packages come from PyPI in the versions of dialects.txt, Nextflow from Maven Central, and sbatch, kubectl
# and docker-compose from Debian. A test is skipped if its tool is missing.
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/dialects
load ../lib/runs
load ../lib/nextflow

setup() {
	# The names of two jobs are plain, and the first job uses a GPU. Most tools do not allow the name of the third
	# job.
	make_run 20261121T020000Z-compute-7-10-0001 finished align
	make_run 20261121T020100Z-compute-7-10-0002 finished call 60
	make_run 20261121T020200Z-compute-7-10-0003 finished "it's \$HOME/a.b *" 120
	sed -i 's/,,,,\([0-9]\)$/,1,10000,1,\1/' "$RTRACK_SPOOL"/*0001/process.csv
	cd "$BATS_TEST_TMPDIR"
}

file() {
	"$BUILD/rtrack-report" recommend --all --for "$1" 2>notes
}

# are_tasks_of TOOL: labels the runs as tasks of an orchestrator, and adds a run of a whole pipeline without the label.
are_tasks_of() {
	sed -i "s/\"labels\": {/&\"orchestrator\": \"$1\", /" "$RTRACK_SPOOL"/*/run.json
	make_run 20261121T020300Z-compute-7-10-0004 finished pipeline 180 >/dev/null
}

@test "recommend --all --for slurm: sbatch accepts the printed arguments and lines" {
	needs_sbatch
	file slurm >requests.sh
	for shell in sh bash; do
		$shell -c '. ./requests.sh; rtrack_arguments align' >arguments
		[ "$(tr '\n' ' ' <arguments)" = "--cpus-per-task=2 --mem=640M --gres=gpu:1 --time=2 " ]
		# shellcheck disable=SC2016
		[ "$($shell -c '. ./requests.sh; rtrack_lines "$1"' - "it's \$HOME/a.b *" | sed -n 2p)" = "#SBATCH --mem=640M" ]
		fails "$shell" -c '. ./requests.sh; rtrack_lines none'
	done
	printf '#!/bin/sh\ntrue\n' >plain.sh
	(echo '#!/bin/sh' && sh -c '. ./requests.sh; rtrack_lines align' && echo true) >lines.sh
	# shellcheck disable=SC2046
	is_read_by_sbatch $(cat arguments) plain.sh
	is_read_by_sbatch lines.sh
	# shellcheck disable=SC2046
	run ! sbatch --test-only $(sed 's/--mem=640M/--mem=640Q/' arguments) plain.sh
	[[ $output == *"Invalid --mem specification"* ]]
	# The lines are inside a function, so the file requests nothing if it is itself submitted as a job.
	sed 's/--mem=640M/--mem=640Q/' requests.sh >spoiled.sh
	is_read_by_sbatch spoiled.sh
}

@test "recommend --for nextflow: retries get more memory after 137 and time after 143" {
	needs_nextflow
	are_tasks_of nextflow
	file nextflow >requests.config
	fails grep -q pipeline requests.config
	# The file sets only sizes, and leaves all other settings of a process to its author.
	fails grep -vE '^//|^process \{$|^    withName: .* \{$|^        (cpus|memory|time) = |^ *\}$' requests.config
	echo "includeConfig 'requests.config'" >nextflow.config
	cat >main.nf <<-'END'
		process align {
		    errorStrategy 'retry'
		    maxRetries 3
		    output: stdout
		    script: "echo ${task.cpus} ${task.memory.toMega()} ${task.time.toMinutes()} >>$launchDir/seen; exit ${[3, 137, 143, 0][task.attempt - 1]}"
		}
		workflow { align() | view }
	END
	nextflow config . >config
	grep -q 'withName:align' config
	fails grep -qE 'maxRetries|errorStrategy' config
	nextflow run -ansi-log false main.nf >out 2>err || { cat out err; return 1; }
	# After exit status 3, the request stays the same. The third attempt gets three times 640 MB, the fourth four times 2 min.
	[ "$(cat seen)" = "$(printf '2 640 2\n2 640 2\n2 1920 2\n2 640 8')" ] || { cat seen; return 1; }
	# The file quotes the name of the third job, because Nextflow would read an unquoted name as a pattern.
	sed 's/^process {/process {{/' requests.config >spoiled.config
	echo "includeConfig 'spoiled.config'" >nextflow.config
	run ! nextflow config .
}

@test "recommend --all --for snakemake: the profile requests more at each attempt" {
	needs_python
	mkdir profile
	file snakemake >profile/config.yaml
	grep -q 'note: no run has the label orchestrator=snakemake' notes
	are_tasks_of snakemake
	file snakemake >profile/config.yaml
	fails grep -q 'pipeline\|retries:' profile/config.yaml
	grep -q "note: job 'it's .* is left out: Snakemake" notes
	cat >Snakefile <<-'END'
		rule all:
		    input: "a", "c"
		rule align:
		    output: "a"
		    shell: "echo {threads} {resources.mem_mb} {resources.gpu} {resources.runtime} >>seen; [ $(wc -l <seen) = 2 ] && touch a"
		rule call:
		    output: "c"
		    shell: "echo {threads} {resources.mem_mb} {resources.runtime} >>seen_c; touch c"
	END
	HOME=$PWD "$PYTHON" -m snakemake --profile profile --cores 4 --resources gpu=1 --retries 1 >log 2>&1 || { cat log; return 1; }
	[ "$(cat seen)" = "$(printf '2 672 1 2\n2 1344 1 4')" ] || { cat seen; return 1; }
	[ "$(cat seen_c)" = "2 672 2" ]
}

@test "recommend --all --for kubernetes: kubectl applies the patches to valid Jobs" {
	need kubectl
	needs_python
	file kubernetes >patch.yaml
	for name in align call it-s--home-a-b; do
		printf -- '---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: %s\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n      - name: %s\n        image: job\n' "$name" "$name"
	done >base.yaml
	printf 'resources: [base.yaml]\npatchesStrategicMerge: [patch.yaml]\n' >kustomization.yaml
	HOME=$PWD kubectl kustomize . >jobs.yaml 2>err || { cat err; return 1; }
	cat >check.py <<-'END'
		import kubernetes_validate, yaml
		jobs = list(yaml.safe_load_all(open("jobs.yaml")))
		assert [job["metadata"]["name"] for job in jobs] == ["align", "call", "it-s--home-a-b"], jobs
		for job in jobs:
		    kubernetes_validate.validate(job, kubernetes_validate.latest_version(), strict=True)
		    [container] = job["spec"]["template"]["spec"]["containers"]
		    limits = {"memory": "640Mi"} | ({"nvidia.com/gpu": 1} if job["metadata"]["name"] == "align" else {})
		    assert container["image"] == "job" and container["resources"] == {
		        "requests": {"cpu": "2", "memory": "640Mi"}, "limits": limits}, container
		    assert job["spec"]["activeDeadlineSeconds"] == 120
	END
	"$PYTHON" check.py
}

@test "recommend --all --for metaflow: decorators of Metaflow accept the requests" {
	needs_python
	are_tasks_of metaflow
	file metaflow >requests.py
	fails grep -q pipeline requests.py
	cat >flow.py <<-'END'
		import requests as wanted
		from metaflow import FlowSpec, resources, step, timeout
		class Flow(FlowSpec):
		    @timeout(**wanted.TIMEOUT["align"])
		    @resources(**wanted.RESOURCES["align"])
		    @step
		    def start(self):
		        self.next(self.end)
		    @resources(**wanted.RESOURCES["it's $HOME/a.b *"])
		    @step
		    def end(self):
		        pass
		def attributes(step, name):
		    return next(d.attributes for d in getattr(Flow, step).decorators if d.name == name)
		start, end = attributes("start", "resources"), attributes("end", "resources")
		print(start["cpu"], start["memory"], start["gpu"], attributes("start", "timeout")["seconds"], end["memory"])
	END
	mv requests.py wanted.py
	sed -i 's/import requests as wanted/import wanted/' flow.py
	[ "$(HOME=$PWD METAFLOW_USER=ada "$PYTHON" flow.py | tail -n 1)" = "2 640 1 120 640" ]
}

@test "recommend --all --for batch: each request fits the API model of AWS Batch" {
	needs_python
	file batch >requests.json
	cat >check.py <<-'END'
		import json
		import botocore.session
		from botocore.validate import ParamValidator
		shape = botocore.session.Session().get_service_model("batch").operation_model("SubmitJob").input_shape
		def problems(job):
		    return ParamValidator().validate({"jobQueue": "q", "jobDefinition": "d", **job}, shape).generate_report()
		jobs = json.load(open("requests.json"))
		assert list(jobs) == ["align", "call", "it's $HOME/a.b *"], jobs
		for job in jobs.values():
		    assert problems(job) == "", problems(job)
		assert jobs["it's $HOME/a.b *"]["jobName"] == "it-s--HOME-a-b", jobs
		wanted = {item["type"]: item["value"] for item in jobs["align"]["containerOverrides"]["resourceRequirements"]}
		assert wanted == {"VCPU": "2", "MEMORY": "640", "GPU": "1"}, wanted
		assert jobs["call"]["timeout"] == {"attemptDurationSeconds": 120}
		jobs["call"]["timeout"] = 120
		assert problems(jobs["call"]) != ""
	END
	"$PYTHON" check.py
}

@test "recommend --all --for docker: docker-compose merges the file with the services" {
	need docker-compose
	file docker >requests.yaml
	printf 'services:\n  align: {image: job}\n  call: {image: job}\n  it-s--HOME-a.b: {image: job}\n' >compose.yaml
	docker-compose -f compose.yaml -f requests.yaml config >merged.yaml 2>err || { cat err; return 1; }
	python3 - <<-'END'
		import re
		text = open("merged.yaml").read()
		align = re.search(r"  align:\n(.*?)\n  \S", text, re.S).group(1)
		assert "image: job" in align and re.search(r"cpus: '?2(\.0)?'?\n", align) and "memory: 640M" in align, text
		assert "gpu" in align and "count: 1" in align, text
		assert text.count("memory: 640M") == 3, text
	END
	grep -qx '  # docker run --cpus=2 --memory=640m --gpus=1' requests.yaml
	sed 's/cpus:/cpu:/' requests.yaml >spoiled.yaml
	run ! docker-compose -f compose.yaml -f spoiled.yaml config
}

@test "recommend --all --for airflow: the Kubernetes client accepts the requests" {
	needs_python
	run ! file airflow
	grep -qx 'rtrack-report: no run of these jobs is a task of Airflow' notes
	are_tasks_of airflow
	file airflow >wanted.py
	cat >check.py <<-'END'
		from datetime import timedelta
		import kubernetes.client, kubernetes_validate
		from wanted import REQUESTS, TASKS
		assert list(REQUESTS) == list(TASKS) == ["align", "call", "it's $HOME/a.b *"], REQUESTS
		for name, request in REQUESTS.items():
		    assert request["execution_timeout"] == timedelta(minutes=2)
		    container = kubernetes.client.V1Container(name="base", image="job", resources=request["container_resources"])
		    pod = kubernetes.client.V1Pod(api_version="v1", kind="Pod", metadata={"name": "pod"},
		                                  spec=kubernetes.client.V1PodSpec(containers=[container]))
		    pod = kubernetes.client.ApiClient().sanitize_for_serialization(pod)
		    kubernetes_validate.validate(pod, kubernetes_validate.latest_version(), strict=True)
		    resources = pod["spec"]["containers"][0]["resources"]
		    limits = {"memory": "640Mi"} | ({"nvidia.com/gpu": "1"} if name == "align" else {})
		    assert resources == {"requests": {"cpu": "2", "memory": "640Mi"}, "limits": limits}, resources
		    override = kubernetes.client.ApiClient().sanitize_for_serialization(TASKS[name]["executor_config"]["pod_override"])
		    assert override["spec"]["containers"] == [{"name": "base", "resources": resources}], override
		    assert TASKS[name]["execution_timeout"] == timedelta(minutes=2)
	END
	"$PYTHON" check.py
	# On a machine that starts no pods, the Kubernetes client need not be installed.
	python3 -c 'import wanted; assert wanted.REQUESTS == {} and list(wanted.TASKS["align"]) == ["execution_timeout"]'
}
