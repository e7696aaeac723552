#!/usr/bin/env bats
# Tests that rtrack for macOS can be built and linked here, and that the result has what a Mac's loader needs. Nothing
# for macOS runs here. On a Mac, scripts/check-macos runs these checks. Here the script is tested with the programs of
# this system.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs

@test "macOS: built programs are signed universal binaries, and the library interposes" {
	need file
	unset MAKEFLAGS MAKELEVEL MFLAGS
	status=0
	OPTIMIZE=-O0 "$PROJECT/packages/macos" >"$BATS_TEST_TMPDIR/said" 2>&1 || status=$?
	[ "$status" -ne 77 ] || skip "$(tail -n 1 "$BATS_TEST_TMPDIR/said")"
	cat "$BATS_TEST_TMPDIR/said"
	[ "$status" -eq 0 ]
	for program in librtrack.dylib rtrack-keeper rtrack-run rtrack-report; do
		file "$BUILD/macos/$program" | grep -q 'universal binary with 2 architectures'
	done
}

# The programs of this system are put where a Mac user would have them, under the same names.
@test "macOS: scripts/check-macos accepts the programs of this system" {
	mkdir "$BATS_TEST_TMPDIR/built"
	cp "$BUILD"/{librtrack.so,rtrack-run,rtrack-report} "$BATS_TEST_TMPDIR/built"
	cp "$(victim portable)" "$BATS_TEST_TMPDIR/built/portable"
	cd "$BATS_TEST_TMPDIR"
	"$PROJECT/scripts/check-macos" built >said || { cat said; false; }
	[ "$(grep -c '^ok ' said)" -ge 39 ]
	tar -tzf rtrack-macos-check.tar.gz | grep -q 'plain/.*/exit.csv'
}

@test "macOS: scripts/check-macos names what is missing or wrong" {
	cd "$BATS_TEST_TMPDIR"
	status=0
	"$PROJECT/scripts/check-macos" nowhere 2>said || status=$?
	[ "$status" -eq 2 ]
	grep -q 'there is no directory nowhere' said
	mkdir built
	cp "$BUILD"/{librtrack.so,rtrack-run,rtrack-report} built
	status=0
	"$PROJECT/scripts/check-macos" built 2>said || status=$?
	[ "$status" -eq 2 ]
	grep -q 'there is no .*/built/portable' said
}
