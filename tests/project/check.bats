#!/usr/bin/env bats
# Tests of scripts/check: its options, its sum, and the git hook that runs it. Fake programs replace its stages.
# bats file_tags=quick

load ../lib/helper

# setup makes a tree with scripts/check and fakes of the programs that it runs. `make check` appends $SUM to the tally.
setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p scripts/hooks bin node_modules/playwright-core
	cp "$PROJECT/scripts/check" "$PROJECT/scripts/fresh" scripts
	cp "$PROJECT/scripts/hooks/pre-commit" scripts/hooks
	printf '#!/bin/sh\n' >scripts/dependencies
	cat >bin/make <<-'END'
		#!/bin/sh
		case " $* " in
		*" check "*) printf '%s\n' "$SUM" >>"$TALLY"; printf 'unsteady a.bats:\n  not ok 1 a\n' >>"$TALLY.unsteady" ;;
		*" lint "*) echo 1 0 0 0 >>"$TALLY" ;;
		esac
		printf 'make %s\n' "$*" >>calls
	END
	chmod +x scripts/dependencies bin/make
	PATH=$PWD/bin:$PATH
}

# check STATUS OPTION...: runs scripts/check, which must exit with STATUS.
check() {
	local status=0
	scripts/check "${@:2}" >output 2>&1 || status=$?
	cat output
	last=$(tail -n 1 output)
	[ $status = "$1" ]
}

@test "scripts/check: for an unknown option, prints one line and exits with 2" {
	check 2 --slow
	[ "$(wc -l <output)" = 1 ]
}

@test "scripts/check --help: lists every option" {
	check 0 --help
	for option in --unit --quick --fresh --help; do
		grep -q "^  scripts/check $option" output
	done
}

@test "scripts/check --unit: builds, runs unit tests, and lint without clang-tidy" {
	SUM='5 0 0 0' check 0 --unit
	[ "$last" = "7 passed, 0 failed, 0 skipped" ]
	grep -q '^make .* check TESTS=$' calls
	grep -q '^make .* lint CHECKS=' calls
}

@test "scripts/check: names unsteady tests; three are accepted, but not four" {
	SUM='5 0 0 3' check 0 --unit
	[ "$last" = "7 passed, 0 failed, 0 skipped, 3 unsteady" ]
	[ "$(tail -n 3 output | head -n 2)" = "$(printf 'unsteady a.bats:\n  not ok 1 a')" ]
	SUM='5 0 0 4' check 1 --unit
	[ "$last" = "7 passed, 0 failed, 0 skipped, 4 unsteady" ]
}

@test "scripts/check: a failed test fails the check" {
	SUM='5 1 0 0' check 1 --unit
	[ "$last" = "7 passed, 1 failed, 0 skipped" ]
}

@test "scripts/check: fails if the tests end without printing their sum" {
	printf '#!/bin/sh\ncase " $* " in *" lint "*) echo 1 0 0 0 >>"$TALLY" ;; esac\n' >bin/make
	check 1 --unit
	[ "$last" = "2 passed, 1 failed, 0 skipped" ]
	grep -q '^FAILED without a sum: make .* check TESTS=$' output
}

@test "scripts/check --fresh: prints one line and exits with 2 if the user is not root" {
	printf '#!/bin/sh\necho 1000\n' >bin/id
	chmod +x bin/id
	check 2 --fresh
	[ "$(wc -l <output)" = 1 ]
	[[ $last == *"only root"* ]]
}

# bats test_tags=root
@test "scripts/check --fresh: without debootstrap, fails with status 2" {
	as_root "make a fresh system"
	printf '#!/bin/sh\nexit 1\n' >scripts/dependencies
	check 2 --fresh
	[[ $last == *"debootstrap"* ]]
}

@test "scripts/check: the git hook runs --unit without git's variables" {
	unset $(git rev-parse --local-env-vars)
	git init -q .
	printf '#!/bin/sh\necho "$@" "${GIT_DIR-}${GIT_INDEX_FILE-}${GIT_PREFIX-}" >ran; exit 1\n' >scripts/check
	ln -s ../../scripts/hooks/pre-commit .git/hooks/pre-commit
	git add scripts
	fails git -c user.name=a -c user.email=a@b commit -q -m a
	[ "$(cat ran)" = "--unit " ]
}
