#!/usr/bin/env bats
# The request for the next run and the bounds of the peak, beside the true peak of ordinary jobs: the quick half of
# make bench-memory.
# bats file_tags=waits

load ../lib/helper

@test "the request after four like runs and the upper bound lie within the bars of ordinary jobs" {
	need python3
	BUILD=$BUILD "$PROJECT/scripts/bench-memory" --quick --alike --ways R --check >"$BATS_TEST_TMPDIR/found" 2>&1 || {
		cat "$BATS_TEST_TMPDIR/found"
		return 1
	}
}
