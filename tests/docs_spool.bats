#!/usr/bin/env bats
# The documents say what the tables say.

load helper

@test "docs/spool.md has every column of every file, in order, with its unit and its meaning" {
	cd "$BATS_TEST_DIRNAME/.."
	for table in system process member start exit; do
		diff <(sed -n "s/^COLUMN($table, \([a-z_]*\), \"\([^\"]*\)\", [0-9], \([A-Z]*\), [A-Z_]*, \"\(.*\)\")$/\1|\2|\3|\4/p" core/columns.def |
			awk -F'|' '{ print $1 "|" $2 "|" tolower($3) "|" $4 }') \
			<(sed -n "/^## $table.csv/,/^## /p" docs/spool.md | sed -n 's/^| `\([a-z_]*\)` | *\([^|]*[^| ]\)\{0,1\} *| \([a-z]*\) | \(.*\) | [^|]*|$/\1|\2|\3|\4/p')
	done
}

@test "README.md has every setting with its flag, its variable and its default" {
	cd "$BATS_TEST_DIRNAME/.."
	sed -n 's/^SETTING([A-Z_]*, "\([a-z-]*\)", "\([A-Z_]*\)", .*/\1 \2/p' core/settings.def | while read -r flag variable; do
		[ -n "$variable" ] || { variable=$flag; flag=; }
		[ "$variable" != RTRACK_RUN ] || continue
		grep -q "^|.*\`$variable\`" README.md
		[ -z "$flag" ] || grep -q "^| \`--$flag[ \`]" README.md
	done
}

@test "docs/hazards.md names only tests that are there" {
	cd "$BATS_TEST_DIRNAME/.."
	sed -n 's/^|.*| \([a-z_]*\.bats\): \(.*\) |$/\1 \2/p' docs/hazards.md >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r file sentence; do
		grep -qF "@test \"$sentence\"" "tests/$file" || { echo "$file: $sentence"; false; }
	done <"$BATS_TEST_TMPDIR/named"
}
