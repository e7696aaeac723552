#!/usr/bin/env bats
# Tests of the files in integrations/ci for GitHub Actions and GitLab CI. They are valid by their schemas, and post the
# usage of a job as a comment. Fake gh and curl programs record their arguments.

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	venv ci -r "$PROJECT/tests/jobs/locks/ci.txt"
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	export PATH=$PWD/bin:$BUILD:$PATH GITHUB_STEP_SUMMARY=$PWD/summary
	printf 'test:\n\ttrue\n' >Makefile
}

# stand_in NAME: installs a fake program NAME, which writes its arguments to NAME.words and its stdin, if any, to
# NAME.input.
stand_in() {
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >%s/%s.words\n[ -t 0 ] || cat >%s/%s.input\n' "$PWD" "$1" "$PWD" "$1" >"bin/$1"
	chmod +x "bin/$1"
}

is_valid() {
	"${PYTHON%/*}/check-jsonschema" --builtin-schema "vendor.$1" "$PROJECT/integrations/ci/$2"
}

# value FILE EXPRESSION: prints the value of a Python expression, in which `it` is the parsed FILE.
value() {
	"$PYTHON" -c 'import sys; from ruamel.yaml import YAML; it = YAML(typ="safe").load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$PROJECT/integrations/ci/$1" "$2"
}

@test "GitHub Actions: the workflow is valid and comments with the usage of the tests" {
	is_valid github-workflows github.yml
	stand_in gh
	eval "$(value github.yml '[step["run"] for step in it["jobs"]["test"]["steps"] if step.get("name") == "Test"][0]')"
	value github.yml '[step["run"] for step in it["jobs"]["test"]["steps"] if step.get("name") == "Comment"][0]' >comment
	CHANGE=17 bash -e comment </dev/null
	grep -q '^rtrack: test finished in ' summary
	[ "$(paste -sd' ' gh.words)" = "pr comment 17 --body-file comment.md --edit-last --create-if-none" ]
}

@test "GitLab CI: the job is valid, posts the usage, and hides its token" {
	is_valid gitlab-ci gitlab.yml
	stand_in curl
	eval "$(value gitlab.yml 'it["test"]["script"][0]')"
	value gitlab.yml 'it["test"]["after_script"][0]' >note
	FIGURES_TOKEN=secret CI_API_V4_URL=https://gitlab.example/api/v4 CI_PROJECT_ID=3 CI_MERGE_REQUEST_IID=9 sh -e note
	grep -q '^rtrack: test finished in ' comment.md
	grep -qx 'https://gitlab.example/api/v4/projects/3/merge_requests/9/notes' curl.words
	grep -qx 'header = "PRIVATE-TOKEN: secret"' curl.input
	fails grep -q secret curl.words
}
