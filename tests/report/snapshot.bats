#!/usr/bin/env bats
# Tests of snapshots: resource-tracker loads our exports, rtrack imports its files, and the figures stay the same.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/screens

ID=20261121T020000Z-compute-7-10-0001

@test "snapshots: rtrack and resource-tracker load files of each other" {
	venv predecessor resource-tracker
	python=$PYTHON
	for spool in spool own imported; do
		mkdir -p "$BATS_TEST_TMPDIR/$spool"
		echo "CPU time and duration are drawn, each by itself" >"$BATS_TEST_TMPDIR/$spool/.impossible"
	done
	run --separate-stderr timeout 900 "$python" "$PROJECT/tests/peers/snapshot_compare.py" "$BUILD/rtrack-report" "$BATS_TEST_TMPDIR"
	echo "$output $stderr"
	[ "$status" -eq 0 ]
	[ "$output" = "50 runs compared" ]
}

@test "export and import: a run keeps all data that the format supports" {
	run=$(make_run $ID)
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-report" export -o a.json.gz
	[ "$(RTRACK_SPOOL=$PWD/other "$BUILD/rtrack-report" import a.json.gz)" = $ID ]
	cmp <(jq -S . "$run/run.json") <(jq -S . other/$ID/run.json)
	cmp <("$BUILD/rtrack-report" stats --format json | jq .stats) \
		<("$BUILD/rtrack-report" stats --spool other --format json | jq .stats)
	"$BUILD/rtrack-report" export --spool other -o b.json.gz
	cmp <(gzip -dc a.json.gz | jq -S .) <(gzip -dc b.json.gz | jq -S .)
}

@test "import: for an empty list of rows, creates no table and reports no error" {
	local run
	run=$(make_run $ID)
	cd "$BATS_TEST_TMPDIR"
	sed -i 2,\$d "$run/system.csv"
	"$BUILD/rtrack-report" export -o a.json.gz
	gzip -dc a.json.gz >a.json
	jq -e '.system_metrics == []' a.json
	for form in . '.process_metrics = []' 'del(.rtrack)'; do
		rm -rf other
		jq "$form" a.json >b.json
		"$BUILD/rtrack-report" import --spool other b.json
		[ -z "$(find other -name system.csv)" ]
		report list --spool other
		[ "$status" -eq 0 ] && [ -n "$output" ] && [ -z "$stderr" ] || { echo "$form: $output $stderr"; false; }
	done
	"$BUILD/rtrack-report" export --spool other -o b.json.gz
	gzip -dc b.json.gz | jq -e '.system_metrics == []'
}

@test "export --to csv: one row per sample, with columns of machine and job" {
	make_run $ID
	report export --to csv
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$output")" -eq 5 ]
	[[ $output == '"timestamp","system_cpu_usage",'*'"process_pid",'* ]]
	[ "$(grep -o timestamp <<<"$output" | wc -l)" -eq 1 ]
	rm "$RTRACK_SPOOL/$ID/system.csv"
	report export --to csv
	[[ $output == '"timestamp","process_pid",'* ]]
}

@test "import: a CSV of rtrack or of Rust's resource-tracker keeps the statistics" {
	make_run $ID
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-report" export -o a.csv
	"$BUILD/rtrack-report" import --spool other a.csv
	cmp <("$BUILD/rtrack-report" stats --format json | jq '.stats | del(.timestamp)') \
		<("$BUILD/rtrack-report" stats --spool other --format json | jq '.stats | del(.timestamp)')
	# The column names of the Rust version are not quoted. Version 0.1.18 wrote these rows.
	cat >pool.csv <<-'END'
		timestamp,system_cpu_usage,system_gpu_usage,process_pid,process_children,process_utime,process_stime,process_cpu_usage,process_memory_mib,process_gpu_usage,system_steal_time
		1795885941,2.0000,-0.0000,30244,2,0.0000,0.0000,0.0000,1,,0.010
		1795885942,1.5000,-0.0000,30244,4,0.0900,0.0100,0.1019,318,,0.030
		1795885943,1.0000,-0.0000,30244,4,0.0600,0.2100,0.2700,317,,0.000
	END
	"$BUILD/rtrack-report" import --spool rust pool.csv
	"$BUILD/rtrack-report" stats --spool rust pool --format json |
		jq -e '.totals.cpu_seconds == 0.37 and .totals.peak_memory_mib == 318 and .totals.wall_seconds == 3 and .run.pid == 30244'
	"$BUILD/rtrack-report" stats --spool rust pool --format json | jq -e '.stats.system_cpu_steal.sum == 0.04'
	# The file has no rows of processes, so their number is unknown.
	"$BUILD/rtrack-report" stats --spool rust pool --format json | jq -e '.totals.exact_processes == false'
	"$BUILD/rtrack-report" stats --spool rust pool | grep -qE '^Processes, lower bound +0$'
	"$BUILD/rtrack-report" show -v --spool rust pool | grep -qE '^Processes +0 +or more, '
	head -n 1 pool.csv >none.csv
	report import --spool none none.csv
	[ "$status" -eq 1 ] && [ "$stderr" = "rtrack-report: 'none.csv' cannot be imported: it has no row with a timestamp" ]
}

@test "import: a CSV file keeps all rows even if the last row has no timestamp" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' timestamp,process_pid,process_utime 1795885941,30244,1 1795885942,30244,2 ,30244,4 >a.csv
	"$BUILD/rtrack-report" import --spool other a.csv
	"$BUILD/rtrack-report" stats --spool other --format json | jq -e '.run.stop_time == 1795885942 and .totals.cpu_seconds == 3'
}

@test "snapshots: resource-tracker's durations begin at the last whole second" {
	venv predecessor resource-tracker
	python=$PYTHON
	unshare -rn true 2>/dev/null || skip "no namespace without a network"
	cat >"$BATS_TEST_TMPDIR/job.py" <<-'END'
		import time
		from resource_tracker import ResourceTracker

		if __name__ == "__main__":
		    tracker = ResourceTracker(discover_cloud=False)
		    time.sleep((1.4 - time.time() % 1) % 1)
		    start = time.time()
		    tracker.start()
		    time.sleep(2.2)
		    tracker.stop()
		    theirs = tracker.snapshot()["metadata"]["duration"]
		    print(theirs, time.time() - start // 1)
		    assert abs(theirs - (time.time() - start // 1)) < 0.5, start
	END
	unshare -rn timeout 100 "$python" "$BATS_TEST_TMPDIR/job.py"
}

@test "export -o: the file's suffix selects the format unless --to is given" {
	make_run $ID
	cd "$BATS_TEST_TMPDIR"
	for form in csv json; do
		"$BUILD/rtrack-report" export -o "a.$form"
		"$BUILD/rtrack-report" export --to "$form" | cmp - "a.$form"
	done
	"$BUILD/rtrack-report" export -o a.gz
	gzip -t a.gz
	"$BUILD/rtrack-report" export --to json -o b.csv
	cmp a.json b.csv
	report export -o a.parquet
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: Parquet needs a directory: use --to parquet -o DIR" ]
	[ ! -e a.parquet ]
}

@test "export --to json: has every table, with null for unknown cells" {
	run=$(make_run $ID)
	printf '1795226401,20,1,1,"/bin/\377","a""b"\n' >>"$run/start.csv"
	"$BUILD/rtrack-report" export --to json >"$BATS_TEST_TMPDIR/all.json"
	jq -e '.run.job == "job.R" and (.process | length) == 4 and .process[0].gpu_usage == null and .exit[0].source == "self"
		and .start[3].command == "a\"b"' "$BATS_TEST_TMPDIR/all.json"
}

@test "import: for a damaged snapshot, exits with status 1 and leaves no files" {
	cd "$BATS_TEST_TMPDIR"
	make_run $ID
	"$BUILD/rtrack-report" export -o good.gz
	head -c 300 good.gz >torn.gz
	: >empty
	mkdir directory
	echo '{"metadata": {}, "process_metrics": [{"a": 1}]}' >timeless
	echo '{"metadata": {}, "process_metrics": [{"timestamp": 1}, 3]}' >rows
	echo '{"metadata": {}, "process_metrics": [' >open
	echo '[]' >list
	head -c 5000 /dev/urandom >noise
	for file in torn.gz empty directory timeless rows open list noise absent; do
		report import --spool "$PWD/new" $file
		[ "$status" -eq 1 ] || { echo "$file: $status"; return 1; }
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
		[[ $stderr == "rtrack-report: '$file' cannot be imported: "* ]]
		[ -z "$(ls -A new 2>/dev/null)" ]
	done
	report import good.gz
	[ "$status" -eq 1 ]
	[[ $stderr == *"its run is there already" ]]
	report import
	[ "$status" -eq 2 ]
}

# reads_pipe PID: the process sleeps and has the pipe in the working directory open.
reads_pipe() {
	grep -qs '^State:.S' "/proc/$1/status" && [ "$(find "/proc/$1/fd" -lname "$PWD/pipe")" ]
}

@test "import: waits for data in a pipe, and then reads the snapshot" {
	cd "$BATS_TEST_TMPDIR"
	make_run $ID
	"$BUILD/rtrack-report" export -o good.gz
	mkfifo pipe
	exec 5<>pipe
	"$BUILD/rtrack-report" import --spool "$PWD/new" pipe >said 3>&- 5>&- &
	soon reads_pipe $!
	cat good.gz >&5
	exec 5>&-
	wait $!
	[ "$(cat said)" = $ID ]
	report import --spool "$PWD/new" /dev/null
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '/dev/null' cannot be imported: it is empty" ]
}

# An earlier version of export -o /dev/null, run as root, replaced the device by a file.
@test "export: writes to a pipe, a device or a link without replacing it" {
	cd "$BATS_TEST_TMPDIR"
	make_run $ID
	mkfifo pipe
	ln -s target link
	for form in prometheus-textfile snapshot csv json openmetrics; do
		"$BUILD/rtrack-report" export --to $form -o plain
		cat pipe >read 3>&- &
		timeout 60 "$BUILD/rtrack-report" export --to $form -o pipe
		[ -p pipe ] || { echo "$form: the pipe is gone"; kill $!; return 1; }
		wait $!
		cmp plain read
		echo old >target
		"$BUILD/rtrack-report" export --to $form -o link
		[ -L link ]
		cmp plain target
	done
}

@test "import: a file larger than 1 GiB when unpacked is refused" {
	cd "$BATS_TEST_TMPDIR"
	head -c 1100000000 /dev/zero | gzip -1 >bomb.gz
	report import bomb.gz
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: 'bomb.gz' cannot be imported: it is larger than 1 GiB when unpacked" ]
}
