#!/usr/bin/env bats
# Tests of the labels, group and rank of a run, in every output

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	jq '.labels = {team: "bio", slurm_job_id: "12"} | .group = "12.0" | .member = {rank: 2, node: 0, of: 4}' "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
	mv "$BATS_TEST_TMPDIR/changed" "$run/run.json"
	make_run 20261121T020100Z-compute-7-11-0002 finished job.R 60 >"$BATS_TEST_TMPDIR/other-run"
}

# says COMMAND...: prints the output of the command, unpacked if it is compressed.
says() {
	"$BUILD/rtrack-report" "$@" | zcat -f
}

@test "labels, group and rank of a run are in every output and in a snapshot" {
	id=${run##*/}
	# Each row is a text and the command that must print it.
	while IFS='|' read -r found command; do
		# shellcheck disable=SC2086
		says $command >"$BATS_TEST_TMPDIR/said"
		grep -qF -e "$found" "$BATS_TEST_TMPDIR/said" || { echo "no $found in $command"; cat "$BATS_TEST_TMPDIR/said"; false; }
	done <<-END
		group 12.0, rank 2 of 4, team=bio, slurm_job_id=12|show -v $id
		group 12.0, rank 2 of 4, team=bio, slurm_job_id=12|html $id -o -
		group 12.0, rank 2 of 4, team=bio, slurm_job_id=12|stats $id
		"group 12.0, rank 2 of 4, team=bio, slurm_job_id=12"|list --format csv
		group="12.0",unit="slurm:12",rank="2",label_team="bio",label_slurm_job_id="12"|export $id --to openmetrics
		group="12.0",unit="slurm:12",rank="2",label_team="bio",label_slurm_job_id="12"|export $id --to prometheus-textfile -o -
	END
	# They follow the job's name, because labels alone would not identify the run.
	[ "$(says stats "$id" | head -1)" = 'job.R; group 12.0, rank 2 of 4, team=bio, slurm_job_id=12' ]
	while IFS='@' read -r at command; do
		# shellcheck disable=SC2086
		says $command | jq -e --arg id "$id" "$at"' | .labels == {team: "bio", slurm_job_id: "12"} and .group == "12.0" and .member.rank == 2' >"$BATS_TEST_TMPDIR/said" ||
			{ echo "not in $command"; cat "$BATS_TEST_TMPDIR/said"; false; }
	done <<-END
		.[] | select(.id == \$id)@list --format json
		.run@show $id --format json
		.run@stats $id --format json
		.run@export $id --to json
		.rtrack.run@export $id --to snapshot -o -
	END
	# The snapshot is imported as a run of another spool.
	"$BUILD/rtrack-report" export "$id" --to snapshot -o "$BATS_TEST_TMPDIR/run.json.gz"
	copy=$(RTRACK_SPOOL=$BATS_TEST_TMPDIR/other "$BUILD/rtrack-report" import "$BATS_TEST_TMPDIR/run.json.gz")
	jq -e '.labels == {team: "bio", slurm_job_id: "12"} and .group == "12.0" and .member.of == 4' "$BATS_TEST_TMPDIR/other/$copy/run.json"
	for column in labels group member_rank member_node member_of; do
		"$BUILD/rtrack-report" sql | grep -q "as \"$column\""
	done
}

@test "--label and --group select runs, as docs/integrations.md describes" {
	[ "$("$BUILD/rtrack-report" list --label slurm_job_id=12 --format json | jq -r '.[].id')" = "${run##*/}" ]
	[ "$("$BUILD/rtrack-report" list --group 12.0 --format json | jq -r '.[].id')" = "${run##*/}" ]
	grep -qF 'rtrack-report list --label slurm_job_id=12' "$PROJECT/docs/integrations.md"
}

@test "html slurm:JOB: the requested resources of a Slurm job are shown once" {
	local rank run id asked
	for rank in 0 1; do
		run=$(make_run "20261121T02000${rank}Z-compute-7-10-000$rank")
		jq --argjson rank $rank '.labels = {slurm_job_id: "12"} | .group = "12.0" | .member = {rank: $rank, node: 0, of: 2} |
			.requested = {cpu: 6, memory_mib: 8192, gpu: null, seconds: 7200}' "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
		cp "$BATS_TEST_TMPDIR/changed" "$run/run.json"
	done
	for id in slurm:12 "$(basename "$run")"; do
		"$BUILD/rtrack-report" html "$id" -o "$BATS_TEST_TMPDIR/page.html"
		for asked in 'CPU</th><td class="number">6' 'Memory</th><td class="number">8 GiB' 'Time</th><td class="number">2 h'; do
			grep -qF "<th scope=\"row\">$asked</td>" "$BATS_TEST_TMPDIR/page.html" || { echo "$id: $asked"; return 1; }
		done
	done
	# With two machines, requested and used resources are the sums of both. The recommended memory is per machine, and
	# its chart does not show it. The CPUs are those of all ranks, and their chart shows them.
	"$BUILD/rtrack-report" html slurm:12 -o "$BATS_TEST_TMPDIR/page.html"
	fails grep -F '>each machine<' "$BATS_TEST_TMPDIR/page.html"
	jq '.host = "compute-8"' "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
	cp "$BATS_TEST_TMPDIR/changed" "$run/run.json"
	"$BUILD/rtrack-report" html slurm:12 -o "$BATS_TEST_TMPDIR/page.html"
	grep -qF '<th scope="row">Memory</th><td class="number">16 GiB</td>' "$BATS_TEST_TMPDIR/page.html"
	grep -q '<td class="number request">[0-9.]* [MG]iB<small class="line">each machine</small></td>' "$BATS_TEST_TMPDIR/page.html"
	[ "$(grep -oF '"label":"Request"' "$BATS_TEST_TMPDIR/page.html" | wc -l)" = 1 ]
	grep -qF '"label":"Request","color":"advice","near":0,"note":"8","value":8}' "$BATS_TEST_TMPDIR/page.html"
}
