#!/usr/bin/env bats
# scripts/lint-words: that it finds what it is there for.
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

# commit SUBJECT: one more commit of the tree.
commit() {
	git -C "$TREE" -c user.name=a -c user.email=a@b commit -q --allow-empty -m "$1"
}

@test "words: the tree and its commits keep the rules" {
	words "$PROJECT"
	[ -z "$output" ]
	[ "$status" = 0 ]
}

@test "words: a word for a person is refused in a comment, a message, a name and a test's name" {
	printf '%s\n' '/* Of a process whose parent ended. */' 'puts("Nobody waits");' 'int who_ends;' '@test "somebody ends" {' \
		'A process that ends on the whole.' >"$TREE/include/more.h"
	words
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | cut -d: -f1,2 | tr '\n' ' ')" = "include/more.h:1 include/more.h:2 include/more.h:3 include/more.h:4 " ]
}

@test "words: people may be called so" {
	printf '%s\n' '/* For the user who waits. */' '/* as the user nobody */' >"$TREE/include/more.h"
	words
	[ "$status" = 0 ]
	printf '%s\n' '/* The user who waits for a process who ends. */' >"$TREE/include/more.h"
	words
	[ "$status" = 1 ]
}

@test "words: a commit's subject has an area and at most 72 characters; a tree without the history passes" {
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
