#!/usr/bin/env bats
# make: a target is a run where its recipe says so.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "make: a recipe as docs/integrations.md has it gives a run with the target's name" {
	cd "$BATS_TEST_TMPDIR"
	recipe make make >Makefile
	printf 'b\na\n' >words.txt
	PATH=$BUILD:$PATH make -s
	[ "$(paste -sd, sorted.txt)" = a,b ]
	[ "$(jq -c '[.job, .status]' "$(only_run)/run.json")" = '["sorted.txt","finished"]' ]
}
