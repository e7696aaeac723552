#!/usr/bin/env bats
# Tests of docs/integrations.md: a test runs each of its commands, or the document says that no test does.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

DOCUMENT=$PROJECT/docs/integrations.md

# blocks: prints "HEADING LANGUAGE N" for each block, except those that the document marks as not run. N counts blocks
# of the same heading and language.
blocks() {
	awk '
		/^## / { heading = substr($0, 4); split("", count) }
		/^```/ && !inside { language = substr($0, 4); if (before !~ /[Nn]ot run here/) print heading, language, ++count[language] }
		/^```/ { inside = !inside }
		NF && !inside { before = $0 }
	' "$DOCUMENT"
}

# taken: prints "HEADING LANGUAGE N" for each block that a test takes from the document with tests/lib/recipes.bash.
taken() {
	grep -ohE 'recipe ("[^"]*"|[A-Za-z]+) [a-z]+( "?[0-9$a-z]+)?' "$PROJECT"/tests/jobs/*.bats |
		sed -E 's/^recipe //; s/"//g; s/( [a-z]+)$/\1 1/'
}

@test "docs/integrations.md: each code block is run by a test or marked as not run" {
	blocks >blocks
	[ "$(wc -l <blocks)" -gt 20 ]
	taken | sort -u >taken
	# A test that loops over several blocks has a variable in place of N.
	while read -r block; do
		grep -qxF "$block" taken || grep -qxE "${block% *} \\\$[a-z0-9]+" taken || echo "no test runs: $block"
	done <blocks >untested
	[ ! -s untested ] || { cat untested; false; }
}

@test "docs/integrations.md: each command within a sentence is run by a test" {
	# Blocks and the table of commands that were not run are left out.
	awk '/^```/ { inside = !inside; next } !inside && !/^\|/' "$DOCUMENT" | grep -oE '`[^`]+`' | tr -d '`' |
		grep -E '^(LD_PRELOAD=|(rtrack-[a-z]+|srun|sbatch|mpirun|pip|python|podman|docker|kubectl|dask|nextflow|snakemake) )' |
		sort -u >commands
	while read -r command; do
		grep -qF -e "$command" "$PROJECT"/tests/*/*.bats || echo "no test runs: $command"
	done <commands >untested
	[ ! -s untested ] || { cat untested; false; }
}

@test "README.md links to each section of docs/integrations.md" {
	sed -n 's/^## //p' "$DOCUMENT" | tr 'A-Z ' 'a-z-' >parts
	[ "$(wc -l <parts)" -gt 10 ]
	while read -r part; do
		grep -qF "docs/integrations.md#$part" "$PROJECT/README.md" || { echo "not in README.md: $part"; false; }
	done <parts
}
