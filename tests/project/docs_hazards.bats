#!/usr/bin/env bats
# Tests that docs/hazards.md and docs/neighbours.md name existing tests, and mark every other hazard as open
# bats file_tags=quick

PROJECT=$BATS_TEST_DIRNAME/../..

# proofs: prints the last cell of each row of the tables. It is FILE: NAME, where NAME is a test in tests/ or a case in
# a table of a unit test, or it is open.
proofs() {
	awk -F' *\\| *' '/^\| / && $2 != "hazard" && $2 != "function" && $2 != "kind" { print $(NF - 1) }' "$PROJECT/docs/hazards.md" "$PROJECT/docs/neighbours.md"
}

@test "docs/hazards.md and docs/neighbours.md name only existing tests" {
	proofs >"$BATS_TEST_TMPDIR/proofs"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/proofs")" -gt 15 ]
	while IFS= read -r proof; do
		case $proof in
		open | 'open: '*) ;;
		*.bats:*) grep -qF "@test \"${proof#*: }\"" "$PROJECT/tests/${proof%%:*}" || { echo "no such test: $proof"; false; } ;;
		*.c:*) grep -qF "\"${proof#*: }\"" "$PROJECT/tests/${proof%%:*}" || { echo "no such case: $proof"; false; } ;;
		*) echo "neither a test nor open: $proof"; false ;;
		esac
	done <"$BATS_TEST_TMPDIR/proofs"
}

@test "docs/hazards.md names a program for each interposed function, and no other" {
	sed -n 's/^\t\([a-z_A-Z]*\);$/\1/p' "$PROJECT/preload/librtrack.map" | grep -v '^rtrack_' | sort >"$BATS_TEST_TMPDIR/interposed"
	awk -F' *\\| *' '/^\| function /, /^$/ { if ($2 ~ /^`/ && $3 != "") print $2 }' "$PROJECT/docs/hazards.md" | tr -d '`' | sort >"$BATS_TEST_TMPDIR/named"
	diff "$BATS_TEST_TMPDIR/interposed" "$BATS_TEST_TMPDIR/named"
}
