#!/usr/bin/env bats
# Tests that the same sources give the same programs, or none. packages.bats compares two builds byte by byte.

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	cd "$PROJECT"
	unset MAKEFLAGS MAKELEVEL MFLAGS
}

teardown() {
	jobs -p | xargs -r kill
}

# compiler BODY: installs a fake compiler that accepts everything except what BODY refuses.
compiler() {
	printf '#!/bin/sh\n%s\nexec gcc "$@"\n' "$1" >"$BATS_TEST_TMPDIR/compiler"
	chmod +x "$BATS_TEST_TMPDIR/compiler"
	export CC=$BATS_TEST_TMPDIR/compiler
}

probe() {
	scripts/probe -fan-option 'int one;' -c
}

# shellcheck disable=SC2016 # for the script within
@test "build: each flag is used only if the compiler accepts it" {
	compiler 'case " $* " in *" -fan-option "*) shift; exit 1 ;; esac'
	[ "$(probe)" = no ]
	compiler 'case " $* " in *" -fan-option "*) echo "error: unknown argument: -fan-option" >&2; exit 1 ;; esac; exit 1'
	[ "$(probe)" = no ]
	compiler 'exit 0'
	[ "$(probe)" = yes ]
	[ "$(CC=gcc scripts/probe --gcc)$(CC=clang scripts/probe --gcc)" = yesno ]
}

# shellcheck disable=SC2016 # for the script within
@test "build: a compiler that is killed, missing or broken is reported as an error" {
	compiler 'kill -KILL $$'
	probe | grep -F 'compiler fails with status 137'
	compiler 'echo "gcc: fatal error: cannot execute cc1: fork: Resource temporarily unavailable" >&2; exit 1'
	probe | grep -F 'fails with status 1: gcc: fatal error'
	scripts/probe --gcc | grep -F 'compiler --version fails'
	CC=/nowhere/cc probe | grep -F '/nowhere/cc fails with status 127'
	TMPDIR=/nowhere CC=gcc probe | grep -F /nowhere
}

@test "build: make ends with a message if the compiler fails on a flag" {
	compiler 'case " $* " in *" -static "*) kill -KILL $$ ;; esac'
	run --separate-stderr make BUILD="$BATS_TEST_TMPDIR/build" CC="$CC" "$BATS_TEST_TMPDIR/build/obj/core/base.o"
	[ "$status" -eq 2 ]
	grep -F 'compiler fails with status 137' <<<"$stderr"
	[ ! -e "$BATS_TEST_TMPDIR/build/obj" ]
}

@test "build: the programs do not contain the path of the build directory" {
	mkdir "$BATS_TEST_TMPDIR/build-elsewhere"
	make -s BUILD="$BATS_TEST_TMPDIR/build-elsewhere" CC=gcc "$BATS_TEST_TMPDIR/build-elsewhere/obj/page.o"
	fails grep -F build-elsewhere "$BATS_TEST_TMPDIR/build-elsewhere/obj/page.o"
}

@test "build: a build beside eight busy processes chooses the same flags" {
	make -s BUILD="$BATS_TEST_TMPDIR/quiet" CC=gcc "$BATS_TEST_TMPDIR/quiet/flags"
	for _ in {1..8}; do
		sh -c 'while :; do :; done' 3>&- &
	done
	make -s BUILD="$BATS_TEST_TMPDIR/busy" CC=gcc "$BATS_TEST_TMPDIR/busy/flags"
	cmp "$BATS_TEST_TMPDIR"/{quiet,busy}/flags
}
