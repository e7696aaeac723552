#!/usr/bin/env bats
# Tests that large files of a run cost a reader no more than they should. Sparse files take no disk, and a terabyte of zeros
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

@test "export --to speedscope: exports 400,000 code lines in 40 s of CPU time" {
	run=$(make_run $ID)
	# Each row is a process and a line of its own. A search through all earlier frames would take a minute or more.
	awk 'BEGIN {
		print "\"timestamp\",\"pid\",\"seconds\",\"language\",\"file\",\"line\",\"function\",\"samples\",\"cpu_seconds\""
		for (i = 1; i <= 400000; i++)
			printf "1795226401,%d,1,\"python\",\"w.py\",%d,\"f\",1,1\n", i, i
	}' >"$run/line.csv"
	(ulimit -t 40 && "$BUILD/rtrack-report" export $ID --to speedscope -o "$BATS_TEST_TMPDIR/flames.json")
	[ "$(jq '.profiles[0].samples | length' "$BATS_TEST_TMPDIR/flames.json")" = 400000 ]
}

# below_mib MIB COMMAND…: runs a command with at most that much address space.
below_mib() {
	[ -z "${SANITIZER-}" ] || skip "a sanitizer needs terabytes of address space"
	(ulimit -v $(($1 << 10)) && exec "${@:2}")
}

@test "export --to parquet: a large table is not read into memory as a whole" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run $ID)
	yes 1795226401.000,10,0.500000,0.250000,100.500 | head -c 300M >>"$run/member.csv"
	mkdir bin
	printf '#!/bin/sh\necho "v1.4.0"\nexec cat >/dev/null\n' >bin/duckdb
	chmod +x bin/duckdb
	PATH=$PWD/bin:$PATH below_mib 100 "$BUILD/rtrack-report" export --to parquet -o out
}
