#!/usr/bin/env bats
# Tests of rtrack-report show without -v: a screen of at most twelve lines, with the request first.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# is_short COMMAND ARG...: shows a run in a pipe and at several widths. No screen has more than twelve lines, and no line is
# too long.
is_short() {
	local columns
	report "$@"
	[ "$status" -eq 0 ] || [ "$status" -eq 1 ]
	[ "${#lines[@]}" -ge 5 ]
	[ "$(wc -l <<<"$output")" -le 12 ] || { echo "$output"; return 1; }
	fails grep -nE '.{121}' <<<"$output"
	[[ $output == *"Request  "* ]]
	for columns in 40 60 80 200; do
		COLUMNS=$columns "$BUILD/rtrack-report" "$@" >"$BATS_TEST_TMPDIR/screen"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/screen")" -le 12 ]
		fails grep -nE ".{$((columns + 1))}" "$BATS_TEST_TMPDIR/screen"
	done
}

@test "show: prints at most twelve lines for any run, in a pipe and at any width" {
	local run kind
	for kind in finished failed killed running; do
		run=$(make_run "20261121T020000Z-compute-7-10-$kind" "$kind" "$(printf 'long-name-%.0s' {1..20})")
		is_short show "$run"
	done
	# A run out of memory, in which processes went on, records are missing, and a GPU was used.
	run=$(make_run 20261121T020000Z-compute-7-10-memory killed)
	set_column "$run/system.csv" cgroup_memory_limit_mib 512
	set_column "$run/system.csv" cgroup_oom_kills 0 0 1 1
	set_column "$run/process.csv" gpu_usage 1
	sed -i '/,1[12],/d' "$run/exit.csv"
	jq '.requested = {cpu: 16, memory_mib: 65536, seconds: 3600} | .tracker.lost_records = 3' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	is_short show "$run"
	report show "$run"
	[[ ${lines[0]} == "job.R out of memory, "* ]]
	grep -qx 'Limit       512 MiB, the limit of its control group' <<<"$output"
}

@test "show: many programs and parts are named in one line each" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	for i in {1..30}; do
		sed -n 2p "$run/start.csv" | sed "s/,10,/,$((500 + i)),/; s/\"[^,]*\",/\"\/bin\/tool$i\",/" >>"$run/start.csv"
	done
	is_short show "$run"
	report show "$run"
	grep -qE '^Programs +job\.R 4\.5 s, gcc 1\.5 s, .*, 29 more \([0-9]+( or more)? processes\)$' <<<"$output"
}

@test "show: prints the request first, then what was requested, and the reason" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	jq '.requested = {cpu: 16, memory_mib: 8192}' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	report show
	[ "${lines[1]}" = "Request     2 CPUs   640 MiB   2 min    rtrack-report recommend --for slurm" ]
	[ "${lines[2]}" = "            requested before: 16 CPUs, 8 GiB" ]
	[ "${lines[3]}" = "            memory is 2.1 x the peak (only 1 run so far)" ]
	[[ ${lines[4]} == "CPU         6 s          1.5 CPUs on average, 3 at most, of 8" ]]
	[[ ${lines[5]} == "Memory      300 MiB      of 8 GiB requested" ]]
	report show 20261121T020000Z-compute-7-10-0001
	[[ ${lines[1]} == *" rtrack-report recommend 20261121T020000Z-compute-7-10-0001 --for slurm" ]]
}

@test "show, recommend: say if the machine cannot give the request" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_peak "$run" 9000
	report show
	grep -qx '            the machine has only 15.6 GiB; memory is 2.0 x the peak (only 1 run so far)' <<<"$output"
	report show -v
	grep -q '^Request .* GiB (the machine has only 15.6 GiB), ' <<<"$output"
	report recommend --offline
	grep -q '^- The machine of this run has only 15.6 GiB: it cannot give this request\.$' <<<"$output"
}

@test "show: for a failed run of a new job, says that no run has finished" {
	make_run 20261121T020000Z-compute-7-10-0001 failed
	report show
	grep -qx '            memory is 2.1 x the peak (no run has finished)' <<<"$output"
}

@test "show: a failed run shows the last lines of its error, without lines of marks" {
	cd "$BATS_TEST_TMPDIR"
	fails "$BUILD/rtrack-run" sh -c 'printf "first\nsecond\nthird\n   ~~~^^^\n\nlast: no such file\n" >&2; exit 3' 2>err
	report show
	[ "${lines[1]}" = "Error       second" ]
	[ "${lines[2]}" = "            third" ]
	[ "${lines[3]}" = "            last: no such file" ]
}
