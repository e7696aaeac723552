#!/usr/bin/env bats
# Tests that docs/design.md and docs/where.md name files, folders and rows that exist, and the arrows that the tree has
# bats file_tags=quick

load ../lib/helper

setup() {
	cd "$PROJECT"
}

# paths_in FILE...: prints the paths in the documents, relative to the root of the project, one per line.
paths_in() {
	grep -ohE '(^|[ `(])(bench|core|docs|fuzz|gpu|include|launcher|os|preload|report|sampler|scripts|tests)/[A-Za-z0-9_./-]*' "$@" |
		sed 's/^[ `(]//; s/[.]$//' | sort -u
}

# there PATH: the path exists. If the path contains a placeholder (NAME, SYSTEM), the folder above it exists.
there() {
	[ -e "$(sed -E 's,/[^/]*(NAME|SYSTEM|MODULE).*,,' <<<"$1")" ]
}

@test "docs/design.md and docs/where.md name files and folders that exist" {
	sed 's/`[^`]*` (to come)//g' docs/where.md >"$BATS_TEST_TMPDIR/where"
	paths_in docs/design.md "$BATS_TEST_TMPDIR/where" >"$BATS_TEST_TMPDIR/paths"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/paths")" -ge 60 ]
	while IFS= read -r path; do
		there "$path" || { echo "$path"; false; }
	done <"$BATS_TEST_TMPDIR/paths"
	fails there core/orchestrator.def
	fails there nowhere/NAME.c
}

@test "docs/where.md: nothing that is marked as planned exists yet" {
	for path in $(grep -oE '`[^`]*` \(to come\)' docs/where.md | sed 's/`\([^`]*\)`.*/\1/'); do
		fails test -e "$path"
	done
}

@test "docs/where.md names only rows, tables and functions that exist in the source" {
	grep -oE '`[A-Z_]+`' docs/where.md | tr -d '`' | sort -u >"$BATS_TEST_TMPDIR/rows"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/rows")" -ge 12 ]
	while IFS= read -r row; do
		grep -rqE "^(#define )?$row\\(" core os report preload --include='*.def' --include='*.c' || { echo "$row"; false; }
	done <"$BATS_TEST_TMPDIR/rows"
	grep -q 'exported\[\]' launcher/options.c
	grep -q 'own_table\[' launcher/options.c
	grep -q 'run_command(' report/main.c
}

@test "docs/design.md has the same allowed includes as scripts/lint-arrows" {
	# drawn: prints the words in the table's cells, except in those that refer to another table.
	drawn() {
		awk -F'|' '/^\| `/ { gsub(/[`,]/, ""); print $2 ":" $3 }' docs/design.md
	}
	for folder in preload launcher launcher/beside sampler sampler/run launcher/linux gpu gpu/linux; do
		diff <(sed -n "s,^$folder: ,,p" scripts/lint-arrows | head -1 | tr ' ' '\n' | sort) \
			<(drawn | sed -n "s,^ $folder : *,,p" | head -1 | tr ' ' '\n' | sed '/^$/d' | sort)
	done
	for room in commands page text fleet advice compare history services model spool; do
		diff <(sed -n "s,^$room: ,,p" scripts/lint-arrows | tr ' ' '\n' | sort) \
			<(drawn | sed -n "s,^ $room : *,,p" | tr ' ' '\n' | sed '/^$/d' | sort)
	done
}
