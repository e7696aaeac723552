#!/usr/bin/env bats
# Tests of Snakemake, from PyPI and from Debian: each job is a run, named after its rule.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD PATH=$BUILD:$PATH
}

# includes PYTHON: tracks jobs of each kind with the documented line. One command is longer than an argument may be, so
# Snakemake writes it to a file. The first attempt of one job fails.
includes() {
	recipe Snakemake python | sed "s|integrations/|$PROJECT/&|" >Snakefile
	cat >>Snakefile <<-'END'
		rule all:
		    input: "a.shell", "b.shell", "script", "wrapper", "run", "long"
		rule shell:
		    output: "{sample}.shell"
		    threads: 2
		    resources: mem_mb=200, runtime=5
		    retries: 1
		    shell: "[ {wildcards.sample} = b ] || [ -e tried ] || {{ touch tried; exit 3; }}; echo '{wildcards.sample}  x' | sort >{output}"
		rule script:
		    output: "script"
		    script: "made.py"
		rule wrapper:
		    output: "wrapper"
		    wrapper: "file:wrapped"
		rule long:
		    output: "long"
		    params: text="y" * 70000
		    shell: "echo {params.text} | tr -d '\\n' >{output}"
		rule run:
		    output: "run"
		    run:
		        held = bytearray(100 << 20)
		        shell("echo run >{output}")
	END
	mkdir wrapped
	echo "open(snakemake.output[0], 'w').close()" | tee made.py >wrapped/wrapper.py
	touch wrapped/environment.yaml
	"$1" -m snakemake --cores 2 >out 2>&1 || { cat out; false; }
	[ "$(cat b.shell)" = "b  x" ]
	[ "$(wc -c <long)" = 70000 ]
	[ "$(jq -r '[.job, .labels.orchestrator, .labels.sample // "-", .labels.attempt, .status] | join(" ")' "$RTRACK_SPOOL"/*/run.json | sort)" = "long snakemake - 1 finished
run snakemake - 1 finished
script snakemake - 1 finished
shell snakemake a 1 failed
shell snakemake a 2 finished
shell snakemake b 1 finished
wrapper snakemake - 1 finished" ]
	jq -e -s 'map(select(.job == "shell").requested | [.cpu, .memory_mib, .seconds]) | unique == [[2, 190.735, 300]]' "$RTRACK_SPOOL"/*/run.json
	# All jobs of the workflow have the same run, also the job of the rule "run", which is a process of its own.
	jq -e -s 'map(.labels.snakemake_run) | unique | length == 1 and .[0] != null' "$RTRACK_SPOOL"/*/run.json
	"$BUILD/rtrack-report" show "snakemake:$(jq -r .labels.snakemake_run "$RTRACK_SPOOL"/*/run.json | head -n 1)" >shown
	[[ "$(head -n 1 shown)" == "$(basename "$PWD") finished in "*"; 1 of 7 runs failed and was retried"* ]] || { cat shown; false; }
	# The command of a run does not contain the text that started rtrack-run.
	fails grep -l 'rtrack-run' "$RTRACK_SPOOL"/*/run.json
	"$BUILD/rtrack-report" stats --format json run | jq -e '.totals.peak_memory_mib >= 100'
}

@test "Snakemake: one line in the Snakefile tracks all kinds of rules" {
	venv dialects -r "$PROJECT/tests/advice/dialects.txt"
	includes "$PYTHON"
}

@test "Snakemake of Debian: one line in the Snakefile tracks all kinds of rules" {
	need snakemake
	includes /usr/bin/python3
}

# snakemakes PYTHON: runs the documented rule with this Python interpreter, which has Snakemake.
snakemakes() {
	printf 'rule all:\n    input: "a.out", "b.out"\n\n' >Snakefile
	recipe Snakemake python 2 >>Snakefile
	echo 1 >a.txt
	echo 2 >b.txt
	"$1" -m snakemake --cores 2 >out 2>&1 || { cat out; false; }
	[ "$(jq -r '[.job, .labels.sample, .status] | join(" ")' "$RTRACK_SPOOL"/*/run.json | sort)" = "sort a finished
sort b finished" ]
}

@test "Snakemake: the rule of docs/integrations.md tracks each job and makes a profile" {
	venv dialects -r "$PROJECT/tests/advice/dialects.txt"
	snakemakes "$PYTHON"
	rm ./*.out
	recipe Snakemake sh >commands
	mkdir bin
	printf '#!/bin/sh\nexec "%s" -m snakemake "$@"\n' "$PYTHON" >bin/snakemake
	chmod +x bin/snakemake
	PATH=$PWD/bin:$PATH sh -e commands >out 2>&1 || { cat out; false; }
	grep -q 'sort' profile/config.yaml
	[ "$("$BUILD/rtrack-report" list --format json | jq length)" = 4 ]
}

@test "Snakemake of Debian: the rule of docs/integrations.md tracks each job" {
	need snakemake
	snakemakes /usr/bin/python3
}
