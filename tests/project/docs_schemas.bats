#!/usr/bin/env bats
# docs/schemas: what rtrack-report prints as JSON is what docs/schemas says of it.
# bats file_tags=quick

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/page

# Holds FILE against the schema of NAME.
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

@test "docs/schemas: run.json of each way to track and to end" {
	fits run "$RTRACK_SPOOL"/2*/run.json
}

@test "docs/schemas: list, show, stats, recommend and compare" {
	local run command
	"$BUILD/rtrack-report" list --format json >list
	fits list list
	# It has GPUs and phases, and a run.json of few keys, as older versions wrote.
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
}

@test "docs/schemas: what lacks a key, or has another kind, does not fit" {
	"$BUILD/rtrack-report" stats --format json >whole
	fits stats whole
	jq 'del(.totals.cpu_seconds)' whole >less
	fails fits stats less
	jq '.totals.processes = "many"' whole >other
	fails fits stats other
}
