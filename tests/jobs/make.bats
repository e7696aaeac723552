#!/usr/bin/env bats
# Test of make: a target is a run if its recipe starts one.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "make: the recipe in docs/integrations.md gives a run named after the target" {
	cd "$BATS_TEST_TMPDIR"
	recipe make make >Makefile
	printf 'b\na\n' >words.txt
	PATH=$BUILD:$PATH make -s
	[ "$(paste -sd, sorted.txt)" = a,b ]
	[ "$(jq -c '[.job, .status]' "$(only_run)/run.json")" = '["sorted.txt","finished"]' ]
}
