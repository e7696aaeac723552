#!/usr/bin/env bats
# docs/hazards.md names only tests that are there, and says of every other hazard that it is open.
# bats file_tags=quick

PROJECT=$BATS_TEST_DIRNAME/../..

# The last cell of each row of the tables: FILE: SENTENCE, of a test below tests/ or a case of a table in a unit test there, or open.
proofs() {
	awk -F' *\\| *' '/^\| / && $2 != "hazard" { print $(NF - 1) }' "$PROJECT/docs/hazards.md"
}

@test "docs/hazards.md names only tests that are there" {
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

@test "every call that the library interposes stands in docs/hazards.md" {
	for call in $(sed -n 's/^\t\([a-z_A-Z]*\);$/\1/p' "$PROJECT/preload/librtrack.map"); do
		grep -qE "(^|[^a-zA-Z_])$call([^a-zA-Z_]|\$)" "$PROJECT/docs/hazards.md" || { echo "$call"; false; }
	done
}
