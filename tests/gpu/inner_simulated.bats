#!/usr/bin/env bats
# A run inside another, with a simulated GPU: what works for the record of the one is no member of the other.

load ../lib/helper
load ../lib/jobs
load ../lib/driver

@test "simulated NVIDIA: what tracks a run inside another one is no member of that" {
	cd "$BATS_TEST_TMPDIR"
	simulate_driver
	printf 'devices 1\nusage 0 60\n' >"$script"
	export RTRACK_INTERVAL=0.05
	# The task has a keeper, as a process of it goes on when its first one has ended, and a rtrack-gpu; both are adopted by
	# the rtrack-run around.
	mkfifo over
	"$BUILD/rtrack-run" --job outer sh -c '
		GITLAB_CI=1 CI_JOB_ID=9 CI_JOB_NAME=inner sh -c "sleep 1; (read over <over) 3>&- & exec true"
		until grep -qx rtrack-sampler /proc/[0-9]*/comm; do sleep 0.05; done
		sleep 0.3
		echo >over'
	outer=$(jq -r 'select(.job == "outer") | .id' "$RTRACK_SPOOL"/*/run.json)
	inner=$(jq -r 'select(.job == "inner") | .id' "$RTRACK_SPOOL"/*/run.json)
	[ "$(wc -l <"$RTRACK_SPOOL/$inner/gpu.csv")" -gt 1 ]
	for run in "$outer" "$inner"; do
		fails grep 'rtrack-gpu\|rtrack-keeper' "$RTRACK_SPOOL/$run/start.csv"
	done
	# A process with rows in member.csv began in start.csv, or was forked without a program of its own.
	"$BUILD/rtrack-report" show "$outer" --by process --format json | jq -e '[.bill[].program] | all(. != "librtrack.so" and . != "rtrack-gpu")'
}
