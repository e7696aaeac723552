#!/usr/bin/env bats
# A pipeline runs, recommend --all --for prints its requests, and the pipeline runs again with that file: every task ends
# as before, and no task needs more than the file requests.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/dialects
load ../lib/jobs
load ../lib/metaflow
load ../lib/nextflow
load ../lib/recipes

setup() {
	cd "$BATS_TEST_TMPDIR"
	export PATH=$BUILD:$PATH
}

# move_runs: moves the runs of the first round to another directory, so that the second round begins a new spool.
move_runs() {
	mv "$RTRACK_SPOOL" first
}

# ends SPOOL: prints job, exit status, attempt and status of each task.
ends() {
	jq -r 'select(.labels.orchestrator) | [.job, .exit_code, .labels.attempt // "-", .status] | join(" ")' "$1"/*/run.json | sort
}

# second_is_like_first: fails unless the tasks ended in the same way in both rounds.
second_is_like_first() {
	[ -n "$(ends first)" ]
	diff <(ends first) <(ends "$RTRACK_SPOOL")
}

# requests_hold: fails if a task of the second round has no request, or needed more memory or time than its request.
requests_hold() {
	local run
	for run in "$RTRACK_SPOOL"/*/; do
		jq -e 'select(.labels.orchestrator)' "$run/run.json" >task || continue
		jq -e --argjson peak "$(total "$run" peak_memory_mib)" \
			'.requested.memory_mib >= $peak and .requested.cpu >= 1 and .requested.seconds >= .stop_time - .start_time' task ||
			{ cat task; false; }
	done
}

@test "Nextflow: with the printed file, ignored and retried failures end as before" {
	needs_nextflow
	recipe Nextflow groovy >nextflow.config
	cat >main.nf <<-'END'
		process qc {
		    errorStrategy 'retry'
		    maxRetries 1
		    script: "[ ${task.attempt} = 2 ] || exit 3"
		}
		process optional {
		    errorStrategy 'ignore'
		    script: "exit 5"
		}
		process model {
		    script: "python3 -c 'bytearray(100 << 20)'"
		}
		workflow { qc(); optional(); model() }
	END
	rtrack-run --job pipeline true
	nextflow run -ansi-log false main.nf >out 2>err || { cat out err; false; }
	rtrack-report recommend --all --for nextflow >requests.config
	[ "$(grep -c withName requests.config)" = 3 ]
	move_runs
	echo "includeConfig 'requests.config'" >>nextflow.config
	nextflow run -ansi-log false main.nf >out 2>err || { cat out err; false; }
	fails grep 'no process matching' out err log
	second_is_like_first
	requests_hold
}

@test "Snakemake: with the printed profile, rules end as before, without new retries" {
	needs_python
	cat >Snakefile <<-END
		include: "$PROJECT/integrations/snakemake/rtrack.smk"
		rule all:
		    input: "model.out", "sorted.out", "script.out"
		rule model:
		    output: "model.out"
		    shell: "python3 -c 'bytearray(100 << 20)' && touch {output}"
		rule sort:
		    output: "sorted.out"
		    shell: "exit 3"
		rule again:
		    output: "script.out"
		    retries: 1
		    shell: "[ -e tried ] && touch {output} || {{ touch tried; exit 4; }}"
	END
	rtrack-run --job pipeline true
	HOME=$PWD run ! "$PYTHON" -m snakemake --cores 2 --keep-going
	mkdir profile
	rtrack-report recommend --all --for snakemake >profile/config.yaml
	grep -q '^  "model":$' profile/config.yaml
	fails grep -q 'pipeline' profile/config.yaml
	move_runs
	rm -f ./*.out tried
	HOME=$PWD run ! "$PYTHON" -m snakemake --cores 2 --keep-going --profile profile
	second_is_like_first
	[ "$(jq -r .job "$RTRACK_SPOOL"/*/run.json | sort | paste -sd' ')" = "again again model sort" ]
	jq -e '.requested.memory_mib == null' first/*/run.json >/dev/null
	requests_hold
}

@test "Metaflow: a flow runs with the decorators that recommend prints for each step" {
	use_metaflow
	cat >flow.py <<-'END'
		from metaflow import FlowSpec, resources, step, timeout

		try:
		    import requested
		except ImportError:
		    requested = None


		def asks(name):
		    if not requested:
		        return lambda function: function
		    return lambda function: resources(**requested.RESOURCES[name])(timeout(**requested.TIMEOUT[name])(function))


		class TrainFlow(FlowSpec):
		    @asks("TrainFlow/start")
		    @step
		    def start(self):
		        bytearray(100 << 20)
		        self.next(self.end)

		    @asks("TrainFlow/end")
		    @step
		    def end(self):
		        pass


		if __name__ == "__main__":
		    TrainFlow()
	END
	preload "$PYTHON" flow.py run >out 2>&1 || { cat out; false; }
	rtrack-report recommend --all --for metaflow >requested.py
	[ "$("$PYTHON" -c 'import requested; print(*requested.RESOURCES)')" = "TrainFlow/end TrainFlow/start" ]
	move_runs
	preload "$PYTHON" flow.py run >out 2>&1 || { cat out; false; }
	second_is_like_first
}
