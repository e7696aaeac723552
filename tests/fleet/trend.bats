#!/usr/bin/env bats
# Tests of list --trend: runs of a job over time, and the outliers among them

bats_require_minimum_version 1.5.0
load ../lib/helper

# made NUMBER SECONDS CPU_SECONDS MEMORY [JQ]: makes a run of job fit with this duration, CPU time and memory. The
# filter JQ changes its run.json.
made() {
	local id run
	id=$(printf '20261121T%02d0000Z-n1-100-%04d' "$1" "$1")
	run=$RTRACK_SPOOL/$id
	mkdir -p "$run"
	jq -n --arg id "$id" --argjson number "$1" --argjson seconds "$2" "{schema: 1, id: \$id, job: \"fit\", host: \"n1\", status: \"finished\",
		start_time: (1795219200 + 3600 * \$number), stop_time: (1795219200 + 3600 * \$number + \$seconds), interval: 1,
		exit_code: 0, server: {vcpus: 4, memory_mib: 8000}, input_bytes: 1000000} ${5:+| $5}" >"$run/run.json"
	printf '"timestamp","utime","stime","cpu_usage","memory_mib"\n%s.000,%s,0,1,%s\n' $((1795219200 + 3600 * $1 + $2)) "$3" "$4" >"$run/process.csv"
}

trend() {
	"$BUILD/rtrack-report" list --trend --format json | jq -e "$1"
}

@test "list --trend: gives the cause of each outlier: waiting, work, input or machine" {
	for number in {1..9}; do
		made "$number" $((100 + number)) 50 $((400 + number))
	done
	made 10 400 50 400
	made 11 300 150 400
	made 12 105 50 900 '.input_bytes = 2500000'
	made 13 210 50 400 '.server.vcpus = 1'
	made 14 90 50 1000 '.status = "killed" | .exit_code = null | .exit_signal = 9 | .killed_by = "oom"'
	trend '.[0] | .job == "fit" and .runs == 14 and .not_finished == 1 and .medians.wall_seconds == 106'
	trend '.[0].out_of_line | map(.id[9:11] + " " + .figures + ": " + .reason) == [
		"14 : out of memory",
		"13 duration 2.0 times: its machine had 1 CPU, usually 4",
		"12 peak memory 2.2 times: its input has 2.38 MiB, 2.5 times the usual",
		"11 duration 2.8 times, CPU time 3.0 times: it did more work: 3.0 times the CPU time in 2.8 times the time",
		"10 duration 3.8 times: it waited: 1.0 times the CPU time in 3.8 times the time"]'
	"$BUILD/rtrack-report" list --trend >"$BATS_TEST_TMPDIR/text"
	grep '^fit  *14  *1 ' "$BATS_TEST_TMPDIR/text"
	grep '^  20261121T130000Z-n1-100-0013 duration 2.0 times: its machine' "$BATS_TEST_TMPDIR/text"
	[ "$(grep -c '^  20261121T' "$BATS_TEST_TMPDIR/text")" -eq 3 ]
	grep -x '  and 2 more: --format json has all' "$BATS_TEST_TMPDIR/text"
}

@test "list --trend: similar runs get similar causes, even if two causes combine" {
	for number in {20..59}; do
		made "$number" $((99 + number % 3)) 100 400
	done
	# In the first runs the duration is equal, but the CPU time rises. Then a run has a normal duration, and another
	# run has less of both.
	made 10 180 110 400
	made 11 180 121 400
	made 12 180 130 400
	made 13 180 140 400
	made 14 180 155 400
	made 15 149 155 400
	made 16 60 100 400
	made 17 60 75 400
	made 18 60 61 400
	trend '.[0].out_of_line | map(.id[9:11] + " " + .reason) | reverse == [
		"10 it waited: 1.1 times the CPU time in 1.8 times the time",
		"11 it waited: 1.2 times the CPU time in 1.8 times the time",
		"12 it did more work and waited: 1.3 times the CPU time in 1.8 times the time",
		"13 it did more work and waited: 1.4 times the CPU time in 1.8 times the time",
		"14 it did more work: 1.6 times the CPU time in 1.8 times the time",
		"15 it did more work: 1.6 times the CPU time in 1.5 times the time",
		"16 it waited less: 1.0 times the CPU time in 0.6 times the time",
		"17 it did less work and waited less: 0.8 times the CPU time in 0.6 times the time",
		"18 it did less work: 0.6 times the CPU time in 0.6 times the time"]'
}

@test "list --trend: a job that varies much, or has few runs, has no outliers" {
	for number in {1..4}; do
		made "$number" $((number * number * 50)) 5 100
	done
	trend '.[0].out_of_line == []'
	for number in {5..12}; do
		made "$number" $((number % 2 * 300 + 50)) 5 100
	done
	trend '.[0] | .runs == 12 and .out_of_line == []'
	run -2 "$BUILD/rtrack-report" show -v --trend
}

@test "list --trend: can be restricted to a tag, a label, a group or a time" {
	for number in {1..6}; do
		made "$number" 100 50 $((number * 100)) ".labels = {team: \"$((number % 2))\"} | .group = (if $number > 4 then \"g\" else null end)"
	done
	for words in '--tag team=1|1 3 5' '--label team=0|2 4 6' '--group g|5 6' '--label team=1 --group g|5' '--since 2026-11-21T03:00 --tag team=1|3 5'; do
		# shellcheck disable=SC2086
		runs=$("$BUILD/rtrack-report" list --format json ${words%|*} | jq -r 'map(.id[9:11] | tonumber) | sort | join(" ")')
		[ "$runs" = "${words#*|}" ]
		# shellcheck disable=SC2086
		"$BUILD/rtrack-report" list --trend --format json ${words%|*} |
			jq -e --argjson runs "$(wc -w <<<"$runs")" 'map(.runs) == [$runs]'
	done
	for words in '--tag team=x' '--label team=x' '--group x'; do
		# shellcheck disable=SC2086
		run -1 "$BUILD/rtrack-report" list --trend $words
		[ "$output" = "rtrack-report: no such run in '$RTRACK_SPOOL'" ]
	done
}

@test "html: a figure far above recent runs is called unusual, even if not an outlier" {
	number=0
	for memory in 300 500 320 520 310 400 700; do
		number=$((number + 1))
		made "$number" 100 50 "$memory"
	done
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q 'Unusual: peak memory 1\.8× the median of 5 earlier runs\.' "$BATS_TEST_TMPDIR/page.html"
	grep -q '<strong>700 MiB</strong> <span>earlier median 400 MiB</span>' "$BATS_TEST_TMPDIR/page.html"
	grep -q 'An outlier is far from that median, and further than these runs usually are: what is unusual beside the few runs before it need not be\.' "$BATS_TEST_TMPDIR/page.html"
	grep -q '<strong>400 MiB</strong> <span>median of all, maximum 700 MiB</span>' "$BATS_TEST_TMPDIR/page.html"
	fails grep -q 'class="odd"' "$BATS_TEST_TMPDIR/page.html"
}
