#!/usr/bin/env bats
# Tests of the request for the next run and the bounds of the peak, compared with the true peak of ordinary jobs. This
# is the quick half of make bench-memory.
# bats file_tags=waits

load ../lib/helper

@test "for ordinary jobs, request and upper bound are close to the true peak" {
	need python3
	BUILD=$BUILD "$PROJECT/scripts/bench-memory" --quick --alike --ways R --check >"$BATS_TEST_TMPDIR/found" 2>&1 || {
		cat "$BATS_TEST_TMPDIR/found"
		return 1
	}
}
