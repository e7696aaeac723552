#!/usr/bin/env bats
# scripts/tests: what it says and how it ends, by files of tests that are written here.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir build
	unset TALLY
}

# file NAME BODY...: a file with a test for each BODY.
file() {
	local name=$1 body
	shift
	for body; do
		printf '@test "%s" {\n\t%s\n}\n' "$body" "$body"
	done >"$name"
}

tests() {
	local status=0
	env -i PATH="${PATH#*bats-core*:}" FLAG="$PWD/flag" BUILD="$PWD/build" ${TALLY:+TALLY="$TALLY"} "$PROJECT/scripts/tests" "${@:2}" \
		>output 2>&1 || status=$?
	cat output
	last=$(tail -n 1 output)
	[ $status = "$1" ]
}

ONCE='[ -e "$FLAG" ] || { touch "$FLAG"; false; }'

@test "what passes when it runs by itself is counted, and does not fail the whole" {
	file once.bats true "${ONCE//\"/}"
	tests 0 once.bats
	[ "$last" = "1 passed, 0 failed, 0 skipped, 1 unsteady" ]
	grep -qx "by themselves:" output
	tests 0 once.bats
	[ "$last" = "2 passed, 0 failed, 0 skipped" ]
}

@test "what fails twice fails the whole, whatever else passes the second time" {
	file once.bats "${ONCE//\"/}"
	file never.bats true false
	tests 1 once.bats never.bats
	[ "$last" = "1 passed, 1 failed, 0 skipped, 1 unsteady" ]
}

@test "what a sanitizer finds, what a program says, and more than three files are not run again" {
	file once.bats "${ONCE//\"/}"
	tests 1 --name sanitized once.bats
	[ "$last" = "0 passed, 1 failed, 0 skipped" ]
	printf '#!/bin/sh\necho 1..1; echo not ok 1 a\n' >program
	chmod +x program
	tests 1 ./program
	[ "$last" = "0 passed, 1 failed, 0 skipped" ]
	for name in a b c d; do
		file $name.bats false
	done
	tests 1 a.bats b.bats c.bats d.bats
	[ "$last" = "0 passed, 4 failed, 0 skipped" ]
	fails grep "by themselves" output
}

@test "a file that ends before its plan does has failed" {
	printf '#!/bin/sh\necho 1..2; echo ok 1 a\n' >program
	chmod +x program
	tests 1 ./program
	[ "$last" = "1 passed, 1 failed, 0 skipped" ]
}

@test "with TALLY the sum is appended as four numbers" {
	file one.bats true
	TALLY=$PWD/tally tests 0 one.bats
	[ "$(cat tally)" = "1 0 0 0" ]
}
