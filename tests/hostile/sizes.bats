#!/usr/bin/env bats
# Tests that rtrack-report needs little time and memory for a run with files that are too large. A sparse file takes no
# disk space, but a terabyte of zeros takes minutes to read.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/crafted

@test "a table with a line of one terabyte does not stop list, show or html" {
	run=$(make_run $ID)
	make_run 20261121T020000Z-compute-7-10-0002 finished good >/dev/null
	for table in process system start exit member mark gpu line stack; do
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
	report show -v $ID
	[[ $stderr == *"process.csv' cannot be read: a line is longer than 64 MiB"* ]]
}

@test "export --to speedscope: exports 250,000 code lines in 15 s of CPU time" {
	run=$(make_run $ID)
	# Each row has another process and another code line. A search through all earlier frames would take a minute or more.
	crafted line 250000 '"timestamp","pid","seconds","language","file","line","function","samples","cpu_seconds"' \
		'1795226401.000,%d,1.000,"python","/home/ada/w.py",%d,"f",1,1.000000'
	within 15 export $ID --to speedscope -o flames.json
	grep -q 'w.py:250000' flames.json
}

@test "html: the page of a run with 4,096 call stacks of 64 frames is below 250 kB" {
	run=$(make_run $ID)
	# The stacks share their outer frames: the number of functions doubles every five frames.
	awk -v stacks="$run/stack.csv" -v lines="$run/line.csv" 'BEGIN {
		print "\"timestamp\",\"stack\",\"depth\",\"language\",\"file\",\"line\",\"function\",\"own\"" >stacks
		print "\"timestamp\",\"pid\",\"seconds\",\"language\",\"file\",\"line\",\"function\",\"samples\",\"cpu_seconds\",\"stack\"" >lines
		for (i = 0; i < 4096; i++) {
			for (j = 0; j < 64; j++)
				printf "1795226401,%d,%d,\"python\",\"/home/me/package/module_%d.py\",%d,\"function_with_a_name_%d_%d\",%d\n", i + 2, j, j, i % 90, j, i * 2 ^ (j / 5) / 4096, j < 32 >stacks
			for (j = 0; j < 10; j++)
				printf "%.1f,%d,0.1,\"python\",\"/home/me/package/module_31.py\",%d,\"f\",1,0.1,%d\n", 1795226400 + i / 1024, 10 + j % 4, i % 90, i + 2 >lines
		}
	}'
	within 15 html $ID -o page.html
	[ "$(wc -c <page.html)" -lt 250000 ]
	grep -q 'Not drawn: [0-9]* frames below 0.4 % of the CPU time' page.html
}

@test "export --to parquet: reads a large table in parts, with little memory" {
	run=$(make_run $ID)
	yes 1795226401.000,10,0.500000,0.250000,100.500 | head -c 300M >>"$run/member.csv"
	mkdir bin
	printf '#!/bin/sh\necho "v1.4.0"\nexec cat >/dev/null\n' >bin/duckdb
	chmod +x bin/duckdb
	PATH=$PWD/bin:$PATH below_mib 100 export --to parquet -o out
}

@test "list: ignores a run.json with too many values or bytes, and shows other runs" {
	run=$(make_run $ID)
	make_run 20261121T020000Z-compute-7-10-0002 finished good >/dev/null
	jq '.labels = [range(70000) | 0]' "$run/run.json" >new
	cp new "$run/run.json"
	report show -v $ID
	[[ $stderr == *"run.json' cannot be read: it has more than 65,536 values"* ]]
	jq '.command = ["x" * 1100000]' "$run/run.json" >new
	cp new "$run/run.json"
	report show -v $ID
	[[ $stderr == *"run.json' cannot be read: it is larger than 1 MiB"* ]]
	"$BUILD/rtrack-report" list | grep good
}

@test "import: refuses a small file that unpacks to many values, with little memory" {
	# An earlier version needed 40 bytes of memory for each byte of such a file.
	(printf '{"metadata":[' && yes 0, | tr -d '\n' | head -c 33554432 && printf '0]}') | gzip >values.gz
	(printf '{"metadata":{},"process_metrics":[{"timestamp":[' && yes 0, | tr -d '\n' | head -c 33554432 && printf '0]}]}') |
		gzip >row.gz
	for file in values row; do
		run below_mib 150 import $file.gz
		[ "$status" -eq 1 ]
		[ "$output" = "rtrack-report: '$file.gz' cannot be imported: it has more than 65,536 values" ]
	done
}

@test "only a part of a start.csv with 800,000 tiny rows is read, in little memory" {
	run=$(make_run $ID)
	crafted start 800000 timestamp,pid,start_ticks 1795226400,%d,1
	for command in list "show $ID"; do
		# shellcheck disable=SC2086
		below_mib 400 $command >out 2>err
		[[ $(cat err) == *"start.csv' cannot be read whole: it has more than 100,000 processes, and less than 120 bytes per process"* ]]
	done
	"$BUILD/rtrack-report" list --format json 2>err | jq -e '.[0].totals.exact_processes == false'
}

@test "html: a page needs at most ten times the size of the tables of its run" {
	run=$(make_run $ID)
	# With less than 120 bytes per process, at most 100,000 processes would be read.
	crafted start 120000 '"timestamp","pid","start_ticks","ppid","exe","command"' \
		"1795226400.500,%d,1000,10,\"/bin/p%d\",\"p%d $(printf 'x%.0s' {1..70})\""
	below_mib $((40 + 10 * $(cat "$run"/*.csv | wc -c) / 1048576)) html $ID -o page.html
	grep -q '120,003' page.html
}

@test "a table of 400,000 tiny rows is read only in part, in little memory" {
	run=$(make_run $ID)
	mv "$run" "$BATS_TEST_TMPDIR/keep"
	while read -r table header row; do
		cp -r "$BATS_TEST_TMPDIR/keep" "$run"
		crafted "$table" 400000 "$header" "$row"
		for command in "show -v $ID" "html -o - $ID"; do
			# shellcheck disable=SC2086
			below_mib 300 $command >out 2>err
			[[ $(cat err) == *"$table.csv' cannot be read whole: it has more than 100,000 rows, and they are shorter"* ]]
		done
		rm -r "$run"
	done <<-END
		process timestamp,memory_mib %d,1
		system timestamp,cpu_usage %d,1
		line timestamp,pid,file,cpu_seconds,samples,function 1,5,%d,1,9,%d
		stack timestamp,stack,depth,own,file,function 1,%d,0,1,%d,%d
		mark timestamp,pid,label 1,1,begin x
	END
}

@test "docs/operations.md has the message for each bound on what is read" {
	sed -n 's/^BOUND([^"]*"\(.*\)")$/\1/p' "$PROJECT/report/say/bounds.def" >messages
	[ "$(wc -l <messages)" -ge 6 ]
	while read -r message; do
		grep -qF "| $message |" "$PROJECT/docs/operations.md" || { echo "$message"; return 1; }
	done <messages
}
