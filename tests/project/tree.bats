#!/usr/bin/env bats
# Tests that scripts/lint-tree finds each kind of mistake, in a small tree that contains one mistake
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p tree/{core,os,sampler,preload,launcher,gpu,report/page,bench,fuzz,tests/lib,tests/jobs}
	license='/* SPDX-License-Identifier: Apache-2.0 */'
	printf '%s\n' "$license" '/* Rows; see base.h. */' >tree/core/rows.c
	echo "$license" >tree/core/base.h
	touch tree/tests/lib/helper.bash
	echo '	unshare true || skip "namespaces are not allowed here"' >tree/tests/jobs/a.bats
}

lint_tree() {
	run "$PROJECT/scripts/lint-tree" "$PWD/tree"
}

@test "lint tree: finds no mistake in this tree or in a correct small tree" {
	"$PROJECT/scripts/lint-tree"
	lint_tree
	[ "$status" = 0 ]
	[ -z "$output" ]
}

@test "lint tree: finds a file in the root that is not listed" {
	touch tree/why
	lint_tree
	[ "$status" = 1 ]
	[ "$output" = 'why: not in the list of names in the root (scripts/lint-tree)' ]
}

@test "lint tree: finds a comment that names a missing file" {
	printf '%s\n' "$license" '/* A sum; see sum.h. */' >tree/report/page/sum.c
	printf '%s\n' "$license" '/* Rows; see core/rows.c and rows.c. */' >tree/core/more.c
	lint_tree
	[ "$status" = 1 ]
	[ "$output" = 'report/page/sum.c:2: see sum.h: no such file' ]
}

@test "lint tree: finds an array whose size was counted by hand" {
	printf '%s\n' "$license" 'enum { SECTIONS = 2, OTHER };' 'static const int sections[SECTIONS] = {' '	1, 2,' '};' 'int counted[] = {' '	1,' '};' \
		'enum { ENDS = ARRAY_LENGTH(counted) };' 'int more[ENDS] = {' '};' >tree/report/page/write.c
	lint_tree
	[ "$status" = 1 ]
	[ "$output" = 'report/page/write.c:3: a size counted by hand: static const int sections[SECTIONS] = {' ]
}

@test "lint tree: finds a test that skips itself if a package is missing" {
	{
		echo '	[ -e "$header" ] || SKIP "no libslurm-dev here"'
		echo '	command -v R >/dev/null || SKIP "R does not work"'
		echo '	SKIP "$1 is not installed"'
		echo '	[ -e /dev/full ] || skip "no /dev/full here"'
	} | sed s/SKIP/skip/ >tree/tests/jobs/b.bats
	lint_tree
	[ "$status" = 1 ]
	[ "$(printf '%s\n' "$output" | cut -d : -f 1,2)" = $'tests/jobs/b.bats:1\ntests/jobs/b.bats:2\ntests/jobs/b.bats:3' ]
}

@test "lint tree: finds a source file without its license" {
	echo '/* More. */' >tree/os/more.c
	lint_tree
	[ "$status" = 1 ]
	[ "$output" = 'os/more.c:1: no SPDX-License-Identifier' ]
}
