#!/usr/bin/env bats
# One minute at 0.1 s is 600 rows, within two. It stands alone in its file so that it runs beside the
# others; it sleeps and costs nothing.

load helper
load jobs

@test "one minute at 0.1 s gives 600 rows, under the library and under the launcher" {
	export RTRACK_INTERVAL=0.1
	one_way preload sleep 60 &
	first=$!
	one_way launcher sleep 60 &
	wait $first $!
	for way in preload launcher; do
		run=$(run_of $way)
		near "$(rows_in "$run/process.csv")" 600 2
		near "$(rows_in "$run/system.csv")" 600 2
		column "$run/process.csv" timestamp | head -n -1 | awk '{
			rest = $1 - int($1 * 10) / 10
			print rest < 0.05 ? rest : 0.1 - rest
		}' | sort -n >"$BATS_TEST_TMPDIR/deviations"
		near "$(sed -n 300p "$BATS_TEST_TMPDIR/deviations")" 0 0.005
		near "$(total "$run" cpu_seconds)" 0 0.01
		near "$(total "$run" wall_seconds)" 60 1
	done
}
