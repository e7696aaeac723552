#!/usr/bin/env bats
# Tests of scripts/tests: its output and status for test files that are written here
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir build
	unset TALLY AS_USER
}

# file NAME BODY...: writes a file with a test for each BODY.
file() {
	local name=$1 body
	shift
	for body; do
		printf '@test "%s" {\n\t%s\n}\n' "$body" "$body"
	done >"$name"
}

tests() {
	local status=0
	env -i PATH="${PATH#*bats-core*:}" FLAG="$PWD/flag" BUILD="$PWD/build" AS_USER="${AS_USER:-}" ${TALLY:+TALLY="$TALLY"} "$PROJECT/scripts/tests" "${@:2}" \
		>output 2>&1 || status=$?
	cat output
	last=$(tail -n 1 output)
	[ $status = "$1" ]
}

# collect ARGUMENT...: runs scripts/tests with COLLECT set, which records the arguments and runs no test.
collect() {
	env -i PATH="${PATH#*bats-core*:}" FLAG="$PWD/flag" AS_USER= OF="${OF:-}" COLLECT="$COLLECT" BUILD="${BUILT:-$PWD/build}" "$PROJECT/scripts/tests" "$@" >said
	[ ! -s said ]
}

# The body of a test in which a sanitizer writes a report.
FINDS='echo runtime\ error: leak >${ASAN_OPTIONS##*log_path=}.$$'
ONCE='[ -e "$FLAG" ] || { touch "$FLAG"; false; }'

@test "scripts/tests: a test that passes when repeated alone counts as unsteady" {
	file once.bats true "${ONCE//\"/}"
	tests 0 once.bats
	[ "$last" = "1 passed, 0 failed, 0 skipped, 1 unsteady" ]
	grep -qx "by themselves:" output
	tail -n 5 output >end
	[ "$(head -n 1 end)" = "unsteady once.bats:" ]
	[[ $(sed -n 2p end) == "  not ok 2 "* ]]
	[ "$(sed -n 3p end)" = "  # (in test file once.bats, line 5)" ]
	tests 0 once.bats
	[ "$last" = "2 passed, 0 failed, 0 skipped" ]
}

@test "scripts/tests: a test that fails twice is a failure" {
	file once.bats "${ONCE//\"/}"
	file never.bats true false
	tests 1 once.bats never.bats
	[ "$last" = "1 passed, 1 failed, 0 skipped, 1 unsteady" ]
}

@test "scripts/tests: repeats no sanitized test, no program, and no more than eight files" {
	file once.bats "[ -e \$FLAG ] || { touch \$FLAG; $FINDS; false; }"
	tests 1 --name sanitized once.bats
	[ "$last" = "0 passed, 1 failed, 0 skipped" ]
	printf '#!/bin/sh\necho 1..1; echo not ok 1 a\n' >program
	chmod +x program
	tests 1 ./program
	[ "$last" = "0 passed, 1 failed, 0 skipped" ]
	for name in a b c d e f g h i; do
		file $name.bats false
	done
	tests 1 [a-i].bats
	[ "$last" = "0 passed, 9 failed, 0 skipped" ]
	fails grep "by themselves" output
}

@test "scripts/tests: reports for how long the machine stood still" {
	local name
	mkdir bin
	printf '#!/bin/sh\ncase $1 in +*) echo $(($(%s +%%s) * 100)) ;; *) exec %s "$@" ;; esac\n' "$(command -v date)" "$(command -v date)" >bin/date
	chmod +x bin/date
	for name in a b c d e f g h i; do
		file $name.bats true 'until [ -s $BUILD/logs/tests/suites.still ]; do sleep 0.1; done; [ -e $FLAG.'$name' ] || { touch $FLAG.'$name'; false; }'
	done
	PATH=$PWD/bin:${PATH#*bats-core*:} TALLY=$PWD/tally tests 1 [a-i].bats
	grep -qx "the machine stood still for [0-9]* s at [0-9:]*" output
	[ "$(cat tally)" = "9 9 0 0" ]
}

@test "scripts/tests: tests that need root run as root, all others as an ordinary user" {
	printf '#!/bin/sh\nBY=user exec "$@"\n' >as-user
	chmod +x as-user
	export AS_USER=$PWD/as-user
	file user.bats '[ $BY = user ]'
	file root.bats '[ -z ${BY:-} ]'
	cp root.bats alone.bats
	{
		cat user.bats
		echo '# bats test_tags=quick,root'
		cat root.bats
	} >both.bats
	sed -i '1i # bats file_tags=root' root.bats
	sed -i '1i # bats file_tags=alone,root' alone.bats
	tests 0 user.bats both.bats root.bats alone.bats
	[ "$last" = "5 passed, 0 failed, 0 skipped" ]
	[ "$(grep -o '[a-z.]*: 1 passed' output | LC_ALL=C sort | tr '\n' ' ')" = \
		"alone.bats.root: 1 passed both.bats.root: 1 passed both.bats: 1 passed root.bats.root: 1 passed user.bats: 1 passed " ]
}

@test "scripts/tests: a test that only root can run fails without its tag" {
	printf '#!/bin/sh\nexec "$@"\n' >as-user
	chmod +x as-user
	file one.bats 'skip "only root can give up being root"'
	AS_USER=$PWD/as-user tests 1 one.bats
	[ "$last" = "0 passed, 1 failed, 0 skipped" ]
	grep -q "lacks the tag root" output
}

@test "scripts/tests: a file that ends before its last planned test counts as failed" {
	printf '#!/bin/sh\necho 1..2; echo ok 1 a\n' >program
	chmod +x program
	tests 1 ./program
	[ "$last" = "1 passed, 1 failed, 0 skipped" ]
}

@test "scripts/tests: appends counts and output of unsteady tests to the file TALLY" {
	file one.bats true
	TALLY=$PWD/tally tests 0 one.bats
	[ "$(cat tally)" = "1 0 0 0" ]
	[ ! -s tally.unsteady ]
	file once.bats true "${ONCE//\"/}"
	TALLY=$PWD/tally tests 0 once.bats
	[ "$(tail -n 1 tally)" = "1 0 0 1" ]
	[ "$(head -n 1 tally.unsteady)" = "unsteady once.bats:" ]
	fails grep '^unsteady' output
}

@test "scripts/tests: collected suites run together, and no file runs twice at a time" {
	mkdir -p build/other
	file mine.bats '[ $OF = /other ]'
	# A test of this file fails if it runs at the same time in the other build, whose directory it would find.
	file shared.bats '[ $BUILD = $PWD/build${OF#one} ] && mkdir here && sleep 0.2 && rmdir here'
	COLLECT=$PWD/collected
	OF=one collect shared.bats
	OF=/other BUILT=$PWD/build/other collect --name more shared.bats mine.bats
	tests 0 --collected collected
	[ "$last" = "3 passed, 0 failed, 0 skipped" ]
	grep -qx "    ok other: shared.bats: 1 passed, 0 failed, 0 skipped (.*)" output
	grep -qx "tests: 1 passed, 0 failed, 0 skipped (CPU [0-9]* s)" output
	grep -qx "other: more: 2 passed, 0 failed, 0 skipped (CPU [0-9]* s)" output
}

@test "scripts/tests: a suite that is added during a run is run after the others" {
	COLLECT=$PWD/collected
	file first.bats 'touch first; [ ! -e second ]'
	file second.bats '[ -e first ]'
	collect first.bats
	{
		flock 9
		mkfifo locked
		{
			: >locked
			until [ -e first ]; do sleep 0.01; done
			collect --name more second.bats
		} 3>&- &
		exec 9<&-
	} 9<collected
	: <locked
	tests 0 --collected collected
	[ "$last" = "2 passed, 0 failed, 0 skipped" ]
	grep -qx "more: 1 passed, 0 failed, 0 skipped (CPU [0-9]* s)" output
}

@test "scripts/tests: failed tests of collected suites are repeated alone" {
	COLLECT=$PWD/collected
	file once.bats true "${ONCE//\"/}"
	collect once.bats
	tests 0 --collected collected
	[ "$last" = "1 passed, 0 failed, 0 skipped, 1 unsteady" ]
	rm flag
	COLLECT=$PWD/sanitized
	collect --name sanitized once.bats
	tests 0 --collected sanitized
	[ "$last" = "1 passed, 0 failed, 0 skipped, 1 unsteady" ]
	rm flag
	file once.bats true "[ -e \$FLAG ] || { touch \$FLAG; $FINDS; false; }"
	tests 1 --collected sanitized
	[ "$last" = "1 passed, 1 failed, 0 skipped" ]
}
