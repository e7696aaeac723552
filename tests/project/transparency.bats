#!/usr/bin/env bats
# Tests that scripts/transparency can fail: the test suites here differ, are flaky, cannot run, or are not tracked.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	suites=$BATS_TEST_TMPDIR/suites
	mkdir "$suites"
}

# suite NAME UNIT-BODY [PREPARE-BODY]: writes a suite.
suite() {
	printf 'about() { echo "made by a test"; }\nprepare() { %s; }\nunits() { echo one; }\nshort() { units; }\nunit() { %s; }\n' \
		"${3:-:}" "$2" >"$suites/$1.suite"
}

# transparency: runs the driver with its own state directory and the programs of the build.
transparency() {
	mkdir -p "$BATS_TEST_TMPDIR/build"
	ln -sf "$BUILD/librtrack.so" "$BUILD/rtrack-run" "$BATS_TEST_TMPDIR/build"
	status=0
	output=$(BUILD=$BATS_TEST_TMPDIR/build timeout 240 scripts/transparency --suites "$suites" "$@" 2>&1) || status=$?
	printf '%s\n' "$output"
}

@test "transparency: a tracked suite with equal results passes" {
	suite same 'result answer "$(tracked sh -c "echo ok; exit 3")"'
	transparency
	[ "$status" = 0 ]
	[[ $output == *"1 units in "*": 0 tests differ"* ]]
	[ "$(printf '%s\n' "$output" | awk '$1 == "same" { print $2, $3, $4, $5, $7, $8, $9, ($6 > 0) }')" = "2 2 2 2 0 0 0 1" ]
}

@test "transparency: a test that tracking changes is named for each way of tracking" {
	suite seen 'result answer "$(tracked sh -c "cat /proc/self/environ" | tr "\\0" "\\n" | grep -c "^RTRACK_RUN=\|^LD_PRELOAD=")"'
	transparency
	[ "$status" = 1 ]
	[[ $output == *"differs: seen answer: bare 0, preload "* ]]
	[[ $output == *"differs: seen answer: bare 0, launcher "* ]]
	transparency --short
	[ "$status" = 1 ]
}

@test "transparency: a changed exit status counts as a difference" {
	suite ends 'tracked true; [ "$WAY" = bare ] || return 7'
	transparency --short
	[ "$status" = 1 ]
	[[ $output == *"differs: ends one as a whole: bare ok, preload status 7 (4 of 4)"* ]]
}

@test "transparency: a difference between two untracked runs is called flaky" {
	suite flake 'tracked true; [ "$WAY" = bare ] || { result answer 2; return; }
		number=$(cat "$WORK/number" 2>/dev/null || echo 0); echo $((number + 1)) >"$WORK/number"; result answer "$((number + 1))"'
	transparency
	[ "$status" = 0 ]
	[[ $output == *"flake: flake answer: 1|2"* ]]
}

@test "transparency: a suite fails if rtrack did not track one of its parts" {
	suite untracked 'result answer ok'
	transparency --short
	[ "$status" = 1 ]
	[[ $output == *"differs: untracked one is tracked: "*"no: nothing in the spool"* ]]
}

@test "transparency: a suite fails if one of its parts prints no result" {
	suite empty 'tracked true'
	transparency --short
	[ "$status" = 1 ]
	[[ $output == *"differs: empty one has tests: "*"no: it printed no result"* ]]
}

@test "transparency: a suite that cannot run is skipped; if no suite can run, it fails" {
	suite missing : 'skip "there is no such program"'
	transparency
	[ "$status" = 1 ]
	[[ $output == *"skipped: missing: there is no such program"* ]]
}

@test "transparency: for an unknown suite, prints a usage error" {
	suite known :
	transparency other
	[ "$status" = 2 ]
	[[ $output == *"no suite 'other'; there are known"* ]]
}

@test "docs/transparency.md has a row of results for each suite" {
	cmp <(sed -n 's/^| \([a-z]*\) | [0-9].*/\1/p' docs/transparency.md | sort) \
		<(for file in tests/transparency/*.suite; do basename "$file" .suite; done | sort)
}
