#!/usr/bin/env bats
# Tests of @track_resources, the extension in integrations/metaflow, in flows of Metaflow from PyPI
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/driver
load ../lib/metaflow
load ../lib/recipes

setup() {
	use_metaflow
	export PYTHONPATH=$PROJECT/integrations/metaflow PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache
	PATH=${PYTHON%/*}:$BUILD:$PATH
	cat >flow.py <<-'END'
		from metaflow import FlowSpec, Parameter, retry, step, track_resources


		class TrainFlow(FlowSpec):
		    fails = Parameter("fails", default=0)

		    @retry(times=1, minutes_between_retries=0)
		    @track_resources(interval=0.1, artifact_name="used")
		    @step
		    def start(self):
		        held = bytearray(100 << 20)
		        sum(range(1000000))
		        if self.fails:
		            raise ValueError("as asked")
		        self.next(self.end)

		    @step
		    def end(self):
		        print("all is done")


		if __name__ == "__main__":
		    TrainFlow()
	END
}

# kept FLOW STEP ARTIFACT: prints the artifact of each run as a line of JSON, the latest first.
kept() {
	"$PYTHON" -c '
import json, sys
from metaflow import Flow
for run in Flow(sys.argv[1]):
    print(json.dumps(run[sys.argv[2]].task[sys.argv[3]].data))' "$@"
}

cards() {
	find .metaflow/mf.cards -name 'tracked_resources-resource_tracker_*.html' | sort
}

@test "@track_resources: the example of docs/integrations.md works, including the card" {
	venv ipython -r "$PROJECT/tests/jobs/locks/ipython.txt"
	pip=$PYTHON
	cp -r "$PROJECT/integrations" .
	recipe Metaflow sh 3 | sed "s|^pip install|'$pip' -m pip install --quiet --disable-pip-version-check --no-index --no-build-isolation --no-deps --target new|" >command
	sh -e command
	export PYTHONPATH=$PWD/new
	recipe Metaflow python >train.py
	recipe Metaflow sh 4 >commands
	sh -e commands >out 2>&1 || { cat out; false; }
	grep -q '@resources(cpu=1, memory=' out
	# Only the decorated step has a run, with its marks.
	[ "$(jq -r '[.job, .status, .labels.step] | join(" ")' "$(only_run)/run.json")" = "TrainFlow/start finished start" ]
	grep -q '"all is loaded"' "$(only_run)/mark.csv"
	[ "$(report_parts)" = loading ]
	grep -qF 'TrainFlow/start' page.html && grep -qF '<bdi>loading</bdi>' page.html
	# The page was made before the run ended, and nevertheless shows how it ended.
	grep -q finished page.html
	fails grep -q 'running' <(sed -n '/<header/,/<\/header>/p' page.html)
}

report_parts() {
	"$BUILD/rtrack-report" show --format json | jq -r '.parts[].name'
}

@test "@track_resources: the artifact has the history of successful runs" {
	python flow.py run >out 2>&1 || { cat out; false; }
	cards >before
	fails python flow.py run --fails 1 >out 2>&1
	# Each attempt has a run, an artifact and a card. The flow fails with its own error.
	grep -q 'ValueError: as asked' out
	fails grep -q '@track_resources' out
	[ "$(jq -r '[.job, .status, .labels.attempt] | join(" ")' spool/*/run.json | sort)" = "TrainFlow/start failed 0
TrainFlow/start failed 1
TrainFlow/start finished 0" ]
	kept TrainFlow start used | head -n 1 | jq -e '.step_failed and .tracker.rtrack.run.status == "failed"'
	card=$(cards | grep -vxF -f before | head -n 1)
	grep -q 'failed' "$card" && grep -q 'TrainFlow/start' "$card"
	python flow.py run >out 2>&1 || { cat out; false; }
	kept TrainFlow start used >all
	[ "$(jq -c '[.step_failed, (.historical_stats | length)]' all | paste -sd' ')" = '[false,1] [true,1] [false,0]' ]
	# The history has the statistics of the earlier run as they were stored in that run's artifact. No statistic of
	# resource-tracker is null.
	[ "$(jq -c '.historical_stats[0]' all | head -n 1)" = "$(tail -n 1 all | jq -c .rtrack.stats)" ]
	jq -e '.historical_stats | all(.[]; .process_gpu_usage.mean == 0 and .process_memory_mib.max > 100 and .timestamp.duration > 0)' all
	head -n 1 all | jq -e '.rtrack.advice | startswith("@resources(cpu=1, memory=")'
	head -n 1 all | jq -e '.rtrack.page | contains("Compared with earlier runs") or contains("the run before")'
	# The run of the first flow is still in the spool. The history is also complete if the spool is missing.
	rm -rf spool
	python flow.py run >out 2>&1 || { cat out; false; }
	kept TrainFlow start used | head -n 1 >last
	jq -e '(.historical_stats | length) == 2 and (.rtrack.page | contains("Compared with earlier runs") or contains("the run before"))' last
	[ "$(jq -c '.historical_stats[1]' last)" = "$(tail -n 1 all | jq -c .rtrack.stats)" ]
	# resource-tracker's own code can read the snapshot.
	venv predecessor resource-tracker
	old=$PYTHON
	head -n 1 all | "$old" -c '
import json, sys
from resource_tracker import ResourceTracker
kept = json.load(sys.stdin)
stats = ResourceTracker.from_snapshot(kept["tracker"]).stats()
assert abs(stats["process_memory_mib"]["max"] - kept["rtrack"]["stats"]["process_memory_mib"]["max"]) < 0.01, stats'
}

@test "@track_resources: reads five of 1,000 earlier runs, and then stops the search" {
	cat >stub.py <<-'END'
		import sys, types

		class Task(dict):
		    pass

		class Run:
		    def __init__(self, number):
		        self.id, self.successful = str(number), number % 3 != 0
		        kept = types.SimpleNamespace(data={"tracker": {}, "number": number})
		        self.step = types.SimpleNamespace(task={"used": kept})

		    def __getitem__(self, name):
		        if name == "end":  # The last step of this flow has another name.
		            raise KeyError(name)
		        seen.append(self.id)
		        return self.step

		seen = []
		sys.modules["metaflow"] = types.SimpleNamespace(Flow=lambda name: (Run(n) for n in range(1000, 0, -1)))
		sys.path.insert(0, sys.argv[1])
		import history

		assert [kept["number"] for kept in history.earlier("F", "start", "1000", "used")] == [998, 997, 995, 994, 992]
		assert list(history.earlier("F", "start", "1000", "other")) == []
		assert len(seen) < 60
	END
	"$PYTHON" stub.py "$PROJECT/integrations/metaflow/metaflow_extensions/rtrack/plugins/track_resources"
}

@test "@track_resources: code written for resource-tracker works unchanged" {
	simulate_driver
	echo 'devices 1' >"$script"
	export RTRACK_SPOOL=$PWD/spool
	cat >old.py <<-'END'
		import time
		from pathlib import Path

		from metaflow import FlowSpec, card, step, track_resources


		class OldFlow(FlowSpec):
		    @card(type="tracked_resources", id="mine", options={"artifact_name": "resource_tracker_data"})
		    @track_resources(interval=0.1, create_card=False)
		    @step
		    def start(self):
		        sum(range(10000000))
		        while not any(file.read_text().count("\n") > 1 for file in Path("spool").glob("*/gpu.csv")):
		            time.sleep(0.01)
		        self.next(self.end)

		    @step
		    def end(self):
		        data = self.resource_tracker_data
		        assert not data["step_failed"] and not data.get("error")
		        rows = data["tracker"]["process_metrics"]
		        print("samples:", len(rows), "peak:", max(row["cpu_usage"] for row in rows))
		        print(sorted(data["tracker"]["metadata"]), data["tracker"]["server_info"]["vcpus"])
		        print("GPUs:", data["tracker"]["server_info"]["gpu_names"])


		if __name__ == "__main__":
		    OldFlow()
	END
	python old.py run >out 2>&1 || { cat out; false; }
	grep -q 'samples: [1-9]' out
	grep -q 'GPUs: .*NVIDIA T0' out
	[ "$(find .metaflow/mf.cards -name 'tracked_resources-mine*.html' | wc -l)" = 1 ]
	[ -z "$(cards)" ]
}

@test "@track_resources: the card shows an error of the tracker, and the step succeeds" {
	RTRACK=off python flow.py run >out 2>&1 || { cat out; false; }
	grep -q 'all is done' out
	kept TrainFlow start used | jq -e '.error | .error_type == "RuntimeError" and (.error_message | contains("RTRACK=off")) and (.traceback | length > 0)'
	grep -q 'RTRACK=off' "$(cards)"
	# rtrack-report fails, because it is replaced by a broken program.
	mkdir broken
	cp "$LIBRARY" broken
	printf '#!/bin/sh\necho "no such luck" >&2\nexit 1\n' >broken/rtrack-report
	chmod +x broken/rtrack-report
	ln -s /bin/true broken/rtrack-run
	PATH=${PYTHON%/*}:$PWD/broken:/usr/bin:/bin python flow.py run >out 2>&1 || { cat out; false; }
	kept TrainFlow start used | head -n 1 | jq -e '.error.error_message == "no such luck"'
	[ "$(json status "$(only_run)/run.json")" = finished ]
}

@test "@track_resources: LD_PRELOAD is set in a (simulated) pod with the library" {
	cat >pod.py <<-'END'
		import sys

		from metaflow.metaflow_environment import MetaflowEnvironment
		from metaflow.plugins.environment_decorator import EnvironmentDecorator
		from metaflow.plugins.kubernetes.kubernetes import Kubernetes
		from metaflow.plugins.kubernetes.kubernetes_decorator import KubernetesDecorator
		from metaflow_extensions.rtrack.plugins.track_resources.decorator import TrackResources


		class Store:
		    TYPE = "s3"


		def variables(*others):
		    decorators = [KubernetesDecorator(), *others]
		    mine = TrackResources(attributes={"interval": 0.5}, statically_defined=True)
		    mine.step_init(None, None, "start", decorators, None, None, print)
		    assert [decorator.name for decorator in decorators].count("environment") == 1
		    return next(decorator for decorator in decorators if decorator.name == "environment").attributes["vars"]


		def own(**variables):
		    return EnvironmentDecorator(attributes={"vars": variables}, statically_defined=True)


		asked = variables()
		assert asked["METAFLOW_FLOW_FILENAME"] == "pod.py" and asked["RTRACK_INTERVAL"] == "0.5"
		assert variables(own(A="b"))["A"] == "b" and "METAFLOW_FLOW_FILENAME" not in variables(own(A="b"))
		for name in ("LD_PRELOAD", "METAFLOW_INIT_SCRIPT"):
		    assert variables(own(**{name: "x"})) == {name: "x"}
		assert KubernetesDecorator.defaults["image"] is None and EnvironmentDecorator.defaults["vars"] == {}

		pod = Kubernetes(Store, None, MetaflowEnvironment(None))
		command = pod._command("F", "1", "start", "2", 0, "{}", "s3://bucket/package", ["true"])
		with open(sys.argv[1], "w") as file:
		    file.write(asked["METAFLOW_INIT_SCRIPT"])
		with open(sys.argv[2], "w") as file:
		    # Only the first part of the command is checked, up to the download of the code package.
		    begin, marker, _ = command[2].partition(" && true && ")
		    assert command[:2] == ["bash", "-c"] and marker
		    file.write(begin)
	END
	python pod.py script begin || return 1
	mkdir -p root/usr/local/lib
	preloaded() {
		env -u LD_PRELOAD METAFLOW_INIT_SCRIPT="$(sed "s|/usr/local|$PWD/root/usr/local|g" script)" "$@" bash -c "$(cat begin) && echo \"preload: \$LD_PRELOAD\"" 2>&1
	}
	[ "$(preloaded)" = "preload: " ]
	cp "$LIBRARY" root/usr/local/lib/librtrack.so
	[ "$(preloaded)" = "preload: $PWD/root/usr/local/lib/librtrack.so" ]
}
