#!/usr/bin/env bats
# Tests of which runs belong to one job. A job is identified by its name. If rtrack chose the name, the directory or the
# command line counts, too.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir a b
	printf 'exit 0\n' | tee a/train.sh >b/train.sh
	unset RTRACK_JOB
}

# job DIRECTORY WORD…: tracks a command in a directory.
job() {
	(cd "$1" && "$BUILD/rtrack-run" "${@:2}")
}

# runs_of DIRECTORY JOB: prints how many runs in DIRECTORY the request of the job is based on.
runs_of() {
	(cd "$1" && "$BUILD/rtrack-report" recommend "$2" --offline --format json | jq .basis.runs)
}

@test "two scripts of the same name in two directories are two jobs" {
	job a sh train.sh
	job a sh ./train.sh
	job b sh train.sh
	job a sh ../b/train.sh
	[ "$(runs_of a train.sh)" = 2 ]
	[ "$(runs_of b train.sh)" = 2 ]
	"$BUILD/rtrack-report" recommend --all --offline --format json | jq -r '.[].job' >names
	diff names <(printf 'train.sh (%s)\n' "$PWD/a" "$PWD/b")
}

@test "runs with the same --job name in two directories are one job" {
	job a --job train sh train.sh
	job b --job train sh train.sh
	[ "$(runs_of a train)" = 2 ]
}

@test "bash -c with a different command is a different job" {
	job a bash -c 'true; true'
	job a bash -c 'true; true'
	job a bash -c 'true; :'
	[ "$(runs_of a bash)" = 1 ]
	"$BUILD/rtrack-report" recommend --all --offline --format json | jq -c '.[] | [.job, .basis.runs]' >names
	diff names <(printf '["bash (bash -c %s)",%s]\n' 'true; :' 1 'true; true' 2)
}

@test "show JOB: prefers the job of the working directory, and a note names other jobs" {
	job a sh train.sh
	job b sh train.sh
	(cd a && "$BUILD/rtrack-report" show -v train.sh --format json) | jq -e --arg cwd "$PWD/a" '.run.cwd == $cwd'
	run --separate-stderr "$BUILD/rtrack-report" show -v train.sh --format json
	jq -e --arg cwd "$PWD/b" '.run.cwd == $cwd' <<<"$output"
	[[ $stderr == "rtrack-report: note: 'train.sh' is the name of several jobs: this is train.sh ($PWD/b), run "*"; another is train.sh ($PWD/a)" ]]
}
