#!/usr/bin/env bats
# Tests that no damaged run stops a command of rtrack-report. Copies of real runs are damaged at random. A damaged spool
# that failed is kept in /tmp/rtrack-mutated-UID.

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "2,400 commands on damaged runs do not crash or hang, and need less than 200 MiB" {
	need gcc python3
	"$PROJECT/scripts/fuzz-runs" "$BATS_TEST_TMPDIR/made" >log 2>&1 || { cat log; false; }
	memory=200
	report=$BUILD/rtrack-report
	# A sanitizer needs more memory than the report itself.
	if [ -n "${SANITIZER-}" ]; then
		memory=0
	else
		# No command here uses the network.
		without_libcurl "$BATS_TEST_TMPDIR/without"
		report=$BATS_TEST_TMPDIR/without/rtrack-report
	fi
	python3 "$PROJECT/tests/lib/mutator.py" "$report" "$BATS_TEST_TMPDIR/made/spool" \
		"/tmp/rtrack-mutated-$(id -u)" --tries 600 --memory $memory
}
