#!/usr/bin/env bats
# scripts/dependencies without the right to install packages, and the settings in docs/use.md.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
	mkdir "$BATS_TEST_TMPDIR/bin"
	for program in sh dirname id sort tr uname env sed grep find head cat dpkg-query; do
		ln -s "$(command -v $program)" "$BATS_TEST_TMPDIR/bin/$program"
	done
	# A user, on a machine with a sudo that asks for a password.
	rm "$BATS_TEST_TMPDIR/bin/id"
	printf '#!/bin/sh\necho 1000\n' >"$BATS_TEST_TMPDIR/bin/id"
	printf '#!/bin/sh\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/sudo"
	printf '#!/bin/sh\necho "apt-get ran" >&2\nexit 9\n' >"$BATS_TEST_TMPDIR/bin/apt-get"
	chmod +x "$BATS_TEST_TMPDIR"/bin/id "$BATS_TEST_TMPDIR"/bin/sudo "$BATS_TEST_TMPDIR"/bin/apt-get
}

dependencies() {
	status=0
	output=$(PATH=$BATS_TEST_TMPDIR/bin scripts/dependencies "$@" 2>&1) || status=$?
}

@test "dependencies: a user who may not install is given one line to type, and status 1" {
	dependencies bench
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -c '^  sudo apt-get update && sudo apt-get install -y --no-install-recommends python3 *$')" = 1 ]
	[[ $output != *"apt-get ran"* ]]
}

@test "dependencies: nothing is said and nothing run where nothing is missing" {
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/python3"
	chmod +x "$BATS_TEST_TMPDIR/bin/python3"
	dependencies bench
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "dependencies: two at once take turns, and what the first brought is not asked for again" {
	# The process that waits cannot be read from /proc/locks in a PID namespace.
	printf '#!/bin/sh\necho $$ >"%s/waits.new"; mv "%s/waits.new" "%s/waits"; exec %s "$@"\n' "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR" "$(command -v flock)" >"$BATS_TEST_TMPDIR/bin/flock"
	chmod +x "$BATS_TEST_TMPDIR/bin/flock"
	ln -s "$(command -v mkdir)" "$(command -v mv)" "$BATS_TEST_TMPDIR/bin/"
	printf '#!/bin/sh\n[ "$1" = -n ] || exec "$@"\n' >"$BATS_TEST_TMPDIR/bin/sudo"
	exec 8</var/lib/dpkg
	flock 8
	(dependencies bench 8<&-; printf '%s|%s' "$status" "$output" >"$BATS_TEST_TMPDIR/said") 8<&- &
	until [ -e "$BATS_TEST_TMPDIR/waits" ] && grep -q '(flock) S' "/proc/$(cat "$BATS_TEST_TMPDIR/waits")/stat"; do
		[ ! -e "$BATS_TEST_TMPDIR/said" ]
	done
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/python3"
	chmod +x "$BATS_TEST_TMPDIR/bin/python3"
	exec 8<&-
	wait $!
	[ "$(cat "$BATS_TEST_TMPDIR/said")" = "0|" ]
}

@test "dependencies: no group is a mistake" {
	dependencies
	[ "$status" = 2 ]
}

@test "docs/use.md has every setting with its flag and default, and README.md begins with the two commands" {
	sed -n 's/^SETTING([A-Z_]*, "\([a-z-]*\)", "\([A-Z_]*\)", "[^"]*", [A-Z]*, "\([^"]*\)".*/\1|\2|\3/p' core/settings.def |
		grep -v 'RTRACK_RUN' | while IFS='|' read -r flag variable fallback; do
		row=$(grep -E "^\|.*\| \`$variable\` \|" docs/use.md) || { echo "no $variable"; exit 1; }
		[ -z "$flag" ] || [[ $row == *"\`--$flag "* ]] || { echo "no --$flag"; exit 1; }
		[ -z "$fallback" ] || [[ $row == *"| $fallback |"* ]] || { echo "not $fallback: $row"; exit 1; }
	done
	head -n 5 README.md | grep -q '^\./scripts/demo '
	head -n 5 README.md | grep -q '^\./scripts/check '
}

# Tests that use it at the same time would have it removed under them.
@test "scripts/venv makes an environment once, by whichever name its list is given" {
	mkdir "$BATS_TEST_TMPDIR/scripts"
	cp "$PROJECT/scripts/venv" "$BATS_TEST_TMPDIR/scripts"
	cd "$BATS_TEST_TMPDIR"
	echo '# nothing' >list.txt
	python=$(scripts/venv probe -r list.txt)
	touch "${python%/*}/still"
	[ "$(scripts/venv probe -r "$PWD/list.txt")" = "$python" ]
	[ -e "${python%/*}/still" ]
	echo '# another' >list.txt
	scripts/venv probe -r list.txt
	[ ! -e "${python%/*}/still" ]
}
