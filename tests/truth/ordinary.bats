#!/usr/bin/env bats
# Tests of ordinary jobs with several processes: pools of Python and R, pipelines, make, Java, Node.js (ordinary.py). To
# run one job: NAME='make -j' bats tests/truth/ordinary.bats.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

@test "memory peaks of ordinary jobs are within their lower and upper bounds" {
	need python3
	cd "$BATS_TEST_TMPDIR"
	python3 "$PROJECT/tests/truth/ordinary.py" --build "$BUILD" ${NAME:+"$NAME"} >found 2>&1 || {
		cat found
		return 1
	}
	grep '^NOTE' found | sed 's/^/# /' >&3 || true
}
