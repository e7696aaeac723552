#!/usr/bin/env bats
# Tests that the commands in docs/start.md work as written
# bats file_tags=quick

load ../lib/helper

DOCUMENT=$PROJECT/docs/start.md

# block HEADING: prints the commands below the heading.
block() {
	awk -v heading="## $1" '/^## / { inside = $0 == heading } /^```/ { code = inside && $0 == "```sh"; next } inside && code' "$DOCUMENT"
}

# begin HEADING: runs the commands below the heading with the programs in PATH. Their output is in $output.
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

@test "docs/start.md: the commands that track a command and show the run work" {
	begin 'A command'
	[[ $output == *'rtrack: sort finished in '* ]]
	grep -q '<title>sort ' page.html
}

@test "docs/start.md: a shell under LD_PRELOAD is one run, with usage by program" {
	begin 'A shell'
	only_run
	[[ $output == *gzip* ]]
}

@test "docs/start.md: a running process can be followed and summarized" {
	begin 'A process that runs already'
	[[ $output == *'rtrack: '*' finished in '* ]] # named after the shell if rtrack attached before its exec
}

@test "docs/start.md: list prints a script in one line, list --all each command" {
	begin 'A batch script'
	[ "$(grep -c 'sort, gzip' <<<"$output")" -eq 1 ]
	[ "$(grep -cE '^2[^ ]* +(sort|gzip) ' <<<"$output")" -eq 2 ]
}

@test "docs/start.md: make is shown with the tree of its programs" {
	need make
	begin make
	[[ $output == *gzip* ]]
}

@test "docs/start.md: the example of Python with a mark works" {
	begin Python
	[ "$(column "$(only_run)/mark.csv" label)" = '"all is sorted"' ]
}

@test "docs/start.md: the example of R with its workers works" {
	need Rscript
	begin R
	[[ $output == *'job.R finished'* ]]
}

@test "docs/start.md: each link leads to an existing place" {
	local target
	while read -r target; do
		[ -e "$PROJECT/docs/${target%%#*}" ] || { echo "$target"; return 1; }
		[[ $target != *#* ]] || grep -qiE "^#+ $(tr - ' ' <<<"${target#*#}")$" "$PROJECT/docs/${target%%#*}" || { echo "$target"; return 1; }
	done < <(grep -oE '\]\([^)]+\)' "$DOCUMENT" | sed 's/^](//; s/)$//')
}
