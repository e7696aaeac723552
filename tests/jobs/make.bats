#!/usr/bin/env bats
# Tests of make and GNU parallel: a target of make and a job of parallel are runs if their command calls rtrack-run.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	cd "$BATS_TEST_TMPDIR"
	PATH=$BUILD:$PATH
	printf 'b\na\n' >a.txt
	printf 'd\nc\n' >b.txt
}

# are_runs_of_sort LABEL RUNS [COUNT]: fails unless both files are sorted, and each has a run of one job with this label.
# A request counts them as COUNT runs, by default 2.
are_runs_of_sort() {
	[ "$(cat a.sorted b.sorted | paste -sd,)" = a,b,c,d ]
	[ "$(jq -r ".job + \" \" + .labels.$1 + \" \" + .status" "$RTRACK_SPOOL"/*/run.json | grep ^sort | sort | paste -sd,)" = "$2" ]
	[ "$("$BUILD/rtrack-report" recommend --all --format json | jq '.[] | select(.job == "sort").basis.finished')" = "${3:-2}" ]
}

@test "make: with the documented recipe, each target is a run of one job" {
	recipe make make >Makefile
	make -s
	are_runs_of_sort target "sort a.sorted finished,sort b.sorted finished"
}

@test "make: a build under rtrack-run contains the runs of its targets" {
	recipe make make >Makefile
	recipe make sh >command
	sh -e command
	are_runs_of_sort target "sort a.sorted finished,sort b.sorted finished" 1
	pipeline=$(jq -r 'select(.job == "pipeline").id' "$RTRACK_SPOOL"/*/run.json)
	[ "$(jq -r 'select(.job == "sort").parent' "$RTRACK_SPOOL"/*/run.json | sort -u)" = "$pipeline" ]
}

@test "GNU parallel: with the documented recipe, each job is a run with a number" {
	need parallel
	recipe "GNU parallel" sh >command
	HOME=$PWD sh -e command 2>/dev/null
	are_runs_of_sort index "sort 1 finished,sort 2 finished"
}
