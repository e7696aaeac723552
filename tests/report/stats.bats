#!/usr/bin/env bats
# Tests of rtrack-report stats: statistics in the format of resource-tracker, totals and history
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

@test "stats: JSON has the same statistics of columns as resource-tracker" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value .stats stats)" = '{"process_cpu_usage":{"mean":1.5,"max":3},"process_memory_mib":{"mean":162.69,"max":300},"process_gpu_usage":{"mean":null,"max":null},"process_gpu_vram_mib":{"mean":null,"max":null},"process_gpu_utilized":{"mean":null,"max":null},"process_swap_mib":{"mean":null,"max":null},"system_disk_space_used_gb":{"max":104},"system_net_recv_bytes":{"sum":4000},"system_net_sent_bytes":{"sum":40},"system_cpu_steal":{"sum":null},"timestamp":{"duration":4}}' ]
}

# tests/truth/shared.bats tests the memory of runs with and without --memory rss.
@test "stats, html: memory is called PSS or RSS, depending on how it was measured" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	while read -r kind rss; do
		# shellcheck disable=SC2086
		[ -z "$rss" ] || set_column "$run/process.csv" rss_mib $rss
		COLUMNS=120 report stats
		grep -q "^Memory of the job ($kind) .* 300 MiB\$" <<<"$output" || { echo "$kind: $output"; return 1; }
		report html -o page.html
		[ "$(grep -oE 'says"><span>Memory \([PR]SS\)' page.html)" = "says\"><span>Memory ($kind)" ]
	done <<-'END'
		PSS
		RSS 100.500 300.000 200.250 50.000
		PSS 100.500 300.000 200.251 50.000
		PSS 110.000 320.000 220.250 60.000
	END
	# After the end of a run, a row may have no memory.
	set_column "$run/process.csv" memory_mib 0
	set_column "$run/process.csv" rss_mib 0
	report stats
	grep -q '^Memory of the job (PSS)' <<<"$output"
}

@test "stats: prints each statistic that columns.def assigns to a column" {
	make_run 20261121T020000Z-compute-7-10-0001
	expected=$(sed -n 's/^COLUMN(\([a-z]*\), \([a-z_]*\), "[^"]*", [0-9]*, [A-Z]*, \(MEAN_MAX\|MAX\|SUM\),.*/\1_\2/p' \
		"$PROJECT/core/columns.def" | sort)
	[ -n "$expected" ]
	[ "$(report_value '.stats | del(.timestamp) | keys | .[]' stats | tr -d '"')" = "$expected" ]
}

@test "stats: prints the totals of a run" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value .totals stats)" = '{"wall_seconds":4,"cpu_seconds":6,"user_seconds":5,"system_seconds":1,"cpu_wait_seconds":null,"mean_cpu_usage":1.5,"cpus_wanted":null,"mean_memory_mib":200.25,"peak_memory_mib":300,"peak_memory_needed_mib":300,"peak_memory_at_least_mib":300,"peak_memory_at_most_mib":300,"peak_process_memory_mib":290,"peak_swap_mib":null,"peak_tmpfs_mib":null,"processes":3,"disk_read_bytes":4194304,"disk_write_bytes":8388608,"exact":true,"exact_cpu":true,"exact_memory":true,"exact_processes":true,"ended_unseen":0,"missing_cpu_seconds_at_most":0,"energy_wh":null,"efficiency":{"cpu":null,"memory":null,"gpu":null,"time":null}}' ]
}

@test "stats: JSON has every key of run.json" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	report_value '.run' stats >"$BATS_TEST_TMPDIR/answer"
	# JSON has all keys of run.json and the keys that this machine adds.
	jq -e -n --slurpfile answer "$BATS_TEST_TMPDIR/answer" --slurpfile run "$run/run.json" \
		'$answer[0] == $answer[0] * $run[0] and (($answer[0] | keys) - ["cloud"]) == ($run[0] | keys)'
	[ "$(report_value 'keys_unsorted' stats)" = '["run","stats","totals","lines","peak_lines","history"]' ]
}

@test "stats: totals are not exact if the first process is unknown, as without /proc" {
	local run
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	[ "$(report_value .totals.exact stats)" = true ]
	sed -i 's/"mode": "preload"/&, "start_ticks": 0/' "$run/run.json"
	[ "$(report_value '.totals | [.exact, .exact_cpu, .exact_memory, .missing_cpu_seconds_at_most]' stats)" = '[false,false,false,null]' ]
}

@test "stats: a process without an exit record makes the totals inexact" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i '/,12,160,/d' "$run/exit.csv"
	[ "$(report_value .totals.exact stats)" = false ]
	[ "$(report_value .totals.cpu_seconds stats)" = 6 ]
}

@test "stats: the history is the last five finished runs of the job" {
	for i in 1 2 3 4 5 6 7 8; do
		make_run "20261121T02000${i}Z-compute-7-10-000$i" finished job.R "$i"
	done
	make_run 20261121T020006Z-compute-7-10-f6 failed job.R 6
	make_run 20261121T020006Z-compute-7-10-o6 finished other.R 6
	[ "$(report_value .history.runs stats 20261121T020008Z)" = 5 ]
	[ "$(report_value .history.runs stats 20261121T020003Z)" = 2 ]
	[ "$(report_value .history.runs stats 20261121T020001Z)" = 0 ]
	[ "$(report_value .history.runs stats --runs 6 20261121T020008Z)" = 6 ]
	[ "$(report_value .history.runs stats other.R)" = 0 ]
	[ "$(report_value .history.stats stats 20261121T020008Z)" = "$(report_value .stats stats 20261121T020008Z)" ]
	[ "$(report_value .history.stats.process_cpu_usage stats 20261121T020001Z)" = '{"mean":null,"max":null}' ]
}

@test "stats: text omits what was not measured" {
	make_run 20261121T020000Z-compute-7-10-0001
	report stats
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output != *GPU* ]]
	[[ $output != *nan* ]]
	[[ $output == *1.5* ]]
}

# lasted RUN SECONDS: sets the duration of the run.
lasted() {
	echo "its rows are of 4 s, whatever it lasted" >"$RTRACK_SPOOL/.impossible"
	sed -i -E "s/\"stop_time\": [0-9.]+/\"stop_time\": $(awk -v s="$2" 'BEGIN { printf "%.3f", 1795226400 + s }')/; s/\"start_time\": [0-9.]+/\"start_time\": 1795226400/" "$1/run.json"
}

@test "a duration is rounded alike everywhere and is never shown as 60 s" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	while IFS=, read -r seconds text short; do
		lasted "$run" "$seconds"
		for command in "stats" "show" "show --short" "list" "html -o -" "watch"; do
			# shellcheck disable=SC2086
			report $command
			grep -qE "(^Duration +|for |(in|after|2:00:00Z|job.R) +|Finished in <strong>)${text}( |<|,|\$)" <<<"$output" || { echo "$command: $text"; echo "$output" | head -n 40; return 1; }
		done
	done <<-END
		0.006,6 ms
		0.4,400 ms
		59.96,1 min
		3599.9,1 h
		86399.6,1 d
		2592000,30 d
	END
}

@test "stats, html: the duration of earlier runs is their mean" {
	lasted "$(make_run 20261121T015900Z-compute-7-10-0001)" 0.006
	lasted "$(make_run 20261121T015930Z-compute-7-10-0002)" 0.012
	lasted "$(make_run 20261121T020000Z-compute-7-10-0003)" 0.4
	sed -i 's/"start_time": 1795226400/"start_time": 1795226399.998/' "$RTRACK_SPOOL"/20261121T015[93]*/run.json
	report stats
	grep -qE '^Duration +400 ms +11 ms$' <<<"$output" || { echo "$output"; return 1; }
	report html -o -
	grep -q '<dt>Duration, earlier runs</dt><dd>11 ms</dd>' <<<"$output" || { grep -o '<dt>Duration.\{60\}' <<<"$output"; return 1; }
}

@test "stats: prints seconds with a unit" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cpu_steal 0.01
	report stats
	grep -qE '^Steal +40 ms$' <<<"$output"
}

@test "stats: lines fit the terminal, and 80 columns also show earlier runs" {
	make_run 20261121T015900Z-compute-7-10-0001
	make_run 20261121T020000Z-compute-7-10-0002
	for columns in 30 40 60 80; do
		COLUMNS=$columns report stats
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
		grep -qE '^ *4 s( +4 s)?$|^Duration +4 s( +4 s)?$' <<<"$output"
	done
	grep -qE '^Duration +4 s +4 s$' <<<"$output"
	# The output contains the statistics of samples and the totals of the whole run.
	grep -qE '^ +this run +the run before it$' <<<"$output"
	grep -A1 -x 'Totals' <<<"$output" | grep -qE '^CPU time '
	grep -qE "^Exact memory +yes$" <<<"$output"
	report stats
	grep -qE '^Duration +4 s +4 s$' <<<"$output"
}

@test "stats: the statistics of a tracked job match its tables" {
	RTRACK_INTERVAL=0.05 "$BUILD/rtrack-run" sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
	run=$(only_run)
	sum=$(column "$run/process.csv" utime | awk '{ s += $1 } END { printf "%.6f", s }')
	[ "$(report_value '.totals.user_seconds' stats)" = "$(echo "$sum" | jq .)" ]
	[ "$(report_value '.totals.exact' stats)" = true ]
	report_value '.run' stats >"$BATS_TEST_TMPDIR/answer"
	# JSON has all keys of run.json and the keys that this machine adds.
	jq -e -n --slurpfile answer "$BATS_TEST_TMPDIR/answer" --slurpfile run "$run/run.json" \
		'$answer[0] == $answer[0] * $run[0] and (($answer[0] | keys) - ["cloud"]) == ($run[0] | keys)'
}

@test "stats: a run that outlives its first process lasts until its last row" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	echo "its rows are of 4 s, its end of 5 ms" >"$RTRACK_SPOOL/.impossible"
	jq '.stop_time = .start_time + 0.005' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	# The sampler holds the lock until the last process has ended. If the sampler is killed with the job, the lock
	# file remains.
	: >"$run/.lock"
	[ "$(report_value '[.totals.wall_seconds, .totals.mean_cpu_usage, .run.stop_time - .run.start_time]' stats)" = '[4,1.5,4]' ]
	rm "$run/.lock"
	[ "$(report_value .totals.wall_seconds stats)" = 0.005 ]
}
