#!/usr/bin/env bats
# rtrack for macOS: it is built and linked here, and what comes out is what a Mac's loader asks for; nothing here runs
# it. On a Mac, scripts/check-macos does, which is tried on what runs here.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs

@test "for both processors of macOS all is built and linked, signed, and interposed, with libSystem alone" {
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

# A run as a Mac's user would have it, with the names of this system.
@test "scripts/check-macos finds nothing wrong here" {
	mkdir "$BATS_TEST_TMPDIR/built"
	cp "$BUILD"/{librtrack.so,rtrack-run,rtrack-report} "$BATS_TEST_TMPDIR/built"
	cp "$(victim portable)" "$BATS_TEST_TMPDIR/built/portable"
	cd "$BATS_TEST_TMPDIR"
	"$PROJECT/scripts/check-macos" built >said || { cat said; false; }
	[ "$(grep -c '^ok ' said)" -ge 39 ]
	tar -tzf rtrack-macos-check.tar.gz | grep -q 'plain/.*/exit.csv'
}

@test "scripts/check-macos says what is missing, and what is not as it should be" {
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
