#!/usr/bin/env bats
# Tests of the rows over time: ticks are at multiples of the interval on the wall clock, and each tick is counted
# exactly once.
# On a busy machine, late ticks merge into longer rows. every_tick of jobs.bash limits how many ticks may merge.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

# series RUN FILE INTERVAL: fails, and prints why, if the file's timestamps are wrong.
# There must be a row for each multiple of the interval from start to stop, and a last row at the end, in order. The
# median deviation of all rows except the last is within 5 ms.
series() {
	column "$1/$2" timestamp >"$BATS_TEST_TMPDIR/timestamps"
	head -n -1 "$BATS_TEST_TMPDIR/timestamps" | awk -v interval="$3" '{
		rest = $1 - int($1 / interval) * interval
		print rest < interval / 2 ? rest : interval - rest
	}' | sort -n | awk '{ rest[NR] = $1 } END {
		if (rest[int((NR + 1) / 2)] > 0.005) { print "median deviation", rest[int((NR + 1) / 2)]; exit 1 }
	}' || return 1
	awk -v interval="$3" -v start="$(json start_time "$1/run.json")" -v stop="$(json stop_time "$1/run.json")" '
		$1 < last { print "row", NR, "is earlier than the one before"; failed = 1 }
		{ last = $1 }
		END {
			if (stop - last > 2 * interval + 0.005) {
				print "the last row is of", last, "and the run ended", stop
				failed = 1
			}
			exit failed
		}' "$BATS_TEST_TMPDIR/timestamps"
}

@test "six seconds of samples at 0.01 s give 600 rows without drift" {
	export RTRACK_INTERVAL=0.01
	both_beside sleep 6
	for way in preload launcher; do
		run=$(run_of $way)
		for file in process.csv system.csv; do
			series "$run" $file 0.01
			every_tick "$run" $file 0.01
		done
		[ "$(json interval "$run/run.json" | awk '{ print $1 + 0 }')" = 0.01 ]
	done
}

@test "process.csv and system.csv have rows at the same times" {
	export RTRACK_INTERVAL=0.05
	for way in preload launcher; do
		one_way $way sh -c 'sleep 0.3; sleep 0.2'
		run=$(run_of $way)
		diff <(column "$run/process.csv" timestamp) <(column "$run/system.csv" timestamp)
	done
}

@test "a job that is sampled every millisecond runs as if untracked" {
	export RTRACK_INTERVAL=0.001
	same_every_way sh -c 'seq 1 1000 | tail -1; sleep 0.3; exit 2'
	bare_status_is 2
	for way in preload launcher; do
		[ "$(rows_in "$(run_of $way)/process.csv")" -ge 3 ]
	done
}

@test "a killed process keeps its memory in the rows while the kernel frees it" {
	need python3
	RTRACK_INTERVAL=0.005 one_way launcher python3 -c 'import os; held = b"1" * (600 << 20); os.kill(os.getpid(), 9)'
	column "$(run_of launcher)/process.csv" memory_mib |
		awk 'most > 100 && $1 < 0.9 * most { print $1, "after", most; low = 1 } $1 > most { most = $1 } END { exit low }'
}
