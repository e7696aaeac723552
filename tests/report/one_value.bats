#!/usr/bin/env bats
# Tests that every figure of a run has one value: duration, CPU time, means and peaks are the same in every command and
# on the page.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# kind RUN N: turns a run of four even ticks into a run of another kind.
kind() {
	local run=$1 start=1795226400
	case $2 in
	1) ;;
	2) set_column "$run/process.csv" timestamp $start.1 $start.2 $start.3 $((start + 4)) ;; # uneven ticks
	3) set_column "$run/process.csv" timestamp $((start + 3)) $((start + 3)).1 $((start + 3)).2 $((start + 4)) ;;
	4) sed -i 3d "$run/process.csv" ;;                                      # a tick is missing
	5) sed -i '4,$d' "$run/system.csv" ;;                                   # the machine's last ticks are missing
	6) sed -i '2,3d' "$run/system.csv" ;;                                   # its first ticks are missing
	7) set_column "$run/process.csv" memory_mib 100.5 "" 200.25 "" ;;       # memory is unknown in some ticks
	8) set_column "$run/process.csv" cpu_usage 0.5 "" 1.5 0.5 ;;
	9) sed -i '2,$d' "$run/process.csv" ;;                                  # no tick
	10) rm "$run/process.csv" ;;
	11) rm "$run/system.csv" ;;
	12) rm "$run/member.csv" ;;
	13) set_column "$run/exit.csv" peak_rss_mib 4.5 900 290 ;;             # a peak between two ticks
	14) set_column "$run/exit.csv" utime 0.5 9 40 ;;                        # more CPU time than the ticks have
	15) sed -i 's/"stop_time": 1795226404/"stop_time": 1795226407.5/' "$run/run.json" ;;
	16) sed -i 's/"stop_time": 1795226404/"stop_time": 1795226403.25/' "$run/run.json" ;;
	17) sed -i 's/"finished", "exit_code": 0/"failed", "exit_code": 3/' "$run/run.json" ;;
	18) sed -i 's/"finished", "exit_code": 0, "exit_signal": null/"killed", "exit_code": null, "exit_signal": 9/' "$run/run.json" ;;
	19) sed -i '/,12,160,/d' "$run/exit.csv" ;;                             # a process without an exit record
	20) set_column "$run/process.csv" memory_mib 0.01 0.02 0.01 0.03; set_column "$run/process.csv" cpu_usage 0.001 ;;
	esac
}

# text_of_show: prints the duration, CPU time, mean and peak memory, and mean and peak CPUs of a text report.
text_of_show() {
	cat >text
	sed -nE '1s/.* (in|after) (.*)$/duration \2/p' text
	sed -nE 's/^ *CPU +([0-9.]+ [a-z]+( [0-9]+ [a-z]+)?).*/cpu \1/p; s/^ *Peak memory +([0-9.]+ [A-Za-z]+).*/memory \1/p' text
	sed -nE 's/^ *CPU .*mean ([0-9.]+).*/mean \1/p; s/^ *Peak memory.*[, ]mean ([0-9.]+ [A-Za-z]+).*/memory-mean \1/p' text
	sed -nE 's/^ *CPU .*peak ([0-9.]+).*/peak \1/p' text
}

text_of_page() {
	tr '\n' ' ' <"$1" | grep -o '<tr><th scope="row">\(CPU\|Memory\|Time\)<.*' | sed 's/<\/tbody>.*//; s/<\/tr>/\n/g' |
		sed -nE '/>CPU</s/.*<p><strong>([^<]*) · ([^<]*)<.*/mean \1\npeak \2/p
			/>Memory</s/.*<p><strong>([^<]*) · ([^<]*)<.*/memory-mean \1\nmemory \2/p
			/>Memory</s/.*<p><strong>([^<·]*)<.*/memory \1/p
			/>Time</s/.*<p><strong>([^<]*)<.*process(es)?, ([^<]*) of CPU time.*/duration \1\ncpu \3/p'
}

text_of_stats() {
	sed -nE 's/^Duration +(.*)/duration \1/p; s/^CPU time  +(.*)/cpu \1/p; s/^Peak memory( seen at once)?  +(.*)/memory \2/p
		s/^CPU usage of the job +([^ ]+) +([^ ]+) *$/mean \1\npeak \2/p
		s/^Memory of the job [^ ]+ +([^ ]+ [A-Za-z]+) +([^ ]+ [A-Za-z]+) *$/memory-mean \1\nmemory \2/p' | grep -v ' -$'
}

text_of_list() {
	awk 'NR == 2' | sed -nE 's/^[^ ]+ +job\.R +(.*[^ ]) +(finished|failed|killed|out of memory|interrupted) +(.*) +([0-9.]+ [A-Za-z]+)$/duration \1\ncpu \3\nmemory \4/p' | sed 's/ *$//'
}

# agree WHERE: show prints every figure that is on stdin.
agree() {
	sed 's/–/-/' | sort -u >"$BATS_TEST_TMPDIR/said"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/said")" -ge "$2" ] || { echo "$1 says too little of kind $kind"; cat "$BATS_TEST_TMPDIR/said"; return 1; }
	fails grep -vxFf "$BATS_TEST_TMPDIR/shown" "$BATS_TEST_TMPDIR/said" || { echo "above: $1, not so in show of kind $kind:"; cat "$BATS_TEST_TMPDIR/shown"; return 1; }
}

@test "duration, CPU time, means and peak are the same in every command and page" {
	cd "$BATS_TEST_TMPDIR"
	for kind in {1..20}; do
		rm -rf "$RTRACK_SPOOL"
		run=$(make_run 20261121T020000Z-compute-7-10-0001)
		kind "$run" "$kind"
		"$BUILD/rtrack-report" show -v "$run" 2>/dev/null | text_of_show | sort -u >shown
		[ "$(wc -l <shown)" -ge 2 ] || { echo "show of kind $kind"; "$BUILD/rtrack-report" show -v "$run"; return 1; }
		least=$(wc -l <shown)
		"$BUILD/rtrack-report" show --short "$run" 2>/dev/null | sed 's/^rtrack: //; s/; peak memory/\n Peak memory/; s/;/\n/' | text_of_show | agree summary $((least - 1))
		"$BUILD/rtrack-report" stats "$run" 2>/dev/null | text_of_stats | grep -v ' -$' | agree stats $((least - 1))
		"$BUILD/rtrack-report" list 2>/dev/null | text_of_list | agree list 3
		"$BUILD/rtrack-report" html -o page.html "$run" 2>/dev/null
		text_of_page page.html | grep -v ' –$' | agree page $least
		# This is the caption of the chart.
		[ "$kind" = 9 ] || [ "$kind" = 10 ] || {
			sed -nE 's/.*id="cpu-figures">.*Job: mean ([^,]*), peak.*/mean \1/p; s/.*id="memory-figures">.*Job: mean ([^,]*), peak.*/memory-mean \1/p' page.html | agree chart 1
		}
		"$BUILD/rtrack-report" stats --format json "$run" 2>/dev/null | jq -S .totals >totals
		for other in 'show --format json "$run" | jq -S .totals' 'list --format json | jq -S ".[0].totals"'; do
			eval "\"$BUILD/rtrack-report\" $other" 2>/dev/null | cmp - totals
		done
		jq -e '.mean_cpu_usage == null or (.mean_cpu_usage - .cpu_seconds / .wall_seconds | fabs) < 1e-4' totals >/dev/null
		"$BUILD/rtrack-report" compare "$run" "$run" --format json 2>/dev/null | jq -c '.figures | map_values(.a)' >compared || true
		jq -se '.[0] as $t | .[1] as $c | all(("wall_seconds", "cpu_seconds", "mean_cpu_usage", "peak_memory_mib"); $t[.] == $c[.])' totals compared >/dev/null ||
			{ echo "compare of kind $kind"; cat totals compared; return 1; }
	done
}

@test "usage by program adds up, and is the same in show, show --by and page" {
	cd "$BATS_TEST_TMPDIR"
	for kind in {1..20}; do
		rm -rf "$RTRACK_SPOOL"
		run=$(make_run 20261121T020000Z-compute-7-10-0001)
		kind "$run" "$kind"
		# After an out-of-memory kill, the killed process has a peak that is in no row. The order of the
		# sections must not matter.
		set_column "$run/system.csv" cgroup_oom_kills 0 0 1 1 2>/dev/null || true
		set_column "$run/exit.csv" exit_signal 9 ""
		set_column "$run/exit.csv" children_peak_mib "" "" 700
		"$BUILD/rtrack-report" show --format json "$run" 2>/dev/null >shown.json
		"$BUILD/rtrack-report" show --by command --format json "$run" 2>/dev/null >by.json
		jq -c .programs shown.json >programs
		jq -c .bill by.json | cmp - programs
		jq -S .totals by.json >totals
		jq -S .totals shown.json | cmp - totals
		jq -e '(.bill | map(.cpu_seconds // 0) | add) - (.totals.cpu_seconds // 0) | fabs < 1e-5' by.json >/dev/null
		"$BUILD/rtrack-report" show --by process --format json "$run" 2>/dev/null |
			jq -e --slurpfile by by.json '(.bill | map(.peak_memory_mib // 0) | max) == ($by[0].bill | map(.peak_memory_mib // 0) | max)' >/dev/null
		"$BUILD/rtrack-report" html -o page.html "$run" 2>/dev/null
		"$BUILD/rtrack-report" show --by command "$run" 2>/dev/null | grep -oE '[0-9.]+ [KMG]iB.*\(all\)' | grep -oE '^[0-9.]+ [KMG]iB' >all || true
		largest=$(sed -nE 's/.*>All<\/th>.*/&/p' page.html | grep -oE '[0-9.]+ [KMG]iB' | head -1)
		[ -z "$largest" ] || grep -qxF "$largest" all || { echo "kind $kind: $largest on the page"; cat all; return 1; }
	done
}

# totals_of JQ FILE: prints the known totals with their names, one per line.
totals_of() {
	jq -r "$1 | to_entries[] | select(.value != null and (.value | type != \"object\")) | \"\\(.key) \\(if .value == true then 1 elif .value == false then 0 else .value end)\"" "$2" |
		awk '{ printf "%s %.10g\n", $1, $2 }' | sort
}

# same_totals WHERE LEAST: stdin has at least LEAST totals, and each has its value in stats.json.
same_totals() {
	local names
	names=$(sed -n 's/^TOTAL(\([a-z_]*\),.*/\1/p' "$PROJECT/report/model/total.def")
	awk '{ printf "%s %.10g\n", $1, $2 }' | grep -wFf <(tr ' ' '\n' <<<"$names") | sort >told
	[ "$(wc -l <told)" -ge "$2" ] || { echo "$1 tells too little"; cat told; return 1; }
	fails grep -vxFf stats.totals told || { echo "above: $1, not so in stats"; cat stats.totals; return 1; }
}

@test "every total is the same in stats, show, list, CSV, compare and Prometheus" {
	cd "$BATS_TEST_TMPDIR"
	local asks=(show stats) run
	for kind in 1 3 9 14 18 19; do
		rm -rf "$RTRACK_SPOOL"
		run=$(make_run 20261121T020000Z-compute-7-10-0001)
		kind "$run" "$kind"
		touch -d 2026-11-21T03:00:00Z "$run"/*
		"$BUILD/rtrack-report" stats --format json "$run" >stats.json 2>errors
		totals_of .totals stats.json >stats.totals
		"$BUILD/rtrack-report" show --format json "$run" >show.json 2>errors
		totals_of .totals show.json | same_totals show 8
		"$BUILD/rtrack-report" list --format json >list.json 2>errors
		totals_of '.[0].totals' list.json | same_totals list 8
		"$BUILD/rtrack-report" list --format csv 2>errors |
			awk -F, 'NR == 1 { gsub(/"/, ""); for (i = 1; i <= NF; i++) name[i] = $i } NR == 2 { for (i in name) if ($i != "") print name[i], $i }' | same_totals csv 2
		"$BUILD/rtrack-report" compare --format json "$run" "$run" >compare.json 2>errors
		totals_of '.figures | map_values(.b)' compare.json | same_totals compare 5
		"$BUILD/rtrack-report" export --to prometheus-textfile -o - "$run" 2>errors | sed -n 's/^rtrack_run_\([a-z_]*\){.*} /\1 /p' | same_totals prometheus 8
	done
	for number in 1 2 3; do
		run=$(make_run 20261121T02000${number}Z-compute-$number-10-000$number finished job.R "$number")
		sed -i 's/"schema": 1,/&"group": "g",/' "$run/run.json"
	done
	"$BUILD/rtrack-report" stats --group g --format json >stats.json
	totals_of .totals stats.json >stats.totals
	[ "$(wc -l <stats.totals)" -ge 12 ]
	"$BUILD/rtrack-report" show -v --group g --format json >show.json
	totals_of .totals show.json | same_totals show 12
	"$BUILD/rtrack-report" compare --group g --group g --format json >compare.json
	totals_of '.figures | map_values(.b)' compare.json | same_totals compare 5
}

@test "list: the peak of a script's runs equals that of stats, or is an upper bound" {
	local apart number run script
	cd "$BATS_TEST_TMPDIR"
	for apart in 10 1; do
		rm -rf "$RTRACK_SPOOL"
		for number in 1 2 3; do
			run=$(make_run 20261121T02000${number}Z-compute-7-1$number-000$number finished job.R $((number * apart)))
			sed -i 's/"mode": "preload"/&, "script_pid": 7, "script_start": 100, "start_ticks": 200/' "$run/run.json"
		done
		# One run used more memory between two ticks.
		set_column "$run/exit.csv" peak_rss_mib 4.5 4.5 350
		script=$("$BUILD/rtrack-report" list --format json | jq -r '.[0].script')
		"$BUILD/rtrack-report" list --fold >listed.$apart
		"$BUILD/rtrack-report" list --fold --columns job,memory,peak_memory_at_least_mib,peak_memory_needed_mib >columns.$apart
		"$BUILD/rtrack-report" stats --group "$script" --format json | jq .totals >totals.$apart
		"$BUILD/rtrack-report" stats --group "$script" | text_of_stats | sed -n 's/^memory //p' >peak.$apart
	done
	grep -E "[0-9] s  +$(cat peak.10)\$" listed.10
	grep -F " $(cat peak.10) " columns.10
	grep -E '[0-9] s  +(<=|≤)[0-9.]+ [MG]iB$' listed.1
	grep -E ' (<=|≤)[0-9.]+ [MG]iB +- +-$' columns.1
	sed -nE 's/.* (<=|≤)([0-9.]+) MiB$/\2/p' listed.1 | jq -e --slurpfile totals totals.1 '. >= $totals[0].peak_memory_mib and . <= $totals[0].peak_memory_at_most_mib'
}

@test "a total without its own line in show is listed under Others" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	"$BUILD/rtrack-report" show -v "$run" | fails grep '^Others'
	sed -i '1s/$/,"swap_mib"/; 2,$s/$/,12.5/' "$run/process.csv"
	"$BUILD/rtrack-report" show -v "$run" | grep -qxE 'Others +Peak memory in swap 12.5 MiB'
}

@test "waste, the metrics and the pages of all jobs have the same totals as stats" {
	cd "$BATS_TEST_TMPDIR"
	for kind in 1 3 4 9 13 14 15 16 20; do
		rm -rf "$RTRACK_SPOOL" site
		run=$(make_run 20261121T020000Z-compute-7-10-0001)
		kind "$run" "$kind"
		sed -i 's/"labels"/"requested": {"cpu": 64, "memory_mib": 65536, "gpu": null, "seconds": null}, "labels"/' "$run/run.json"
		touch -d 2026-11-21T03:00:00Z "$run"/*
		"$BUILD/rtrack-report" stats --format json "$run" >stats.json 2>errors
		"$BUILD/rtrack-report" waste --format json >waste.json 2>errors
		jq -e --slurpfile waste waste.json '$waste[0].all as $all | .totals
			| [[$all.hours * 3600, .wall_seconds], [$all.cpu_hours.used * 3600, .cpu_seconds],
				[($all.memory_gib_hours.used // 0) * 1024, (.peak_memory_needed_mib // 0) * .wall_seconds / 3600]]
			| all(.[0] - .[1] | fabs < 0.004)' stats.json >told || { echo "waste of kind $kind"; jq -c .totals stats.json; jq -c .all waste.json; return 1; }
		"$BUILD/rtrack-report" export --all --to prometheus-textfile -o - >metrics 2>errors
		for name in wall_seconds:seconds cpu_seconds:cpu_seconds; do
			[ "$(sed -n "s/^rtrack_jobs_${name#*:}{.*} //p" metrics)" = "$(jq ".totals.${name%:*}" stats.json)" ] ||
				{ echo "metrics of kind $kind"; grep "_${name#*:}{" metrics; jq -c .totals stats.json; return 1; }
		done
		"$BUILD/rtrack-report" html --all -o site >made 2>errors
		"$BUILD/rtrack-report" list 2>errors | text_of_list | sed 's/^[a-z]* //' >listed
		while read -r figure; do
			grep -qF ">$figure</" site/index.html || { echo "no $figure on the page of kind $kind"; cat listed; return 1; }
		done <listed
	done
}

# ended WORD WORDS [KEY VALUE]...: sets the keys in run.json. Then list, compare and the badge of the page must contain
# WORD. The output of show and of the page must begin with WORDS. JSON must have the outcome that belongs to WORD.
ended() {
	local word=$1 words=$2 key=${1// /_} run
	shift 2
	rm -rf "$RTRACK_SPOOL"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	while [ $# -gt 0 ]; do
		jq --argjson value "$2" ".$1 = \$value" "$run/run.json" >new.json
		mv new.json "$run/run.json"
		shift 2
	done
	touch -d 2026-11-21T03:00:00Z "$run"/*
	"$BUILD/rtrack-report" show -v "$run" 2>/dev/null | head -1 | grep -qiF "job.R $words"
	"$BUILD/rtrack-report" list 2>/dev/null | grep -qE "[0-9] s  $word  "
	"$BUILD/rtrack-report" list --format csv 2>/dev/null | grep -qF "\"job.R\",\"$word\","
	"$BUILD/rtrack-report" compare "$run" "$run" 2>/dev/null | grep -cE "^[AB]  job.R  .*  $word\$" | grep -qx 2
	"$BUILD/rtrack-report" html -o page.html "$run" 2>/dev/null
	grep -qE "class=\"badge [a-z]+\">$word</span>" page.html
	[ "$("$BUILD/rtrack-report" show --format json "$run" 2>/dev/null | jq -r .ended.outcome)" = "$key" ]
	[ "$("$BUILD/rtrack-report" list --format json 2>/dev/null | jq -r '.[0].outcome')" = "$key" ]
	[ "$("$BUILD/rtrack-report" compare --format json "$run" "$run" 2>/dev/null | jq -r '.a.outcome, .b.outcome' | sort -u)" = "$key" ]
	# The second list reads the outcome from its cache.
	[ "$("$BUILD/rtrack-report" list --format json 2>/dev/null | jq -r '.[0].outcome')" = "$key" ]
}

@test "list, show, compare, JSON and page describe the end of a run alike" {
	cd "$BATS_TEST_TMPDIR"
	ended finished 'finished in'
	ended failed 'failed with exit status 3 after' status '"failed"' exit_code 3
	ended killed 'killed by signal 9 (Killed) after' status '"killed"' exit_code null exit_signal 9
	ended killed 'killed by signal 15 (Terminated) after' status '"failed"' exit_code null exit_signal 15
	ended killed 'killed by an unseen signal after' status '"killed"' exit_code null
	ended 'out of time' 'ended by --max-seconds (4 s)' status '"killed"' killed_by '"limit"' limits '{"memory_mib": null, "seconds": 4, "reached": "seconds"}'
	ended 'out of memory' 'out of memory, ended by --max-memory (256 MiB)' status '"killed"' killed_by '"limit"' limits '{"memory_mib": 256, "seconds": null, "reached": "memory"}'
	ended 'out of time' 'out of CPU time (ulimit -t), killed by signal 9 (Killed) after' status '"killed"' killed_by '"cpu_limit"' exit_code null exit_signal 9
	ended 'out of time' 'out of time (4 s requested), killed by signal 15 (Terminated) after' status '"killed"' exit_code null exit_signal 15 \
		requested '{"cpu": null, "memory_mib": null, "gpu": null, "seconds": 4, "end_time": 1795226404}'
	ended killed 'killed by signal 15 (Terminated) after' status '"killed"' exit_code null exit_signal 15 \
		requested '{"cpu": null, "memory_mib": null, "gpu": null, "seconds": 60}'
	ended interrupted 'interrupted after' status '"interrupted"' exit_code null stop_time null
}

@test "page: the peaks of one process and of several processes are described alike" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	[ "$("$BUILD/rtrack-report" show --format json "$run" | jq -c '.totals | [.peak_memory_mib, .peak_memory_at_most_mib, .exact_memory]')" = '[300,300,true]' ]
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'and at most <strong>300 MiB' page.html
	sed -i '/,1[12],1[56]0,/d' "$run/start.csv" "$run/exit.csv"
	set_column "$run/process.csv" memory_mib 100 290 200 50
	set_column "$run/process.csv" members 1
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'and at most <strong>290 MiB' page.html
}

@test "html: formats small percentages, large numbers, and peaks between samples" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	page() {
		touch -d 2026-11-21T03:00:00Z "$run"/*
		"$BUILD/rtrack-report" html -o page.html "$run"
	}
	page
	grep -q 'and at most <strong>300 MiB of 15.6 GiB memory</strong> (2 %)' page.html
	grep -q 'id="memory-figures">.*Job: mean 200 MiB, peak 300 MiB[.;]' page.html
	set_column "$run/exit.csv" peak_rss_mib 4.5 900 290
	page
	grep -q 'and at most <strong>1.17 GiB' page.html
	grep -q 'id="memory-figures">.*Job: mean 200 MiB, peak 300 MiB in a sample[.;]' page.html
	sed -i '/,12,160,/d' "$run/exit.csv"
	page
	grep -q 'and at most <strong>300 MiB' page.html
	rm -r "$run"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" memory_mib 1
	set_column "$run/exit.csv" peak_rss_mib 1
	for ((i = 0; i < 1100; i++)); do
		printf '1795226400.700,%d,170,10,"/bin/true","true"\n' $((2000 + i)) >>"$run/start.csv"
		printf '1795226401.000,%d,170,10,0.000100,0.000000,1.000,0,0,0,,"self",1\n' $((2000 + i)) >>"$run/exit.csv"
	done
	page
	grep -qE 'at most <strong>[0-9.]+ GiB of 15.6 GiB memory</strong> \([0-9.]+ %\)' page.html
	grep -q '<small>1,103 processes, ' page.html
	grep -q '>1,100<' page.html
}

@test "list and the pages of all jobs round alike" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	# 1.085464 s is shown as 1.09 s. If it were first rounded to 1.085 s, it would be shown as 1.08 s.
	set_column "$run/process.csv" utime 1.085464 0 0 0
	set_column "$run/process.csv" stime 0
	set_column "$run/exit.csv" utime 0
	set_column "$run/exit.csv" stime 0
	"$BUILD/rtrack-report" list | grep -q ' 1\.09 s '
	"$BUILD/rtrack-report" html --all -o site >/dev/null
	grep -q '<td class="number">1\.09 s</td>' site/jobs/*.html
}
