#!/usr/bin/env bats
# The size of a run's files costs a reader no more than the data in them. Sparse files take no disk, and a terabyte of zeros
# takes minutes to read.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

ID=20261121T020000Z-compute-7-10-0001

@test "a table with a line of one terabyte does not stop list, show or html" {
	run=$(make_run $ID)
	make_run 20261121T020000Z-compute-7-10-0002 finished good >/dev/null
	for table in process system start exit member mark gpu line; do
		[ ! -e "$run/$table.csv" ] || cp "$run/$table.csv" "$BATS_TEST_TMPDIR/"
		truncate -s 1T "$run/$table.csv" || skip "no files of a terabyte here"
		for command in "list" "show $ID" "html --all -o $BATS_TEST_TMPDIR/site"; do
			# shellcheck disable=SC2086
			run timeout -k 5 120 "$BUILD/rtrack-report" $command --spool "$RTRACK_SPOOL"
			[ "$status" -ne 124 ] && [ "$status" -ne 137 ] || { echo "$table: $command"; return 1; }
			[[ $command != list || $output == *good* ]]
		done
		[ -e "$BATS_TEST_TMPDIR/$table.csv" ] && cp "$BATS_TEST_TMPDIR/$table.csv" "$RTRACK_SPOOL/$ID/" ||
			rm "$RTRACK_SPOOL/$ID/$table.csv"
		run=$RTRACK_SPOOL/$ID
	done
	truncate -s 1T "$run/process.csv"
	report show $ID
	[[ $stderr == *"process.csv' cannot be read: File too large"* ]]
}
