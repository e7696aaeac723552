#!/usr/bin/env bats
# docs/start.md: its commands work as they stand.
# bats file_tags=quick

load ../lib/helper

DOCUMENT=$PROJECT/docs/start.md

# block HEADING: the commands below it.
block() {
	awk -v heading="## $1" '/^## / { inside = $0 == heading } /^```/ { code = inside && $0 == "```sh"; next } inside && code' "$DOCUMENT"
}

# begin HEADING: runs them, where the programs are on the PATH; what they print is in $output.
begin() {
	block "$1" >commands
	[ -s commands ]
	run env PATH="$BUILD:$PATH" RTRACK_LIB="$BUILD/librtrack.so" bash -e commands
	echo "$output"
	[ "$status" -eq 0 ]
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "docs/start.md: a command, its summary and its page" {
	begin 'A command'
	[[ $output == *'rtrack: sort finished in '* ]]
	grep -q '<title>sort ' page.html
}

@test "docs/start.md: a shell under LD_PRELOAD is one run, with a bill" {
	begin 'A shell'
	only_run
	[[ $output == *gzip* ]]
}

@test "docs/start.md: a process that runs already, and its summary" {
	begin 'A process that runs already'
	[[ $output == *'rtrack: '*' finished in '* ]] # of the shell's name, if it was attached to before its exec
}

@test "docs/start.md: the commands of a batch script are one line, then each its own" {
	begin 'A batch script'
	[ "$(grep -c 'sort, gzip' <<<"$output")" -eq 1 ]
	[ "$(grep -cE '^2[^ ]* +(sort|gzip) ' <<<"$output")" -eq 2 ]
}

@test "docs/start.md: make, with the tree of its programs" {
	need make
	begin make
	[[ $output == *gzip* ]]
}

@test "docs/start.md: Python, with a mark" {
	begin Python
	[ "$(column "$(only_run)/mark.csv" label)" = '"all is sorted"' ]
}

@test "docs/start.md: R, with its workers" {
	need Rscript
	begin R
	[[ $output == *'job.R finished'* ]]
}

@test "docs/start.md: each of its links leads somewhere" {
	local target
	while read -r target; do
		[ -e "$PROJECT/docs/${target%%#*}" ] || { echo "$target"; return 1; }
		[[ $target != *#* ]] || grep -qiE "^#+ $(tr - ' ' <<<"${target#*#}")$" "$PROJECT/docs/${target%%#*}" || { echo "$target"; return 1; }
	done < <(grep -oE '\]\([^)]+\)' "$DOCUMENT" | sed 's/^](//; s/)$//')
}
