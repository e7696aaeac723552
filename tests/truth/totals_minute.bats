#!/usr/bin/env bats
# Test that one minute at 0.1 s has 600 ticks, give or take two, and a row for each tick unless the machine is busy. The
# test only sleeps, so it has a separate file, which runs beside others.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

@test "one minute at 0.1 s gives 600 rows, with LD_PRELOAD and with rtrack-run" {
	export RTRACK_INTERVAL=0.1
	both_beside sleep 60
	for way in preload launcher; do
		run=$(run_of $way)
		for file in process.csv system.csv; do
			every_tick "$run" $file 0.1
		done
		column "$run/process.csv" timestamp | head -n -1 | awk '{
			rest = $1 - int($1 * 10) / 10
			print rest < 0.05 ? rest : 0.1 - rest
		}' | sort -n >"$BATS_TEST_TMPDIR/deviations"
		near "$(sed -n 250p "$BATS_TEST_TMPDIR/deviations")" 0 0.005 || near "$(waited "$run")" 1 0.5
		near "$(total "$run" cpu_seconds)" 0 0.01
		near "$(total "$run" wall_seconds)" 61 1.1
	done
}
