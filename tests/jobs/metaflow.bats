#!/usr/bin/env bats
# Tests of Metaflow flows, with Metaflow from PyPI. Environment variables enable tracking: the flow is a run, and each
# attempt of a step is a run.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/metaflow
load ../lib/recipes

setup() {
	use_metaflow
	# One of the two tasks fails at its first attempt.
	write_flow <<-'END'
		    @retry(times=1, minutes_between_retries=0)
		    @step
		    def fit(self):
		        sum(range(2000000))
		        if self.input == "b" and current.retry_count == 0:
		            raise ValueError("the first time")
		        self.next(self.join)
	END
}

# write_flow: writes a flow whose step "fit" is on stdin.
write_flow() {
	{
		cat <<-'END'
			import os
			import time

			from metaflow import FlowSpec, current, retry, step


			class TrainFlow(FlowSpec):
			    @step
			    def start(self):
			        self.parts = ["a", "b"]
			        self.next(self.fit, foreach="parts")

		END
		cat /dev/fd/3
		cat <<-'END'

			    @step
			    def join(self, inputs):
			        self.next(self.end)

			    @step
			    def end(self):
			        print("all is done")


			if __name__ == "__main__":
			    TrainFlow()
		END
	} 3<&0 >flow.py
}

# run_recipe N: runs the Nth command in the Metaflow section of docs/integrations.md.
run_recipe() {
	recipe Metaflow sh "$1" >command
	PATH=${PYTHON%/*}:$PATH sh -e command >out 2>&1 || { cat out; false; }
}

# lines: prints a line for each run: whether it is inside another run, and its job, orchestrator, index, attempt and
# status.
lines() {
	"$BUILD/rtrack-report" list --format json | jq -r '.[] | [(if .parent then "inside" else "outside" end), .job,
		.labels.orchestrator // "-", .labels.index // "-", .labels.attempt // "-", .status] | join(" ")' | sort
}

STEPS='inside TrainFlow/end metaflow - 0 finished
inside TrainFlow/fit metaflow 0 0 finished
inside TrainFlow/fit metaflow 1 0 failed
inside TrainFlow/fit metaflow 1 1 finished
inside TrainFlow/join metaflow - 0 finished
inside TrainFlow/start metaflow - 0 finished'

@test "Metaflow: LD_PRELOAD for the flow gives the flow and each step attempt a run" {
	run_recipe 1
	grep -q 'all is done' out
	[ "$(lines)" = "$STEPS
outside flow.py - - - finished" ]
	[ "$(jq -r '.labels.run' "$RTRACK_SPOOL"/*/run.json | grep -v null | sort -u | wc -l)" = 1 ]
	# The run of the flow includes the CPU time of its steps.
	flow=$(jq -r 'select(.parent == null) | .id' "$RTRACK_SPOOL"/*/run.json)
	steps=$(for run in "$RTRACK_SPOOL"/*/; do
		[ "$(jq .parent "$run/run.json")" = null ] || total "$run" cpu_seconds
	done | jq -s add)
	jq -n --argjson flow "$(total "$RTRACK_SPOOL/$flow" cpu_seconds)" --argjson steps "$steps" -e '$flow > $steps'
	[ "$("$BUILD/rtrack-report" list --label step=fit --format json | jq length)" = 3 ]
}

@test "Metaflow: LD_PRELOAD in @environment gives step attempts a run, not the flow" {
	run_recipe 2
	grep -q 'all is done' out
	[ "$(lines)" = "$(sed 's/^inside/outside/' <<<"$STEPS")" ]
}

@test "Metaflow: a task killed because another task failed still has a run" {
	write_flow <<-'END'
		    @step
		    def fit(self):
		        if self.input == "a":
		            os.mkfifo("met")
		            open("met", "w").close()
		            time.sleep(600)
		        while not os.path.exists("met"):
		            time.sleep(0.05)
		        open("met").close()
		        raise ValueError("so the other is killed")
		        self.next(self.join)
	END
	fails env LD_PRELOAD="$LIBRARY" "$PYTHON" flow.py run >out 2>&1
	[ "$(lines | grep fit)" = "inside TrainFlow/fit metaflow 0 0 killed
inside TrainFlow/fit metaflow 1 0 failed" ]
}

@test "Metaflow: each node of @parallel and each attempt ended by @timeout has a run" {
	# Metaflow starts the nodes with the command "python".
	PATH=${PYTHON%/*}:$PATH
	cat >flow.py <<-'END'
		import time

		from metaflow import FlowSpec, current, parallel, retry, step, timeout


		class TrainFlow(FlowSpec):
		    @step
		    def start(self):
		        self.next(self.fit, num_parallel=3)

		    @parallel
		    @step
		    def fit(self):
		        self.next(self.join)

		    @step
		    def join(self, inputs):
		        self.next(self.end)

		    @retry(times=1, minutes_between_retries=0)
		    @timeout(seconds=1)
		    @step
		    def end(self):
		        if current.retry_count == 0:
		            time.sleep(600)


		if __name__ == "__main__":
		    TrainFlow()
	END
	LD_PRELOAD=$LIBRARY "$PYTHON" flow.py run >out 2>&1 || { cat out; false; }
	[ "$(lines)" = "inside TrainFlow/end metaflow - 0 failed
inside TrainFlow/end metaflow - 1 finished
inside TrainFlow/fit metaflow 0 0 finished
inside TrainFlow/fit metaflow 1 0 finished
inside TrainFlow/fit metaflow 2 0 finished
inside TrainFlow/join metaflow - 0 finished
inside TrainFlow/start metaflow - 0 finished
outside flow.py - - - finished" ]
	# The first node starts the others. Each node has its own task id.
	[ "$("$BUILD/rtrack-report" list --label step=fit --format json | jq '[.[].labels.task] | unique | length')" = 3 ]
}
