#!/usr/bin/env bats
# Tests of figures from the kernel that would mislead if taken as they are
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	export RTRACK_INTERVAL=0.05
}

@test "a small program executed by a large program has its own peak" {
	for way in preload launcher; do
		accounted $way "$(victim die)" chain 3 0.01 2 300
		run=$(run_of $way)
		# The first program of the chain is the largest one. The record of the last program has its own peak.
		near "$(column "$run/exit.csv" peak_rss_mib | tail -n 1)" 3 3
		peak_is_the_kernels $way
		at_least "$(largest_process "$run")" 300
	done
}

@test "a small program started by a large process has a small peak" {
	cat >"$BATS_TEST_TMPDIR/large.py" <<-'END'
		import os, sys
		block = bytearray(200 << 20)
		for i in range(0, len(block), 4096):
		    block[i] = 1
		child = os.fork()
		if child == 0:
		    os.execv(sys.argv[1], sys.argv[1:])
		os.waitpid(child, 0)
	END
	for way in preload launcher; do
		accounted $way python3 "$BATS_TEST_TMPDIR/large.py" "$(victim burn)" 0.05
		small=$(awk -F, 'NR > 1 && /victims\/burn/ && !/large.py/ { print $2 }' "$run/start.csv" | head -n 1)
		near "$(awk -F, -v pid="$small" '$2 == pid { print $7 }' "$run/exit.csv" | tail -n 1)" 2 4
		peak_is_the_kernels $way
	done
}

@test "CPU time of children counts once, even if their parent reaps continuously" {
	accounted preload sh -c 'i=0; while [ $i -lt 30 ]; do "$0" 0.03 & "$0" 0.03; wait; i=$((i + 1)); done' "$(victim burn)"
	cpu_is_the_kernels preload
	at_least "$(kernel preload cpu)" 1.8
	every_end_is_exact
}

@test "CPU time of a reaped child counts once if ancestors end before the next sample" {
	export RTRACK_INTERVAL=3600
	exact_both_ways sh -c 'sh -c "sh -c \"\\\"\$0\\\" 0.2; true\" \"\$0\"; true" "$0"; true' "$(victim burn "${CC:-cc}" -static)"
	at_least "$(kernel preload cpu)" 0.2
}
