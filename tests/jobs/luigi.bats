#!/usr/bin/env bats
# Test of Luigi, from PyPI: each task that starts a program is a run, named after its class.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "Luigi: with the documented recipe, tasks of one class are runs of one job" {
	venv luigi -r "$PROJECT/tests/jobs/locks/luigi.txt"
	cd "$BATS_TEST_TMPDIR"
	printf 'b\na\n' | tee a.txt >b.txt
	recipe Luigi python >flow.py
	HOME=$PWD PATH=$BUILD:$PATH "$PYTHON" flow.py >out 2>&1 || { cat out; false; }
	[ "$(cat a.sorted b.sorted | paste -sd,)" = a,b,a,b ]
	[ "$(jq -r '.job + " " + .labels.name + " " + .status' "$RTRACK_SPOOL"/*/run.json | sort | paste -sd,)" = "Sort a finished,Sort b finished" ]
}
