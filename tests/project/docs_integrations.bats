#!/usr/bin/env bats
# docs/integrations.md: each of its commands is run by a test, or says that it was not run.
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$BATS_TEST_TMPDIR"
}

DOCUMENT=$PROJECT/docs/integrations.md

# Each block that is not said to be not run, as "HEADING LANGUAGE N"; N counts those of a heading and a language.
blocks() {
	awk '
		/^## / { heading = substr($0, 4); split("", count) }
		/^```/ && !inside { language = substr($0, 4); if (before !~ /[Nn]ot run here/) print heading, language, ++count[language] }
		/^```/ { inside = !inside }
		NF && !inside { before = $0 }
	' "$DOCUMENT"
}

# Each block that a test takes from the document (tests/lib/recipes.bash), in the same words.
taken() {
	grep -ohE 'recipe ("[^"]*"|[A-Za-z]+) [a-z]+( "?[0-9$a-z]+)?' "$PROJECT"/tests/jobs/*.bats |
		sed -E 's/^recipe //; s/"//g; s/( [a-z]+)$/\1 1/'
}

@test "docs/integrations.md: each block is taken from there and run by a test, or is said to be not run" {
	blocks >blocks
	[ "$(wc -l <blocks)" -gt 20 ]
	taken | sort -u >taken
	# Where a test goes through several, its variable stands for the number.
	while read -r block; do
		grep -qxF "$block" taken || grep -qxE "${block% *} \\\$[a-z0-9]+" taken || echo "no test runs: $block"
	done <blocks >untested
	[ ! -s untested ] || { cat untested; false; }
}

@test "docs/integrations.md: what stands as a command within a sentence is run by a test, too" {
	# Outside of blocks, and of the table of those that were not run.
	awk '/^```/ { inside = !inside; next } !inside && !/^\|/' "$DOCUMENT" | grep -oE '`[^`]+`' | tr -d '`' |
		grep -E '^(LD_PRELOAD=|(rtrack-[a-z]+|srun|sbatch|mpirun|pip|python|podman|docker|kubectl|dask|nextflow|snakemake) )' |
		sort -u >commands
	while read -r command; do
		grep -qF -e "$command" "$PROJECT"/tests/*/*.bats || echo "no test runs: $command"
	done <commands >untested
	[ ! -s untested ] || { cat untested; false; }
}

@test "docs/integrations.md: README.md leads to each of its parts" {
	sed -n 's/^## //p' "$DOCUMENT" | tr 'A-Z ' 'a-z-' >parts
	[ "$(wc -l <parts)" -gt 10 ]
	while read -r part; do
		grep -qF "docs/integrations.md#$part" "$PROJECT/README.md" || { echo "not in README.md: $part"; false; }
	done <parts
}
