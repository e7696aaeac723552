#!/usr/bin/env bats
# Tests of rtrack-report recommend --for: the tools themselves read the printed lines. The Python packages and the
# Kubernetes schema come from PyPI, and sbatch from Debian. A test is skipped if its tool is missing.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/dialects
load ../lib/runs

setup() {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	# The job uses one GPU with 10000 MiB of its memory.
	sed -i 's/,,,,\([0-9]\)$/,1,10000,1,\1/' "$run/process.csv"
	cd "$BATS_TEST_TMPDIR"
}

lines() {
	"$BUILD/rtrack-report" recommend --for "$1" 2>/dev/null
}

@test "recommend --for slurm: sbatch accepts the printed lines, but not wrong values" {
	needs_sbatch
	(echo '#!/bin/sh' && lines slurm && echo true) >job.sh
	is_read_by_sbatch job.sh
	sed 's/--mem=640M/--mem=640Q/' job.sh >spoiled.sh
	run ! sbatch --test-only spoiled.sh
	[[ $output == *"Invalid --mem specification"* ]]
	sed 's/--time=2/--time=two/' job.sh >spoiled.sh
	run ! sbatch --test-only spoiled.sh
	[[ $output == *"Invalid --time specification"* ]]
	sed 's/gpu:1/no:1/' job.sh >spoiled.sh
	run ! sbatch --test-only spoiled.sh
	[[ $output == *"Invalid generic resource"* ]]
}

@test "recommend --for snakemake: a dry run shows the requested resources" {
	needs_python
	{
		printf 'rule work:\n    output: "out"\n'
		lines snakemake
		echo '    shell: "echo {threads} {resources.mem_mb} {resources.gpu} {resources.runtime}"'
	} >Snakefile
	HOME=$PWD "$PYTHON" -m snakemake --dry-run --printshellcmds --cores 4 >log 2>&1
	grep -q 'echo 2 672 1 2' log || { cat log; return 1; }
}

@test "recommend --for metaflow: decorators of Metaflow accept the arguments" {
	needs_python
	cat >flow.py <<-END
		from metaflow import FlowSpec, resources, step, timeout
		class Flow(FlowSpec):
		$(lines metaflow | sed 's/^/    /')
		    @step
		    def start(self):
		        self.next(self.end)
		    @step
		    def end(self):
		        pass
		def attributes(name):
		    return next(d.attributes for d in Flow.start.decorators if d.name == name)
	END
	HOME=$PWD METAFLOW_USER=ada "$PYTHON" -c 'import flow; a = flow.attributes("resources"); print(a["cpu"], a["memory"], a["gpu"], flow.attributes("timeout")["seconds"])' >log
	[ "$(cat log)" = "2 640 1 120" ]
}

@test "recommend --for kubernetes: a pod with the printed lines matches the schema" {
	needs_python
	{
		printf 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: job\nspec:\n  containers:\n  - name: job\n    image: job\n'
		lines kubernetes | sed 's/^/    /'
		# The printed comment contains a line for the spec of the pod.
		lines kubernetes | sed -n 's/^# spec of the pod or Job: /  /p'
	} >pod.yaml
	cat >check.py <<-'END'
		import kubernetes_validate, sys, yaml
		pod = yaml.safe_load(open("pod.yaml"))
		kubernetes_validate.validate(pod, kubernetes_validate.latest_version(), strict=True)
		container = pod["spec"]["containers"][0]
		assert container["resources"] == {"requests": {"cpu": "2", "memory": "640Mi"},
		                                  "limits": {"memory": "640Mi", "nvidia.com/gpu": 1}}, container
		assert pod["spec"]["activeDeadlineSeconds"] == 120, pod
		container["resources"]["request"] = container["resources"].pop("requests")
		try:
		    kubernetes_validate.validate(pod, kubernetes_validate.latest_version(), strict=True)
		except kubernetes_validate.ValidationError:
		    sys.exit(0)
		sys.exit("what is spoiled is valid as well")
	END
	"$PYTHON" check.py
}

@test "recommend --for batch: the printed lines match the API model of AWS Batch" {
	needs_python
	echo "{\"image\": \"job\", $(lines batch | sed -n 1p)}" >container.json
	echo "{$(lines batch | sed -n 2p)}" >definition.json
	cat >check.py <<-'END'
		import json
		import botocore.session
		from botocore.validate import ParamValidator
		model = botocore.session.Session().get_service_model("batch")
		shape = model.operation_model("RegisterJobDefinition").input_shape
		def problems(container):
		    return ParamValidator().validate({"jobDefinitionName": "job", "type": "container",
		                                      "containerProperties": container,
		                                      **json.load(open("definition.json"))}, shape).generate_report()
		container = json.load(open("container.json"))
		assert problems(container) == "", problems(container)
		kinds = model.shape_for("ResourceType").enum
		wanted = {item["type"]: item["value"] for item in container["resourceRequirements"]}
		assert wanted == {"VCPU": "2", "MEMORY": "640", "GPU": "1"} and set(wanted) <= set(kinds), wanted
		container["resourceRequirements"][0]["value"] = 2
		assert problems(container) != ""
	END
	"$PYTHON" check.py
}

@test "recommend --for docker: Docker's library parses the printed sizes" {
	needs_python
	cat >check.py <<-'END'
		import argparse, sys
		from docker.types import HostConfig
		from docker.utils import parse_bytes
		parser = argparse.ArgumentParser()
		parser.add_argument("--cpus", type=float)
		parser.add_argument("--memory", type=parse_bytes)
		parser.add_argument("--gpus", type=int)
		options = parser.parse_args(sys.argv[1:])
		config = HostConfig(version="1.44", mem_limit=options.memory, nano_cpus=int(options.cpus * 1e9))
		assert config["Memory"] == 640 << 20 and config["NanoCpus"] == 2 * 10**9 and options.gpus == 1, config
	END
	# shellcheck disable=SC2046
	"$PYTHON" check.py $(lines docker)
}

@test "recommend --for nextflow: Groovy accepts the printed lines" {
	need groovy java
	{
		echo 'def seen = [:]'
		echo 'def cpus = { seen.cpus = it }; def memory = { seen.memory = it }; def accelerator = { seen.accelerator = it }'
		echo 'def time = { seen.time = it }'
		lines nextflow
		echo 'assert seen == [cpus: 2, memory: "640 MB", accelerator: 1, time: "2 min"]'
	} >job.groovy
	home=$(readlink -f "$(command -v java)")
	JAVA_HOME=${home%/bin/java} HOME=$PWD groovy job.groovy
	sed 's/^memory .*/memory 640 MB/' job.groovy >spoiled.groovy
	run ! env JAVA_HOME="${home%/bin/java}" HOME="$PWD" groovy spoiled.groovy
}
