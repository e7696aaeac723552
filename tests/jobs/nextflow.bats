#!/usr/bin/env bats
# Tests of Nextflow, from Maven Central: each attempt of a task is a run, named after its process.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/nextflow
load ../lib/podman
load ../lib/recipes
load ../lib/roots

setup_file() {
	load ../lib/helper
	load ../lib/jobs
	load ../lib/podman
	load ../lib/roots
	cd "$BATS_FILE_TMPDIR"
	make_root shell glibc
	put_program shell "$(command -v bash)" /bin/bash
	put_program shell /bin/true
	make_podman shell
}

teardown_file() {
	remove_podman
}

setup() {
	needs_nextflow
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool
	cat >main.nf <<-'END'
		process align {
		    input: val sample
		    output: stdout
		    script: "/bin/true; echo sample ${sample}"
		}
		process again {
		    maxRetries 1
		    errorStrategy 'retry'
		    script: "test ${task.attempt} = 2"
		}
		workflow { align(Channel.of(1, 2, 3)) | view; again() }
	END
}

# lines: prints the job, index, attempt and status of each run.
lines() {
	"$BUILD/rtrack-report" list --format json |
		jq -r '.[] | [.job, .labels.index // "-", .labels.attempt // "-", .labels.orchestrator // "-", .status] | join(" ")' | sort
}

# configure: writes the configuration that docs/integrations.md shows.
configure() {
	recipe Nextflow groovy >nextflow.config
}

# attempts_are_runs: checks that the pipeline printed its results, and that each attempt of its tasks is a run.
attempts_are_runs() {
	[ "$(grep '^sample' out | sort | paste -sd' ')" = "sample 1 sample 2 sample 3" ]
	[ "$(lines)" = "again 1 1 nextflow failed
again 1 2 nextflow finished
align 1 1 nextflow finished
align 2 1 nextflow finished
align 3 1 nextflow finished" ]
}

@test "Nextflow: with LD_PRELOAD for the tasks, only attempts of tasks have a run" {
	configure
	nextflow run -ansi-log false main.nf >out 2>err || { cat out err; false; }
	attempts_are_runs
	fails grep -l 'tee' spool/*/start.csv
	session=$(jq -r .labels.session spool/*/run.json | sort -u)
	grep -F "$session" .nextflow/history
	"$BUILD/rtrack-report" show "nextflow:$session" >shown
	cat shown
	[[ "$(head -n 1 shown)" == 'main.nf finished in '*'; 1 of 5 runs failed and was retried'* ]]
}

@test "Nextflow: the run of a local task has the requested cpus, memory and time" {
	configure
	sed -i "s/    input: val sample/    cpus 1\n    memory '64 MB'\n    time '2m'\n&/" main.nf
	nextflow run -ansi-log false main.nf >out 2>err || { cat out err; false; }
	attempts_are_runs
	[ "$(jq -c 'select(.job == "align") | .requested | [.cpu, .memory_mib, .seconds]' spool/*/run.json | sort -u)" = '[1,64,120]' ]
	[ "$(jq -c 'select(.job == "again") | .requested | [.cpu, .seconds]' spool/*/run.json | sort -u)" = '[1,null]' ]
}

@test "Nextflow: under rtrack-run, the run of the pipeline contains the runs of tasks" {
	configure
	export NXF_ANSI_LOG=false
	mkdir bin
	# dash does not export shell functions, so the function is copied into the script.
	{
		echo '#!/bin/bash'
		declare -p JARS
		declare -f nextflow
		echo 'nextflow "$@"'
	} >bin/nextflow
	chmod +x bin/nextflow
	recipe Nextflow sh >command
	PATH=$PWD/bin:$BUILD:$PATH sh -e command >out 2>err || { cat out err; false; }
	pipeline=$(jq -r 'select(.parent == null) | .id' spool/*/run.json)
	[ "$(jq -r .job "spool/$pipeline/run.json")" = pipeline ]
	[ "$(jq -r "select(.parent == \"$pipeline\") | .labels.process" spool/*/run.json | sort | uniq -c | tr -s ' ' | paste -sd,)" = " 2 again, 3 align" ]
}

# bats test_tags=root
@test "Nextflow: tasks in containers have runs, like other tasks" {
	needs_podman
	configure
	{
		recipe Nextflow groovy 2 | sed 's/docker/podman/'
		echo "process.container = 'localhost/shell'"
	} >>nextflow.config
	mkdir spool
	PATH=$BATS_FILE_TMPDIR/bin:$PATH nextflow run -ansi-log false main.nf >out 2>err || { cat out err; false; }
	attempts_are_runs
	[ "$(jq -r .host spool/*/run.json | sort -u | wc -l)" -gt 1 ]
}
