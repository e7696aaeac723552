#!/usr/bin/env bats
# Test of DVC, from PyPI: a stage is a run if its command calls rtrack-run.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "DVC: with the documented recipe, the items of a stage are runs of one job, inside the run of the pipeline" {
	venv dvc -r "$PROJECT/tests/jobs/locks/dvc.txt"
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD PATH=${PYTHON%/*}:$BUILD:$PATH DVC_NO_ANALYTICS=1 DVC_GLOBAL_CONFIG_DIR=$PWD/config DVC_SITE_CACHE_DIR=$PWD/cache
	dvc init --quiet --no-scm
	printf 'b\na\n' | tee a.txt >b.txt
	recipe DVC yaml >dvc.yaml
	recipe DVC sh >command
	sh -e command >out 2>&1 || { cat out; false; }
	[ "$(cat a.sorted b.sorted | paste -sd,)" = a,b,a,b ]
	[ "$(jq -r 'select(.parent) | .job + " " + .labels.item + " " + .status' "$RTRACK_SPOOL"/*/run.json | sort | paste -sd,)" = "sort a finished,sort b finished" ]
	"$BUILD/rtrack-report" show --format json pipeline | jq -e '.inner_jobs | map([.job, .runs]) == [["sort", 2]]'
}
