#!/usr/bin/env bats
# Tests that printed figures are possible: random spools that are checked by the rules of tests/lib/possible.py, and
# cases that once had impossible figures
# bats file_tags=long

bats_require_minimum_version 1.5.0
load ../lib/exact
load ../lib/helper
load ../lib/jobs
load ../lib/runs

possible() {
	python3 "$PROJECT/tests/lib/possible.py" --report "${REPORT:-$BUILD/rtrack-report}" "$@"
}

# total NAME: prints this total of the only run.
total() {
	"$BUILD/rtrack-report" stats --format json "$(only_run)" | jq ".totals.$1"
}

@test "for 2,000 random spools, no command prints figures that contradict each other" {
	# Most of the CPU time is spent on starts of rtrack-report. No command here uses the network.
	without_libcurl "$BATS_TEST_TMPDIR/without"
	REPORT=$BATS_TEST_TMPDIR/without/rtrack-report
	possible --seed "${SEED:-0}" --count "${SPOOLS:-2000}" | sed 's/^/# /' >&3
	[ "${PIPESTATUS[0]}" = 0 ]
}

@test "random spools: the same seed makes the same spool, and contradictions are found" {
	cd "$BATS_TEST_TMPDIR"
	for way in a b; do
		python3 "$PROJECT/tests/lib/random_spools.py" --seed 6 --count 3 --keep $way
	done
	diff -r a b
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	touch "$RTRACK_SPOOL/.impossible" # The test makes the run impossible on purpose.
	possible "$RTRACK_SPOOL"
	set_column "$run/process.csv" memory_mib 17000
	run possible "$RTRACK_SPOOL"
	[ "$status" = 1 ]
	grep -q 'memory-above-machine: peak_memory_mib 17000 is above memory of the machine 16000' <<<"$output"
}

@test "no figure includes CPU time from before the library was loaded" {
	cat >"$BATS_TEST_TMPDIR/late" <<-'END'
		until read -r -a stat </proc/$$/stat && [ "${stat[13]}" -ge 100 ]; do :; done
		export LD_PRELOAD=$1
		exec sh -c 'sleep 0.2'
	END
	bash "$BATS_TEST_TMPDIR/late" "$LIBRARY"
	# The shell has used a second in user mode.
	[ "$(total 'cpu_seconds < 0.5')" = true ]
	[ "$(total 'mean_cpu_usage <= 1')" = true ]
}

@test "no figure includes the peak of a child reaped before the library was loaded" {
	LIBRARY=$LIBRARY sh -c '"$0" 200 10; export LD_PRELOAD=$LIBRARY; exec sh -c "sleep 0.2; true"' "$(victim touch)"
	[ "$(total 'peak_memory_mib < 100')" = true ]
	[ "$(total 'peak_memory_mib_at_most == null or .totals.peak_memory_mib_at_most < 100')" = true ]
}

@test "the mean CPU usage includes the time in which a program is loaded" {
	need clang
	for _ in 1 2 3; do
		rm -rf "$RTRACK_SPOOL"
		preload clang --version >/dev/null
		[ "$(total 'mean_cpu_usage <= 1.05')" = true ]
	done
}

# list_completes RUN: succeeds if list has completed the run. No process of the run completes it if the first process was
# killed before the first sample.
list_completes() {
	"$BUILD/rtrack-report" list >/dev/null && has_no_lock "$1"
}

@test "a run whose first process is killed lasts until its orphan ends" {
	burn=$(victim burn)
	# cat ends when the orphan has closed the pipe.
	{ preload sh -c '("$0" 0.5 &); "$0" 0.1; kill -9 $$' "$burn" || true; } | cat
	[ "$(total 'mean_cpu_usage <= 2.1')" = true ]
	[ "$(total 'wall_seconds >= 0.5 / 2')" = true ]
	wait_for list_completes "$(only_run)"
	[ "$(total 'wall_seconds >= 0.5 / 2')" = true ]
}

@test "the total of a group is inexact if many ranks each lack a little CPU time" {
	cd "$BATS_TEST_TMPDIR"
	for rank in 0 1 2 3 4 5 6 7; do
		run=$(make_run "20261121T020000Z-compute-7-1$rank-000$rank" finished job.R)
		jq --argjson rank $rank '.group = "g" | .member = {rank: $rank, node: 0, of: 8}' "$run/run.json" >new.json
		mv new.json "$run/run.json"
		set_column "$run/process.csv" utime 0.001
		set_column "$run/process.csv" stime 0
		set_column "$run/process.csv" cpu_usage 0.001
		set_column "$run/exit.csv" utime 0.001
		set_column "$run/exit.csv" stime 0
		set_column "$run/exit.csv" exact 1 1 0
		set_column "$run/exit.csv" missing_cpu "" "" 0.009
	done
	possible --every "$RTRACK_SPOOL"
	sum=$("$BUILD/rtrack-report" stats --group g --format json)
	[ "$(jq '.totals | .exact_cpu and (.missing_cpu_seconds_at_most == null or .missing_cpu_seconds_at_most > 0.02 + 0.01 * .cpu_seconds)' <<<"$sum")" = false ]
}

@test "no program has more CPU time than the job, even if it ran before tracking" {
	cat >"$BATS_TEST_TMPDIR/late.py" <<-'END'
		import ctypes, sys, time
		def burn(seconds):
		    until = time.process_time() + seconds
		    while time.process_time() < until:
		        pass
		burn(0.6)
		ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
		burn(0.3)
	END
	RTRACK_INTERVAL=0.05 python3 "$BATS_TEST_TMPDIR/late.py" "$LIBRARY"
	possible --every "$RTRACK_SPOOL"
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.cpu_seconds as $total | all(.programs[]; .cpu_seconds <= $total + 0.01)'
}

@test "no program has more CPU time than the job if a child did not record its children" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	jq '.tracker += {baseline_utime: 1, baseline_stime: 0}' "$run/run.json" >"$BATS_TEST_TMPDIR/new.json"
	mv "$BATS_TEST_TMPDIR/new.json" "$run/run.json"
	# Process 10 used 1 s before the run, and reaped 11, which reaped 12. Only 11 left no record of its own.
	cat >"$run/exit.csv" <<-END
		"timestamp","pid","start_ticks","ppid","utime","stime","peak_rss_mib","exit_code","source","exact","missing_cpu","children_utime","children_stime"
		$((start + 1)).500,11,150,10,0.500000,0.250000,4.500,,"sampler",0,0.000,,
		$((start + 1)).400,12,160,11,2.000000,0.500000,5.500,0,"self",1,,0.000000,0.000000
		$((start + 4)).000,10,100,1,3.250000,0.500000,290.000,0,"self",1,,2.500000,0.750000
	END
	possible --every "$RTRACK_SPOOL"
	"$BUILD/rtrack-report" show --format json | jq -e '[.programs[].cpu_seconds | values] == [3.25, 2.75]'
}

@test "a part ends with its run at the latest, even if the clock was set" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	cat >"$run/mark.csv" <<-END
		"timestamp","pid","label","disk_read_bytes","disk_write_bytes","utime","stime"
		$((start + 1)).000,10,"begin fit",0,0,1.000000,0.000000
		$((start + 3603)).000,10,"end fit",9000000,900000000,3.000000,0.000000
	END
	possible --every "$RTRACK_SPOOL"
	"$BUILD/rtrack-report" show --format json | jq -e '.run.start_time as $start | .parts[0].stop_time == $start + 4'
}

@test "list, stats, compare and the page show the same peak of two workers" {
	cd "$BATS_TEST_TMPDIR"
	hog=$(victim touch)
	RTRACK_INTERVAL=0.1 "$BUILD/rtrack-run" sh -c '"$0" 60; "$0" 90 & "$0" 30; wait' "$hog"
	possible --every "$RTRACK_SPOOL"
	peak=$("$BUILD/rtrack-report" list | awk 'NR == 2 { print $(NF - 1), $NF }')
	"$BUILD/rtrack-report" html -o page.html
	grep -qF "$peak" page.html
	"$BUILD/rtrack-report" stats | grep 'Peak memory' | grep -qF "$peak"
}

# line CHART LABEL: prints the points of a line of page.html, one per line; "null" is unknown.
line() {
	python3 - "$PROJECT/tests/lib" "$@" <<-'END'
		import json, re, sys
		sys.path.insert(0, sys.argv[1])
		import possible
		data = json.loads(re.search(r'id="data">(.*?)</script>', open("page.html").read(), re.S)[1])
		lines = data["charts"][sys.argv[2]]["lines"]
		for value in possible.points(next(line for line in lines if line["label"] == sys.argv[3])):
		    print("null" if value is None else value)
	END
}

@test "page: the job's memory and GPU usage never exceed the machine's" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	# The last row of the job has memory that was read before the job ended. The machine's row is later, and this
	# memory is free again.
	set_column "$run/process.csv" memory_mib 100 300 4200 4200
	set_column "$run/process.csv" members 1 2 2 0
	set_column "$run/system.csv" memory_used_mib 600 800 4700 500
	set_column "$run/process.csv" gpu_usage 0 0.87 0.5 0
	set_column "$run/system.csv" gpu_usage 0 0 0.5 0
	"$BUILD/rtrack-report" html -o page.html "$run"
	for chart in memory gpu; do
		paste <(line $chart Job) <(line $chart Machine) | awk '$1 != "null" && $1 > $2 + 0.5 { print; bad = 1 } END { exit bad }'
	done
}

@test "bytes written in one part of a run are not counted in other parts" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	set_column "$run/process.csv" disk_write_bytes 0 3000000 0 0
	# The writer lives only during its own phase. No process writes in the other phase.
	cat >"$run/mark.csv" <<-END
		"timestamp","pid","label"
		$start.500,10,"begin idle"
		$((start + 1)).300,10,"end idle"
		$((start + 1)).400,10,"begin write"
		$((start + 1)).900,10,"end write"
	END
	possible --every "$RTRACK_SPOOL"
	"$BUILD/rtrack-report" show --format json | jq -e '.parts | all(.exact or .disk_write_bytes == null or .name == "write")'
}
