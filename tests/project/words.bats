#!/usr/bin/env bats
# Tests that scripts/lint-words finds commit subjects that break the rule
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir "$TREE"
	cp -r --parents Makefile README.md core include scripts "$TREE"
}

words() {
	status=0
	output=$(scripts/lint-words "${1-$TREE}" 2>&1) || status=$?
}

# commit SUBJECT: adds a commit to the tree.
commit() {
	git -C "$TREE" -c user.name=a -c user.email=a@b commit -q --allow-empty -m "$1"
}

@test "lint words: every commit subject of the project follows the rule" {
	words "$PROJECT"
	[ -z "$output" ]
	[ "$status" = 0 ]
}

@test "lint words: a commit subject needs an area and at most 72 characters" {
	mkdir -p "$TREE/scripts"
	git -C "$TREE" init -q
	commit 'An old subject that keeps no rule, and is longer than what seventy-two characters hold'
	sed "s/^since=.*/since=$(git -C "$TREE" rev-parse HEAD)/" scripts/lint-words >"$TREE/scripts/lint-words"
	chmod +x "$TREE/scripts/lint-words"
	"$TREE/scripts/lint-words"
	commit 'tests: a subject of at most 72 characters, with → as one character of 72'
	"$TREE/scripts/lint-words"
	words
	[ "$status" = 0 ]
	commit 'No area'
	commit 'tests: a subject that goes on, and on, and on, until it has 73 characters'
	status=0
	output=$("$TREE/scripts/lint-words") || status=$?
	[ "$status" = 1 ]
	[ "$output" = "tests: a subject that goes on, and on, and on, until it has 73 characters
No area" ]
}
