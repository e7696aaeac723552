#!/usr/bin/env bats
# Real programs as people run them, each bare and in both ways in a control group of its own: the job looks the same, what is
# called exact is, each bound holds, and exact is not called too seldom. See workloads.py; one of them by its name:
# NAME='make -j' bats tests/truth/workloads.bats.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

@test "111 real programs, both ways: no false claim, no bound that fails, no job that looks otherwise, and exact where others hold it all" {
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
