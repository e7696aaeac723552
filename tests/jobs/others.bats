#!/usr/bin/env bats
# Test that each of several tools measures the same job, and that docs/start.md shows their results
# bats file_tags=waits

bats_require_minimum_version 1.5.0
load ../lib/helper

@test "docs/start.md: the comparison shows what each tool prints for one job" {
	need time
	venv others -r "$PROJECT/tests/jobs/locks/others.txt"
	python3 "$PROJECT/tests/peers/beside.py" "$BATS_TEST_TMPDIR" "$BUILD" "$PYTHON" >"$BATS_TEST_TMPDIR/seen"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/seen")" -eq 8 ]
	sed -n '/^| of that job/,/^$/p' "$PROJECT/docs/start.md" | sed '1,2d; /^$/d' | diff - "$BATS_TEST_TMPDIR/seen"
}
