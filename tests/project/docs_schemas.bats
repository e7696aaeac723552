#!/usr/bin/env bats
# Tests that the JSON of rtrack-report is valid by the schemas in docs/schemas
# bats file_tags=quick

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/page

# fits NAME FILE: the file is valid by the schema of NAME.
fits() {
	needs_module ajv
	node "$PROJECT/tests/page/schema.mjs" "$@"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	"$BUILD/rtrack-run" --tag team=x --max-memory 1G sh -c 'sort /etc/passwd >/dev/null; exit 3' || true
	LD_PRELOAD="$BUILD/librtrack.so" sort /etc/passwd >/dev/null
	"$BUILD/rtrack-run" sh -c 'kill -KILL $$' || true
}

@test "docs/schemas: run.json is valid for each way to track and to end" {
	fits run "$RTRACK_SPOOL"/2*/run.json
}

@test "docs/schemas: list, show, stats, recommend and compare print valid JSON" {
	local run command
	"$BUILD/rtrack-report" list --format json >list
	fits list list
	# The run has GPUs and phases. Its run.json has few keys, as in older versions.
	made_run gpu --gpu 1 --ticks 300
	for run in "$RTRACK_SPOOL"/*/; do
		for command in show stats 'recommend --offline'; do
			"$BUILD/rtrack-report" $command "$run" --format json |
				jq --slurpfile whole "$(ls "$RTRACK_SPOOL"/2*/run.json | head -1)" 'if .run and (.run | has("member") | not) then .run = $whole[0] else . end' >"${command%% *}"
			fits "${command%% *}" "${command%% *}"
		done
	done
	"$BUILD/rtrack-report" compare "$RTRACK_SPOOL"/gpu "$run" --fail-if 'processes>=0' --format json >compare || [ $? -eq 3 ]
	fits compare compare
	"$BUILD/rtrack-report" compare "$RTRACK_SPOOL"/gpu "$run" --align phase --format json >compare
	fits compare compare
}

@test "docs/schemas: --group, list --trend, html, export and ship print valid JSON" {
	local command rank
	for rank in 0 2; do
		SLURM_PROCID=$rank SLURM_NPROCS=4 "$BUILD/rtrack-run" --group g sh -c 'sort /etc/passwd >/dev/null'
	done
	for command in stats show 'recommend --offline'; do
		"$BUILD/rtrack-report" $command --group g --format json >out
		case $command in
		stats) fits group out ;;
		# The `run` of a group has only the keys that its runs have in common.
		show) jq --slurpfile whole "$(ls "$RTRACK_SPOOL"/2*/run.json | head -1)" '.run = $whole[0]' out >whole && fits show whole && jq -e .group out ;;
		*) fits recommend out ;;
		esac
	done
	"$BUILD/rtrack-report" list --trend --format json >out
	fits trend out
	"$BUILD/rtrack-report" html --all -o site --format json >out
	fits export out
	"$BUILD/rtrack-report" export --to csv -o run.csv --format json >out
	fits export out
	mkdir bin
	printf '#!/bin/sh\ncat >/dev/null\n' >bin/duckdb
	chmod +x bin/duckdb
	PATH="$PWD/bin:$PATH" "$BUILD/rtrack-report" export --to parquet -o parquet --format json >out
	fits export out
	mkdir server
	python3 "$PROJECT/tests/servers/ingest.py" server 2>/dev/null 3>&- &
	local server=$!
	until [ -s server/port ]; do sleep 0.02; done
	AWS_ENDPOINT_URL_S3=http://127.0.0.1:$(cat server/port)/right AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b \
		"$BUILD/rtrack-report" ship --all --to s3://bucket --format json >out
	kill $server
	fits ship out
}

@test "docs/schemas: JSON with a missing key or a wrong type is invalid" {
	"$BUILD/rtrack-report" stats --format json >whole
	fits stats whole
	jq 'del(.totals.cpu_seconds)' whole >less
	fails fits stats less
	jq '.totals.processes = "many"' whole >other
	fails fits stats other
}
