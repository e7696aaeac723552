#!/usr/bin/env bats
# Tests of scripts/dependencies without the right to install packages, and of the settings in docs/use.md
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	cd "$PROJECT"
	mkdir "$BATS_TEST_TMPDIR/bin"
	for program in sh dirname id sort tr uname env sed grep find head cat dpkg-query; do
		ln -s "$(command -v $program)" "$BATS_TEST_TMPDIR/bin/$program"
	done
	# An ordinary user, on a machine where sudo asks for a password.
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

@test "dependencies: without root rights, prints the command to type and exits with 1" {
	dependencies bench
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | grep -c '^  sudo apt-get update && sudo apt-get install -y --no-install-recommends python3 *$')" = 1 ]
	[[ $output != *"apt-get ran"* ]]
}

@test "dependencies: if no package is missing, prints nothing and runs nothing" {
	printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/bin/python3"
	chmod +x "$BATS_TEST_TMPDIR/bin/python3"
	dependencies bench
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "dependencies: of two concurrent instances, one waits and installs nothing" {
	# In a PID namespace, /proc/locks does not show the waiting process.
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

@test "dependencies: without a group, prints a usage error" {
	dependencies
	[ "$status" = 2 ]
}

@test "docs/use.md has every setting, and README.md begins with demo and check" {
	sed -n 's/^SETTING([A-Z_]*, "\([a-z-]*\)", "\([A-Z_]*\)", "[^"]*", [A-Z]*, "\([^"]*\)".*/\1|\2|\3/p' core/settings.def |
		grep -v 'RTRACK_RUN' | while IFS='|' read -r flag variable fallback; do
		row=$(grep -E "^\|.*\| \`$variable\` \|" docs/use.md) || { echo "no $variable"; exit 1; }
		[ -z "$flag" ] || [[ $row == *"\`--$flag "* ]] || { echo "no --$flag"; exit 1; }
		[ -z "$fallback" ] || [[ $row == *"| $fallback |"* ]] || { echo "not $fallback: $row"; exit 1; }
	done
	head -n 5 README.md | grep -q '^\./scripts/demo '
	head -n 5 README.md | grep -q '^\./scripts/check '
}

# The test uses a separate copy, because other tests use the environment at the same time.
@test "scripts/venv: reuses an environment until its list of packages changes" {
	mkdir "$BATS_TEST_TMPDIR/scripts"
	cp "$PROJECT/scripts/venv" "$BATS_TEST_TMPDIR/scripts"
	cd "$BATS_TEST_TMPDIR"
	need ensurepip
	echo '# nothing' >list.txt
	python=$(scripts/venv probe -r list.txt)
	touch "${python%/*}/still"
	[ "$(scripts/venv probe -r "$PWD/list.txt")" = "$python" ]
	[ -e "${python%/*}/still" ]
	echo '# another' >list.txt
	scripts/venv probe -r list.txt
	[ ! -e "${python%/*}/still" ]
}

# rows: prints the group, kind, name and package of each row.
rows() {
	sed -n "/^table='/,/^'/p" scripts/dependencies | sed '1d; $d'
}

# needed: prints each name that follows `need` in a test.
needed() {
	sed -nE 's/^(\t+|.*\|\| (\{ )?)need ([^&|;#}]*).*/\3/p' tests/*/*.bats tests/lib/*.bash | tr -s ' ' '\n' | grep . | sort -u
}

@test "dependencies: each package that a test needs is in the table of packages" {
	needed >"$BATS_TEST_TMPDIR/names"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/names")" -gt 80 ]
	rows | awk '{ print $3 }' | sort -u | comm -13 - "$BATS_TEST_TMPDIR/names" >"$BATS_TEST_TMPDIR/unknown"
	[ ! -s "$BATS_TEST_TMPDIR/unknown" ] || { cat "$BATS_TEST_TMPDIR/unknown"; false; }
}

@test "dependencies: each row of the table is used somewhere" {
	needed >"$BATS_TEST_TMPDIR/names"
	# Comments and messages do not count.
	find Makefile scripts packages tests/lib tests/servers tests/transparency -type f ! -path scripts/dependencies -exec sed '/^[[:space:]]*#/d' {} + >"$BATS_TEST_TMPDIR/scripts"
	grep -rhE '^#include <' core os report >>"$BATS_TEST_TMPDIR/scripts"
	rows | while read -r group kind name package; do
		grep -qxF -e "$name" "$BATS_TEST_TMPDIR/names" || grep -qwF -e "$name" "$BATS_TEST_TMPDIR/scripts" || echo "$group $kind $name $package"
	done >"$BATS_TEST_TMPDIR/unused"
	[ ! -s "$BATS_TEST_TMPDIR/unused" ] || { cat "$BATS_TEST_TMPDIR/unused"; false; }
}

@test "dependencies: reports an unknown name, and names a missing package" {
	run -1 scripts/dependencies --has no-such-thing
	[[ $output == *"no row of scripts/dependencies names 'no-such-thing'"* ]]
	scripts/dependencies --has cc zlib.h ensurepip
	mkdir "$BATS_TEST_TMPDIR/tree" "$BATS_TEST_TMPDIR/tree/scripts"
	sed "s/^build   command cc .*/test command gone-$$ bats/" scripts/dependencies >"$BATS_TEST_TMPDIR/tree/scripts/dependencies"
	chmod +x "$BATS_TEST_TMPDIR/tree/scripts/dependencies"
	run -1 "$BATS_TEST_TMPDIR/tree/scripts/dependencies" --has "gone-$$"
	[[ $output == *"'gone-$$' is missing: install the package 'bats'"* ]]
	sed -i "s/^test command gone-$$ bats/test command gone-$$ no-such-package/" "$BATS_TEST_TMPDIR/tree/scripts/dependencies"
	run -77 "$BATS_TEST_TMPDIR/tree/scripts/dependencies" --has "gone-$$"
	[[ $output == *"this release has no package 'no-such-package'"* ]]
}

@test "need (test helper): an unknown name fails the test, a missing package skips it" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tree/tests/a tree/tests/lib tree/scripts tree/build
	cp "$PROJECT/tests/lib/helper.bash" tree/tests/lib
	sed 's/^build   command cc .*/test command no-such-program no-such-package/' "$PROJECT/scripts/dependencies" >tree/scripts/dependencies
	chmod +x tree/scripts/dependencies
	cat >tree/tests/a/a.bats <<-'END'
		load ../lib/helper
		@TEST "there" { need make; }
		@TEST "without a row" { need no-such-thing; }
		@TEST "not in the release" { need no-such-program; }
	END
	sed -i 's/^@TEST/@test/' tree/tests/a/a.bats
	run -1 env -u BUILD bats --tap tree/tests/a/a.bats
	[[ $output == *"ok 1 there"*"not ok 2 without a row"*"ok 3 not in the release # skip "* ]]
}
