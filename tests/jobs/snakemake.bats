#!/usr/bin/env bats
# Tests of Snakemake, from PyPI and from Debian: each job is a run, named after its rule.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD PATH=$BUILD:$PATH
}

# snakemakes PYTHON: runs the documented rule with this Python interpreter, which has Snakemake.
snakemakes() {
	printf 'rule all:\n    input: "a.out", "b.out"\n\n' >Snakefile
	recipe Snakemake python >>Snakefile
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
	PATH=${PYTHON%/*}:$PATH sh -e commands >out 2>&1 || { cat out; false; }
	grep -q 'sort' profile/config.yaml
	[ "$("$BUILD/rtrack-report" list --format json | jq length)" = 4 ]
}

@test "Snakemake of Debian: the rule of docs/integrations.md tracks each job" {
	need snakemake
	snakemakes /usr/bin/python3
}
