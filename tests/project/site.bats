#!/usr/bin/env bats
# Test that scripts/site makes a web site of the documents

bats_require_minimum_version 1.5.0
load ../lib/helper

@test "site: each document has a page, and a broken link stops the build" {
	venv site -r "$PROJECT/docs/site/packages.txt"
	cp -R "$PROJECT"/{README.md,CHANGELOG.md,core,docs,examples,integrations,scripts,sql} "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	mkdir build
	ln -s "$PROJECT/build/venv" build/venv
	scripts/site
	for page in docs/*.md; do
		[ -s "build/site/html/$(basename "$page" .md).html" ]
	done
	jq -e '.docs | length > 100' build/site/html/search/search_index.json
	fails grep -rlE '<(script|link|img)[^>]* (src|href)="(https?:)?//' build/site/html
	# A broken link is an error.
	printf '\n[nowhere](nowhere.md), [no heading](report.md#nowhere)\n' >>docs/start.md
	run scripts/site
	[ "$status" -ne 0 ]
	[[ $output == *nowhere.md*report.md#nowhere* ]]
}
