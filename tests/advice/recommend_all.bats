#!/usr/bin/env bats
# Tests of rtrack-report recommend --all: each job gets the same request as when it is queried alone.
# bats file_tags=quick

load ../lib/helper
load ../lib/runs

REPORT=$BUILD/rtrack-report

setup() {
	make_three_runs
	make_run 20261121T020300Z-compute-7-13-0004 finished other.R 180
	make_run 20261121T020400Z-compute-7-13-0005 running goes-on 240
	cd "$BATS_TEST_TMPDIR"
}

@test "recommend --all: prints a table of all jobs that have a finished run" {
	run "$REPORT" recommend --all
	[ "$status" = 0 ]
	[ "$(awk '{ print $1, $2, $3, $4 }' <<<"$output")" = "$(printf 'Job Runs CPUs Memory\njob.R 2 2 640\nother.R 2 2 640')" ] || {
		echo "$output"
		return 1
	}
	COLUMNS=60 run "$REPORT" recommend --all
	[ "$status" = 0 ]
}

@test "recommend --all: each job gets the same request as when queried alone" {
	for options in '' '--rule classic' '--failures 1/100' '--runs 1'; do
		# shellcheck disable=SC2086
		"$REPORT" recommend --all --format json $options >all.json
		[ "$(jq length all.json)" = 2 ]
		for job in job.R other.R; do
			# shellcheck disable=SC2086
			"$REPORT" recommend --offline --format json $options "$job" >one.json
			jq -e --arg job "$job" --slurpfile one one.json '.[] | select(.job == $job) |
				.resources == $one[0].resources and .basis == $one[0].basis' all.json || {
				diff <(jq -S --arg job "$job" '.[] | select(.job == $job)' all.json) <(jq -S . one.json)
				return 1
			}
		done
	done
}

@test "recommend --all: --job accepts a glob and --since a time, also with --for" {
	[ "$("$REPORT" recommend --all --job 'o*' --format json | jq -r '.[].job')" = other.R ]
	[ "$("$REPORT" recommend --all --job '*.?' --format json | jq length)" = 2 ]
	"$REPORT" recommend --all --since 2026-11-21T02:02:30Z --format json | jq -e 'map(.job) == ["other.R"] and .[0].basis.runs == 1'
	[ "$("$REPORT" recommend --all --job 'o*' --for slurm | grep -c '^#SBATCH --mem')" = 1 ]
	[ "$("$REPORT" recommend --all --job 'o*' --for text | wc -l)" = 2 ]
}

@test "recommend --all: if no job matches, prints one line and exits with status 1" {
	run "$REPORT" recommend --all --job none
	[ "$status" = 1 ]
	[ "$output" = "rtrack-report: no run of these jobs has ended" ]
	[ "$("$REPORT" recommend --all --job none --format json | jq -c .)" = '[]' ]
	run "$REPORT" recommend --all job.R
	[ "$status" = 2 ]
	[ "$output" = "rtrack-report: unexpected argument 'job.R': --all takes no run" ]
	run "$REPORT" recommend --all --history - </dev/null
	[ "$status" = 2 ]
	run "$REPORT" recommend --job 'o*'
	[ "$status" = 2 ]
	[ "$output" = "rtrack-report: option '--job' works only with --all" ]
	run "$REPORT" recommend --since 7d
	[ "$output" = "rtrack-report: option '--since' works only with --all" ]
	run "$REPORT" recommend --all --spool /no/such/place
	[ "$status" = 1 ]
}

@test "recommend --all: characters in the name of a job have no special meaning" {
	name=$'x\e[31m\u202e"\\\'$(touch pwned)`touch pwned`'
	make_run 20261121T020500Z-compute-7-13-0006 finished plain 300
	python3 - "$RTRACK_SPOOL/20261121T020500Z-compute-7-13-0006/run.json" "$name" <<-'END'
		import json, sys
		text = open(sys.argv[1]).read()
		open(sys.argv[1], "w").write(text.replace('"plain"', json.dumps(sys.argv[2])))
	END
	for tool in text slurm nextflow snakemake kubernetes metaflow batch docker airflow; do
		# The files for some tools contain only tasks of that tool.
		sed -i "s/\"orchestrator\": \"[a-z]*\", //; s/\"labels\": {/&\"orchestrator\": \"$tool\", /" "$RTRACK_SPOOL"/*/run.json
		"$REPORT" recommend --all --for "$tool" >"out.$tool" 2>notes
		fails grep -q $'\e' "out.$tool" notes
	done
	sh -c '. ./out.slurm; rtrack_lines other.R' | grep -q '^#SBATCH --mem=640M$'
	jq -e 'length == 3' out.batch
	python3 - "$name" <<-'END'
		import sys
		sys.argv[1].encode()
		scope = {}
		exec(open("out.metaflow").read(), scope)
		assert sys.argv[1] in scope["RESOURCES"], scope["RESOURCES"]
	END
	[ ! -e pwned ]
}
