#!/usr/bin/env bats
# Tests of real programs, each untracked and tracked both ways, in a separate control group (workloads.py). The job must
# behave the same. Totals called exact must be exact, each bound must hold, and totals must be called exact often
# enough. To run one job: NAME='make -j' bats tests/truth/workloads.bats.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

@test "111 real programs run as if untracked; exact figures and bounds are right" {
	need python3
	static=$(victim burn "${CC:-cc}" -static) 2>/dev/null || static=
	python3 "$PROJECT/tests/truth/workloads.py" --build "$BUILD" --account "$(victim account)" --odd "$(victim odd)" --static "$static" ${NAME:+"$NAME"} >found 2>&1 || {
		cat found
		return 1
	}
	grep '^NOTE' found | sed 's/^/# /' >&3 || true
}

setup() {
	cd "$BATS_TEST_TMPDIR"
}
