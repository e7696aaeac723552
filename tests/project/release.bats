#!/usr/bin/env bats
# Tests of scripts/release, and of the continuous integration of forks

bats_require_minimum_version 1.5.0
load ../lib/helper

# setup makes a clone of the tree, in which a test may commit.
setup() {
	cd "$BATS_TEST_TMPDIR"
	need git
	mkdir tree
	cp -R "$PROJECT"/{CHANGELOG.md,core,integrations,scripts} tree
	cd tree
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
	version=$(sed -n 's/^.define RTRACK_VERSION "\(.*\)"/\1/p' core/spool.h)
	sed -i "s/^## $version.*/## $version (2026-12-01)/" CHANGELOG.md
	git init -q
	keep
}

keep() {
	git add -A
	git commit -q -m tree
}

# refuses TEXT: the command prints TEXT in one line, and exits with status 1.
refuses() {
	run --separate-stderr scripts/release --look
	[ "$status" -eq 1 ]
	[ "$stderr" = "scripts/release: $1" ] || { echo "$stderr"; return 1; }
}

@test "release: accepts a clean tree, and prints the notes of the version" {
	scripts/release --look
	printf '\n## 0.0.9 (2025-01-01)\n\n- old\n' >>CHANGELOG.md
	scripts/release --notes >notes
	grep -q '^- `librtrack.so`' notes
	fails grep -qE '^- old|^## ' notes
}

@test "release: refuses changed files, a missing date, another version and an old tag" {
	echo >>CHANGELOG.md
	refuses 'the tree differs from the commit'
	keep
	sed -i "s/^## $version.*/## $version (unreleased)/" CHANGELOG.md
	keep
	refuses "CHANGELOG.md does not begin with '## $version (YYYY-MM-DD)'"
	sed -i "s/^## $version.*/## $version (2026-12-01)/" CHANGELOG.md
	sed -i 's/^Version: .*/Version: 0.0.9/' integrations/R/DESCRIPTION
	keep
	refuses "integrations/R/DESCRIPTION names version '0.0.9', and core/spool.h $version"
	git revert -q --no-edit HEAD 2>/dev/null || git checkout -q HEAD~1 -- integrations
	sed -i "s/^## $version.*/## $version (2026-12-01)/" CHANGELOG.md
	git diff --quiet HEAD || keep
	git tag "v$version"
	refuses "there is a tag v$version already"
	run scripts/release --publish
	[ "$status" -eq 2 ]
}

@test "GitHub workflows: valid by their schema, and they run existing programs" {
	venv packages -r "$PROJECT/tests/jobs/locks/packages.txt"
	python=$PYTHON
	"$python" -m check_jsonschema --builtin-schema vendor.github-workflows "$PROJECT"/.github/workflows/*.yml
	for command in $(sed -n 's/^ *- run: \(\.\/[^ ]*\).*/\1/p' "$PROJECT"/.github/workflows/*.yml); do
		[ -x "$PROJECT/$command" ]
	done
}
