#!/usr/bin/env bats
# Test of a run inside another run, with a simulated GPU. Processes of the tracker of the inner run do not count in the
# outer run.

load ../lib/helper
load ../lib/jobs
load ../lib/driver

@test "simulated NVIDIA: an outer run does not count the tracker of an inner run" {
	cd "$BATS_TEST_TMPDIR"
	simulate_driver
	printf 'devices 1\nusage 0 60\n' >"$script"
	export RTRACK_INTERVAL=0.05
	# The inner run has two helper processes: rtrack-gpu, and a sampler that continues because a process outlives
	# the root. The outer rtrack-run adopts both.
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
	# A process with rows in member.csv has a row in start.csv, unless it was forked without exec.
	"$BUILD/rtrack-report" show -v "$outer" --by process --format json | jq -e '[.bill[].program] | all(. != "librtrack.so" and . != "rtrack-gpu")'
}
