#!/usr/bin/env bats
# Tests of rtrack-report list
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	make_three_runs
	make_run 20261121T020300Z-compute-7-13-0004 running job.R 180
	touch -d '-1 hour' "$RTRACK_SPOOL/20261121T020300Z-compute-7-13-0004/system.csv"
	mkdir "$RTRACK_SPOOL/.20261121T020400Z-compute-7-14-0005" "$RTRACK_SPOOL/lost+found"
}

ids() {
	report_value '.[].id' list "$@" | sed 's/"\(........T......Z\).*/\1/' | paste -sd' '
}

@test "list: prints runs, the newest first, and ignores other files" {
	[ "$(ids)" = "20261121T020300Z 20261121T020200Z 20261121T020100Z 20261121T020000Z" ]
}

@test "list: selects runs by job, by time and by number" {
	export TZ=UTC0
	[ "$(ids --job other.R)" = "20261121T020100Z" ]
	[ "$(ids --job 'o*.R')" = "20261121T020100Z" ]
	[ "$(ids --limit 2)" = "20261121T020300Z 20261121T020200Z" ]
	[ "$(ids --job job.R --limit 1)" = "20261121T020300Z" ]
	[ "$(ids --since 2026-11-21T02:02)" = "20261121T020300Z 20261121T020200Z" ]
	[ "$(ids --since 2026-11-21)" = "20261121T020300Z 20261121T020200Z 20261121T020100Z 20261121T020000Z" ]
	make_run "$(date -u -d '-1 hour' +%Y%m%dT%H%M%SZ)-h-1-0001" finished late $(($(date +%s) - 3600 - 1795226400))
	[ "$(report_value '[.[].job]' list --since 2h --job late)" = '["late"]' ]
	[ "$(report_value . list --since 30m --job late)" = '[]' ]
}

@test "list: dates are in UTC with --utc, both in options and in the output" {
	export TZ=JST-9
	[ "$(ids --utc --since 2026-11-21T02:02)" = "20261121T020300Z 20261121T020200Z" ]
	[ "$(ids --since 2026-11-21T02:02Z)" = "20261121T020300Z 20261121T020200Z" ]
	[ "$(ids --since 2026-11-21T02:01:30 --utc --limit 1)" = 20261121T020300Z ]
	[ -z "$(ids --since 2026-11-22 --utc)" ]
	for since in '2026-11-21 02:02' '2026-11-21 02:02:00' '2026-11-21 02:02 UTC' "$("$BUILD/rtrack-report" show --utc -v 20261121T0202 | grep -o '2026-11-21 [0-9:]* UTC' | head -1)"; do
		[ "$(ids --utc --since "$since")" = "20261121T020300Z 20261121T020200Z" ] || { echo "$since"; false; }
	done
	[ -n "$(ids --since '2026-11-21 UTC')" ]
	"$BUILD/rtrack-report" list --help | grep -q -- '--utc'
}

@test "list: dates are in the time zone of the reader, both in options and in the output" {
	export TZ=JST-9
	for since in '2026-11-21 11:02' 2026-11-21T11:02:00 '2026-11-21 11:02 JST' "$("$BUILD/rtrack-report" show -v 20261121T0202 | grep -o '2026-11-21 [0-9:]* JST' | head -1)"; do
		[ "$(ids --since "$since")" = "20261121T020300Z 20261121T020200Z" ] || { echo "$since"; false; }
	done
	[ "$("$BUILD/rtrack-report" list --columns start --limit 1 | tail -1)" = "2026-11-21 11:03:00 JST" ]
	[ "$(COLUMNS=120 "$BUILD/rtrack-report" list --limit 1 | tail -1 | grep -o '11-21 11:03')" = "11-21 11:03" ]
	# The time zone has summer time, which 2026-07-01 has and 2026-11-21 lacks.
	TZ=CET-1CEST,M3.5.0,M10.5.0/3 "$BUILD/rtrack-report" list --columns start --limit 1 | grep -x '2026-11-21 03:03:00 CET'
}

@test "list: a wide terminal shows the requested memory and the batch job" {
	local run="$RTRACK_SPOOL/$("$BUILD/rtrack-report" list --limit 1 --format json | jq -r '.[0].id')"
	jq '.requested = {memory_mib: 2048} | .labels = {slurm_job_id: "7"}' "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
	cp "$BATS_TEST_TMPDIR/changed" "$run/run.json"
	COLUMNS=120 report list
	grep -qE '^Run .* Memory +Requested +Batch job$' <<<"$output"
	grep -qE '^20261121T020300Z .* MiB +2 GiB +slurm:7$' <<<"$output"
	COLUMNS=80 report list
	fails grep -q slurm <<<"$output"
}

@test "list: prints a run per line, in 80 columns or as wide as the longest job name" {
	report list
	fails grep -nE ' {30}' <<<"$output"
	COLUMNS=160 report list
	[ "$(head -1 <<<"$output")" = "Run (UTC)         Job          Duration  Status                CPU   Memory" ]
	make_run 20261121T020400Z-a-host-with-a-rather-long-name-that-goes-on-and-on-123456-0005 finished \
		"a job named with more letters than any column that a table of 80 columns could have for it" 240
	make_run 20261121T020400Z-a-host-with-a-rather-long-name-that-goes-on-and-on-123457-0006 finished job.R 240
	for columns in 20 30 60 80 100 250; do
		COLUMNS=$columns report list
		[ "$status" -eq 0 ]
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
	done
	# Runs that start in the same second have longer ids, so the columns after the job are narrower.
	COLUMNS=80 report list
	grep -qE '^[^ ]+-0005  a job named with ' <<<"$output"
	[ "$(wc -l <<<"$output")" -eq 7 ]
	for word in finished failed killed interrupted job.R other.R; do
		grep -q "$word" <<<"$output"
	done
}

@test "list: all figures fit in 80 columns beside a long id and a long status" {
	cd "$BATS_TEST_TMPDIR"
	dead=$(make_run 20261121T020500Z-compute-7-14-0005 failed oom-child 300)
	jq '.stop_time = 1795268367 | .exit_code = null | .killed_by = "limit" |
		.limits = {"memory_mib": 256, "seconds": null, "reached": "memory"}' "$dead/run.json" >changed
	mv changed "$dead/run.json"
	make_run 20261121T020500Z-compute-7-15-0006 finished job-of-a-long-name.R 300 >/dev/null
	# The figures of this run have the greatest possible width.
	awk -F, -v OFS=, 'NR > 1 { $4 = 10400; $7 = 2100.5 } 1' "$dead/process.csv" >changed
	mv changed "$dead/process.csv"
	COLUMNS=80 report list
	[[ ${lines[0]} == 'Run (UTC) '*' CPU '*Memory ]] || { echo "$output"; return 1; }
	grep -E '^20261121T020500Z-0005  oom-child +11\.6 h  out of memory +[0-9.]+ [hd]  2\.05 GiB$' <<<"$output" || { echo "$output"; return 1; }
	fails grep -nE '.{81}' <<<"$output"
	# In a wider terminal, durations have two units.
	COLUMNS=90 report list
	grep -qE ' 11 h 34 min  out of memory +[0-9]+ [hd] [0-9]+ (min|h)  2\.05 GiB$' <<<"$output" || { echo "$output"; return 1; }
	# On a terminal too narrow for a table, the figures are still printed.
	COLUMNS=40 report list
	grep -qxE '20261121T020500Z-0006 job-of-a-long-n\.\.\.' <<<"$output"
	grep -qxE '  finished, 4 s, CPU 6 s, 300 MiB' <<<"$output" || { echo "$output"; return 1; }
	fails grep -nE '.{41}' <<<"$output"
	# Text that does not fit in a line continues in the next line.
	COLUMNS=24 report list
	grep -qx '  finished, 4 s, CPU' <<<"$output" || { echo "$output"; return 1; }
	grep -qx '  6 s, 300 MiB' <<<"$output"
}

@test "list: in 80 columns, a line for several runs still begins with part of the name" {
	rm -r "$RTRACK_SPOOL"
	for number in {1..12}; do
		run=$(make_run 20261121T020500Z-compute-7-$number-$(printf %04d $number) failed training 300)
		jq '.exit_code = null | .killed_by = "limit" | .limits = {"memory_mib": 256, "seconds": null, "reached": "memory"} |
			.tracker += {script_pid: 7, script_start: 100, start_ticks: 200}' "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
		mv "$BATS_TEST_TMPDIR/changed" "$run/run.json"
	done
	cd "$BATS_TEST_TMPDIR"
	LC_ALL=C.UTF-8 script -qec "stty cols 80; '$BUILD/rtrack-report' list --fold" /dev/null </dev/null >listed
	sed -i 's/\x1b\[[0-9;]*m//g; s/\r//' listed
	grep -qE '^20261121T020500Z-[0-9]{4}  12 runs: tr.* 12 out of memory ' listed || { cat listed; return 1; }
	fails env LC_ALL=C.UTF-8 grep -nE '.{81}' listed
	# A status that is too long has its own line, and the other runs keep their table.
	set_ends() {
		jq ".killed_by = null | .limits = null | .exit_code = $2" "$1/run.json" >changed
		mv changed "$1/run.json"
	}
	for number in 1 2; do
		set_ends "$RTRACK_SPOOL/20261121T020500Z-compute-7-$number-000$number" 1
	done
	make_run 20261121T020600Z-compute-7-20-0020 finished other 360
	COLUMNS=80 report list --fold
	grep -qE '^20261121T020500Z-[0-9]{4} 12 runs: training' <<<"$output" || { echo "$output"; return 1; }
	grep -qxE '  2 failed, 10 out of memory, 4 s, CPU .*' <<<"$output" || { echo "$output"; return 1; }
	grep -qE '^20261121T020600Z +other +4 s  finished ' <<<"$output" || { echo "$output"; return 1; }
}

@test "list: output into a pipe truncates a name only if the line would exceed 120 characters" {
	make_run 20261121T020400Z-compute-7-15-0005 finished "$(printf 'long-name-%.0s' {1..20})" 240
	make_run 20261121T020500Z-compute-7-15-0006 finished "$(printf 'long-name-%.0s' {1..5})" 300
	report list
	grep -q " $(printf 'long-name-%.0s' {1..5}) " <<<"$output"
	grep -q " $(printf 'long-name-%.0s' {1..4}).*\.\.\. " <<<"$output"
	fails grep -nE '.{121}' <<<"$output"
}

@test "list --trend, waste, recommend --all: columns in a pipe match their headings" {
	name=a-job-with-a-name-longer-than-forty-column
	run=$(make_run 20261121T020400Z-compute-7-15-0005 finished "$name" 240)
	sed -i 's/"labels"/"requested": {"cpu": 1, "memory_mib": 9216, "gpu": null, "seconds": null}, "labels"/' "$run/run.json"
	for words in 'list --trend' waste 'recommend --all --offline'; do
		# shellcheck disable=SC2086
		"$BUILD/rtrack-report" $words >"$BATS_TEST_TMPDIR/table" 2>"$BATS_TEST_TMPDIR/err"
		# The number of runs is right-aligned with its heading.
		awk -v name="$name" '/^Job / { head = index($0, "Runs") + 3 } index($0, name) == 1 { row = match($0, / 1 /) + 1 }
			END { exit !(head > 40 && head == row) }' "$BATS_TEST_TMPDIR/table" || { echo "$words"; cat "$BATS_TEST_TMPDIR/table"; false; }
	done
}

@test "list: sorts by usage and writes CSV" {
	set_peak "$RTRACK_SPOOL/20261121T020100Z-compute-7-11-0002" 900
	[ "$(ids --sort memory --limit 1)" = 20261121T020100Z ]
	[ "$(ids --sort job --limit 3)" = "20261121T020300Z 20261121T020200Z 20261121T020000Z" ]
	[ "$(ids --sort start --limit 1)" = 20261121T020300Z ]
	make_run 20261121T020400Z-compute-7-15-0005 finished '=cmd,\"a\"' 240
	report list --format csv
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = '"id","job","status","start_time","wall_seconds","cpu_seconds","peak_memory_mib","script","labels"' ]
	[ "${lines[1]}" = "\"20261121T020400Z-compute-7-15-0005\",\"'=cmd,\"\"a\"\"\",\"finished\",1795226640.000,4.000,6.000000,300.000,\"\",\"team=x\"" ]
	[ "${#lines[@]}" -eq 6 ]
	report show --format csv
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --format 'csv': expected text or json" ]
}

@test "list: the name that list prints for a run selects that run in other commands" {
	make_run 20261121T020300Z-compute-7-13-0005 finished twin.R 180
	report list
	while read -r name rest; do
		[ "$("$BUILD/rtrack-report" stats --format json "$name" | jq -r .run.job)" = "$(awk '{ print $1 }' <<<"$rest")" ]
	done < <(tail -n +2 <<<"$output")
}

@test "list: JSON has the keys of run.json, the status and the totals" {
	[ "$(report_value '.[3] | del(.totals, .script, .outcome, .out_of_memory, .unit)' list)" = "$(jq -c . "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001/run.json")" ]
	[ "$(report_value '.[3].totals.cpu_seconds' list)" = 6 ]
	[ "$(report_value '.[0].status' list)" = '"interrupted"' ]
	# The output is an array, even for one run or none.
	[ "$(report_value length list)" = 4 ]
	[ "$(report_value length list --limit 1)" = 1 ]
	report list --format json --job none
	[ "$status $output" = '0 []' ]
}

@test "list: an unreadable run does not hide other runs" {
	head -c 1000 /dev/urandom >"$RTRACK_SPOOL/20261121T020100Z-compute-7-11-0002/run.json"
	rm "$RTRACK_SPOOL/20261121T020200Z-compute-7-12-0003/"*
	report list
	[ "$status" -eq 0 ]
	[ "$(wc -l <<<"$output")" -eq 5 ]
	grep -q '^20261121T020100Z .* unknown ' <<<"$output"
}

@test "list: selects runs that have all given labels" {
	give() {
		jq ".labels = $2" "$RTRACK_SPOOL/$1/run.json" >changed
		mv changed "$RTRACK_SPOOL/$1/run.json"
	}
	cd "$BATS_TEST_TMPDIR"
	runs=("$RTRACK_SPOOL"/2*)
	give "$(basename "${runs[0]}")" '{"team": "a", "step": "fit"}'
	give "$(basename "${runs[1]}")" '{"team": "a", "step": "fit=2\nx", "n": 3}'
	[ "$(ids --label team=a)" = "20261121T020100Z 20261121T020000Z" ]
	[ "$(ids --label team=a --label step=fit)" = "20261121T020000Z" ]
	[ "$(ids --tag team=a --label step=fit)" = "20261121T020000Z" ]
	[ "$(ids --label 'team=[ab]' --label 'step=f[a-j]t')" = "20261121T020000Z" ]
	[ -z "$(ids --label team=a --label step=fi)" ]
	[ -z "$(ids --label Team=a)" ]
	[ -z "$(ids --label n=3)" ]
	report list --label team
	[ "$status" -eq 2 ]
	[[ $stderr = "rtrack-report: --label 'team': expected KEY=VALUE"* ]]
}

# run_script: a script that started before LD_PRELOAD was set runs four commands with it.
run_script() {
	cat >"$BATS_TEST_TMPDIR/batch.sh" <<-END
		export LD_PRELOAD=$BUILD/librtrack.so
		sort /etc/passwd >/dev/null
		awk 'BEGIN { for (i = 0; i < 100000; i++) s += i }'
		sort "$BATS_TEST_TMPDIR/nothing" 2>/dev/null
		gzip -c /etc/passwd >/dev/null &
		wait
	END
	sh "$BATS_TEST_TMPDIR/batch.sh"
	rm -rf "$RTRACK_SPOOL"/*compute-7*
}

@test "list: runs that one script started are shown in one line" {
	run_script
	COLUMNS=80 report list --fold
	grep -q "^Their total: rtrack-report stats --group " <<<"$output"
	run_script
	# If several lines stand for a script each, the hint names one of them.
	COLUMNS=80 report list --fold
	grep -q "^The first one's total: rtrack-report stats --group " <<<"$output"
	report list --fold
	[ "$(grep -c '^2' <<<"$output")" -eq 2 ]
	[ "$(grep -c ' 4 runs: sort, awk, gzip .*1 failed' <<<"$output")" -eq 2 ]
	LC_ALL=C.UTF-8 script -qec "stty cols 80; '$BUILD/rtrack-report' list --fold" /dev/null </dev/null | grep -q '4 runs: '
	for job in z zz; do "$BUILD/rtrack-run" --job $job true; done # one script, which is this shell
	report list --fold --sort job
	[ "$(sed -nE 's/^2[^ ]* +(. runs: [a-z]+).*/\1/p' <<<"$output" | paste -sd' ')" = "4 runs: sort 4 runs: sort 2 runs: z" ] || { echo "$output"; return 1; }
	for run in $(grep -l '"job": "zz*"' "$RTRACK_SPOOL"/*/run.json); do rm -r "${run%/*}"; done
	report list --all
	[ "$(grep -c '^2' <<<"$output")" -eq 8 ]
	[ "$(report_value '[.[].script] | group_by(.) | map(length)' list)" = '[4,4]' ]
	local name
	name=$(report_value '.[0].script' list | tr -d '"')
	report list --group "$name"
	[ "$(grep -c '^2' <<<"$output")" -eq 4 ]
	[ "$(report_value '[.group, (.members | length)]' stats --group "$name")" = "[\"$name\",4]" ]
}

@test "list: shows a script's runs under rtrack-run and LD_PRELOAD in one line" {
	cat >"$BATS_TEST_TMPDIR/batch.sh" <<-END
		"$BUILD/rtrack-run" sort /etc/passwd >/dev/null
		LD_PRELOAD=$BUILD/librtrack.so awk 'BEGIN { for (i = 0; i < 100000; i++) s += i }'
		"$BUILD/rtrack-run" --job again gzip -c /etc/passwd >/dev/null
	END
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	sh "$BATS_TEST_TMPDIR/batch.sh"
	sh "$BATS_TEST_TMPDIR/batch.sh"
	[ "$(report_value '[.[].script] | group_by(.) | map(length)' list)" = '[3,3]' ]
	report list --fold
	[ "$(grep -c '^2.* 3 runs: sort, awk, again ' <<<"$output")" -eq 2 ]
	# A run inside another run belongs to the outer run, and to no script.
	"$BUILD/rtrack-run" --job outer sh -c '"$0" --job inner true; true' "$BUILD/rtrack-run"
	[ "$(report_value '[.[] | select(.job == "inner") | .script]' list)" = '[null]' ]
}

@test "--group: counts how many runs of a script failed and how many were killed" {
	cat >"$BATS_TEST_TMPDIR/batch.sh" <<-END
		export LD_PRELOAD=$BUILD/librtrack.so RTRACK_INTERVAL=0.05
		perl -e '\$held = "a" x 60e6; \$until = times() + 0.3; 1 while times() < \$until; exit 3'
		sh -c 'kill -TERM \$\$'
		gzip -c /etc/passwd >/dev/null
	END
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	bash "$BATS_TEST_TMPDIR/batch.sh" || :
	report list --fold
	grep -q ' 1 failed, 1 killed ' <<<"$output"
	local name page="$BATS_TEST_TMPDIR/page.html"
	name=$(report_value '.[0].script' list | tr -d '"')
	report show -v --group "$name"
	grep -q '^perl, sh, gzip: 1 of 3 runs was killed, 1 failed; all ended after ' <<<"$output" || { echo "$output"; return 1; }
	[ "$(report_value '.ended | [.outcome, .text]' show --group "$name")" = '["killed","1 of 3 runs was killed, 1 failed; all ended"]' ]
	"$BUILD/rtrack-report" html --group "$name" -o "$page"
	grep -q '<span class="badge killed">not all finished</span>' "$page"
	grep -q '<p[^>]*>1 of 3 runs was killed, 1 failed; all ended after' "$page"
	# The bands come from member.csv of each run, and the pressure comes from the machine.
	perl -0ne 'print $1 if /"memory":\{.*?"stack":\[(.*?)\]/s' "$page" | grep -q '"label":"perl"'
	[ ! -r /proc/pressure/cpu ] || fails grep -q 'Not measured: [^<]*Pressure' "$page"
}

@test "show, stats and html --group: the runs of a script are added up" {
	run_script
	local name cpu
	name=$(report_value '.[0].script' list | tr -d '"')
	report show -v --group "$name"
	grep -q '^sort, awk, gzip: 1 of 4 runs failed; all ended after ' <<<"$output"
	grep -q '^Group  *4 runs that one script started; failed: sort$' <<<"$output"
	grep -qE '^sort +[0-9.]+ m?s .*  failed$' <<<"$output"
	fails grep -qE 'Rank|Machine|slow:|over mean' <<<"$output"
	report stats --group "$name"
	[ "$(head -1 <<<"$output")" = "$name: 4 runs that one script started; failed: sort" ]
	local command
	for command in "show -v --group $name" "stats --group $name"; do
		# shellcheck disable=SC2086
		COLUMNS=80 report $command
		grep -qE '^sort .*  failed$' <<<"$output"
		fails grep -nE '.{81}' <<<"$output"
		"$BUILD/rtrack-report" $command | perl -0ne 'exit(/\n\n\n/ ? 1 : 0)'
	done
	# The sentence about how the runs ended is not truncated. On a narrow terminal it takes two lines.
	COLUMNS=40 report show -v --group "$name"
	[[ ${lines[0]} == 'sort, '*': 1 of 4 runs failed; all' && ${lines[1]} == '  ended after '*s ]] || { echo "$output"; return 1; }
	[ "$(report_value '[.members[].slow]' stats --group "$name")" = '[false,false,false,false]' ]
	cpu=$("$BUILD/rtrack-report" list --all --format json | jq '[.[].totals.cpu_seconds] | add')
	report_value ".totals.cpu_seconds - $cpu | fabs < 1e-5" stats --group "$name" | grep -qx true
	"$BUILD/rtrack-report" html --group "$name" -o "$BATS_TEST_TMPDIR/page.html"
	grep -q '<h3 id="members">Runs of the script</h3>' "$BATS_TEST_TMPDIR/page.html"
	[ "$(grep -c '<tr><th scope="row" title="2' "$BATS_TEST_TMPDIR/page.html")" -eq 4 ]
	fails grep -q 'Machines and ranks' "$BATS_TEST_TMPDIR/page.html"
}

# scripted NUMBER SECOND JOB STATUS [JQ]: makes a run as if a script had started it, edits its run.json with JQ, and
# puts its directory in $made.
scripted() {
	local name=20261121T02000$2Z-compute-7-2$1-001$1
	made=$RTRACK_SPOOL/$name
	make_run "$name" "$4" "$3" "$2" >"$BATS_TEST_TMPDIR/changed"
	jq ".tracker += {script_pid: 5, script_start: 100, start_ticks: 1000} | ${5:-.}" "$made/run.json" >"$BATS_TEST_TMPDIR/changed"
	mv "$BATS_TEST_TMPDIR/changed" "$made/run.json"
}

@test "list: the line of a script with many jobs names one job and counts the others" {
	local number
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	for number in 1 2 3 4 5 6 7 8; do
		scripted $number $number "longer-name-$((number % 4))" finished
	done
	report list --fold
	grep -q ' 8 runs: longer-name-1, +3 jobs ' <<<"$output" || { echo "$output"; return 1; }
	grep -qx 'Runs that one script started are one line; list without --fold has each.' <<<"$output"
	[ "$(grep -c -- --fold <<<"$output")" -eq 1 ]
	report list
	fails grep -q -- --fold <<<"$output"
}

@test "a run that --max-seconds ended is counted as out of time in its group" {
	local page="$BATS_TEST_TMPDIR/page.html" number
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	scripted 1 0 fit finished
	for number in 2 3; do
		scripted $number $number slow$number killed '.killed_by = "limit" | .limits = {memory_mib: null, seconds: 4, reached: "seconds"}'
	done
	scripted 4 4 bad killed
	report list --all
	[ "$(grep -c ' out of time ' <<<"$output")" -eq 2 ]
	report stats --group compute-7-5-100
	[[ "$(head -2 <<<"$output" | xargs)" == 'compute-7-5-100: 4 runs that one script started; out of time: slow2, slow3; killed: bad'* ]] ||
		{ echo "$output"; return 1; }
	report show -v --group compute-7-5-100
	[[ ${lines[0]} == 'fit, slow2, slow3, bad: 2 of 4 runs ran out of time, 1 was killed; all ended after '* ]] || { echo "$output"; return 1; }
	[ "$(grep -cE '^slow[23] .*  out of time$' <<<"$output")" -eq 2 ]
	[ "$(report_value .ended.outcome show --group compute-7-5-100)" = '"out_of_time"' ]
	"$BUILD/rtrack-report" html --group compute-7-5-100 -o "$page"
	[ "$(grep -o '<td>out of time</td>' "$page" | wc -l)" -eq 2 ]
}

@test "list: the line of a script shows how many of its runs ran out of memory" {
	local number lacked='.killed_by = "limit" | .limits = {memory_mib: 256, seconds: null, reached: "memory"}'
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	scripted 1 0 outer finished
	scripted 2 1 retry killed "$lacked"
	scripted 3 2 retry finished
	report list --fold
	grep -q '  3 runs: outer, retry .*  1 out of memory  ' <<<"$output" || { echo "$output"; return 1; }
	for number in {4..9}; do scripted $number $number more killed "$lacked"; done
	for number in a b c; do scripted $number 3 more killed "$lacked"; done
	report list --fold
	grep -q '  12 runs: outer, retry, more .*  10 out of memory  ' <<<"$output" || { echo "$output"; return 1; }
	for columns in 60 64 68 80; do
		COLUMNS=$columns report list --fold
		grep -q ' 10 out ' <<<"$output" || { echo "$output"; return 1; }
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
	done
}

@test "list, show: a run whose kill was detected late does not overlap the next run" {
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	scripted 1 0 greedy killed '.stop_time += 0.05'
	scripted 2 4 retry finished
	report list --fold
	grep -q ' 2 runs: greedy, retry .* 300 MiB$' <<<"$output" || { echo "$output"; return 1; }
	[ "$(report_value .totals.peak_memory_mib show --group compute-7-5-100)" = 300 ]
	# A finished run recorded its own end, so it does overlap. So does a killed run that overlaps the next run for a
	# long time.
	scripted 1 0 greedy finished '.stop_time += 0.05'
	report list --fold
	grep -qE ' (<=|≤)600 MiB$' <<<"$output" || { echo "$output"; return 1; }
	scripted 1 0 greedy killed '.stop_time += 1'
	report list --fold
	grep -qE ' (<=|≤)600 MiB$' <<<"$output" || { echo "$output"; return 1; }
}

@test "--group: a peak is not exact if the runs peaked at different times" {
	local group=compute-7-5-100 page="$BATS_TEST_TMPDIR/page.html"
	rm -rf "$RTRACK_SPOOL"/*compute-7*
	scripted 1 0 fit finished
	scripted 2 1 fit finished
	[ "$(report_value '[.[].totals.exact_memory]' list)" = '[true,true]' ]
	# The runs never had their peaks in the same tick, so their common peak is not exact.
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory, .peak_memory_mib < .peak_memory_at_most_mib]' show --group $group)" = '[true,false,true]' ]
	report show -v --group $group
	grep -q '^Peak memory .* largest process 290 MiB$' <<<"$output"
	grep -q 'Not exact .*the peak may be more' <<<"$output"
	"$BUILD/rtrack-report" html --group $group -o "$page"
	grep -q 'Not exact: the peak may be more' "$page"
	report recommend --offline --group $group
	fails grep -q 'lower bound' <<<"$output"
	# A gcc that was killed left no exit record.
	sed -i '/,12,160,/d' "$made/exit.csv"
	[ "$(report_value '.totals.exact_memory' show --group $group)" = false ]
	report show -v --group $group
	grep -q ' largest process 290 MiB$' <<<"$output"
}

@test "list: --limit counts lines, and the line of a script includes all its runs" {
	run_script
	"$BUILD/rtrack-run" true
	report list --fold --limit 2
	[ "$(grep -c '^2' <<<"$output")" -eq 2 ]
	grep -q '4 runs: sort, awk, gzip' <<<"$output"
	report list --fold --limit 1
	[ "$(grep -c '^2' <<<"$output")" -eq 1 ]
}

@test "list: runs started by an interactive shell are not grouped" {
	python3 - "$BUILD/librtrack.so" <<-'END' >/dev/null
		import os, subprocess, sys
		for name in "/etc/passwd", "/etc/group":
		    subprocess.run(["sort", name], env=os.environ | {"LD_PRELOAD": sys.argv[1]}, preexec_fn=os.setpgrp)
	END
	[ "$(report_value '[.[] | select(.job == "sort") | .script]' list)" = '[null,null]' ]
}

@test "list, waste, prune, html --all: accept spools, globs, --user, --status" {
	cd "$BATS_TEST_TMPDIR"
	for at in a b; do
		RTRACK_SPOOL=$PWD/$at
		make_run 20261121T02000${#at}Z-$at-7-10-0001 finished $at.R
		make_run 20261121T03000${#at}Z-$at-7-10-0002 failed $at-fails.R 3600
	done
	sed -i 's/"ada"/"eve"/' b/*/run.json
	unset RTRACK_SPOOL
	[ "$(report_value 'map(.job)' list --spool '[ab]' --status finished)" = '["b.R","a.R"]' ]
	[ "$(report_value 'map(.job)' list --spool a --spool b --user eve)" = '["b-fails.R","b.R"]' ]
	[ "$(report_value '[.[].job] | sort' list --trend --spool '?' --user ada)" = '["a-fails.R","a.R"]' ]
	[ "$(report_value '.removed | length' prune --spool a --spool b --older-than 2027-01-01 --user eve --dry-run)" = 2 ]
	"$BUILD/rtrack-report" html --all --spool '[ab]' --user eve -o site >/dev/null
	[ "$(ls site/runs | wc -l)" = 2 ]
	report list --spool a --spool "$PWD/none" --spool b
	[ "$status" -eq 0 ]
	grep -q "'$PWD/none' cannot be read: " <<<"$stderr"
	[ "$(report_value .run.job stats --spool a --spool b)" = '"b-fails.R"' ]
	report discover --spool a --spool b
	[ "$status" -eq 2 ]
}

@test "list --columns: prints the requested columns in the requested order" {
	report list --columns job,status,processes,cpu,run
	[ "$status" -eq 0 ]
	[[ ${lines[0]} =~ ^Job\ +Status\ +Processes\ +CPU\ +Run\ \(UTC\)$ ]]
	[ "${#lines[@]}" = 5 ]
	grep -qE '^other\.R +[a-z]+ +[0-9]+ +[0-9.]+ m?s +20261121T020100Z$' <<<"$output"
	fails grep -q ' $' <<<"$output"
	for total in $("$BUILD/rtrack-report" stats --format json | jq -r '.totals | del(.efficiency) | keys[]'); do
		report list --columns "job,$total"
		[ "$status" -eq 0 ] || { echo "$total"; false; }
	done
	COLUMNS=50 report list --columns start,job,status
	fails grep -qE '.{51}' <<<"$output"
	report list --columns job,stauts
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --columns: no column 'stauts'; did you mean 'status'?" ]
	report list --columns job --format json
	[ "$status" -eq 2 ]
}
