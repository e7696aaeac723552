#!/usr/bin/env bats
# Tests of rtrack-report show --by: usage by program and by process
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/page

# Sums over the rows of usage by program or process, in JSON. Each sum must equal the total of the run.
sums='[([.bill[].cpu_seconds] | add * 1e6 | round), ([.bill[].disk_read_bytes] | add), ([.bill[].disk_write_bytes] | add), ([.bill[].processes] | add)]'
totals='[(.totals.cpu_seconds * 1e6 | round), .totals.disk_read_bytes, .totals.disk_write_bytes, .totals.processes]'

sums_to_totals() {
	for by in command process; do
		report_value "[$sums, $totals]" show --by "$by" "$@"
		[ "$(report_value "$sums == $totals" show --by "$by" "$@")" = true ]
	done
	[ "$(report_value ".bill = .programs | $sums == $totals" show "$@")" = true ]
}

@test "show --by command: one row per program, the most CPU time first" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value '[.bill[] | [.program, .processes, .cpu_seconds, .peak_memory_mib]]' show --by command)" = \
		'[["R",1,4.5,290],["gcc",2,1.5,5.5],["(in no record)",0,null,null]]' ]
	report show --by command
	[ "$status" -eq 0 ]
	grep -qE '^ +4\.5 s +75 % +290 MiB +100 B +200 B +1  R --file=job\.R$' <<<"$output"
	grep -qE '^ +1\.5 s +25 % +5\.5 MiB +200 B +400 B +2  gcc -c \.\.\.$' <<<"$output"
	grep -qE '^ +6 s +100 % +290 MiB +4 MiB +8 MiB +3  \(all\)$' <<<"$output"
	sums_to_totals
}

@test "show --by, html: tables omit a tiny correction of the totals, but JSON has it" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	# The records exceed the totals by 40 µs of CPU time. Their bytes equal the totals.
	set_column "$run/exit.csv" utime 0.5 0.5 4.00004
	set_column "$run/exit.csv" disk_read_bytes 0 0 4194304
	set_column "$run/exit.csv" disk_write_bytes 0 0 8388608
	report show --by command
	fails grep -F '(correction)' <<<"$output"
	report show -v
	fails grep -F '(' <<<"$(sed -n '/^Processes.*Program/,$p' <<<"$output")"
	report html -o page.html
	fails grep -F '(correction)' page.html
	[ "$(report_value '.bill[-1] | .program == "(correction)" and .cpu_seconds == -0.00004' show --by command)" = true ]
	set_column "$run/exit.csv" utime 0.5 0.5 4.01
	report show --by command
	grep -qE '^ +-10 ms .*\(correction\)$' <<<"$output"
	report html -o page.html
	grep -F '(correction)' page.html
}

# The CPU time of this run that no process recorded rounds to 0 ms. Only its percentage shows it.
@test "show --by, html: unrecorded usage of 1 % has a row even in a short run" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	for column in utime stime; do
		set_column "$run/process.csv" $column 0
		set_column "$run/exit.csv" $column 0
	done
	set_column "$run/process.csv" utime 0.0015 0
	set_column "$run/exit.csv" disk_read_bytes 0 0 4194304
	set_column "$run/exit.csv" disk_write_bytes 0 0 8388608
	for seconds in 0.001396:7 0.001491:1 0.0016:-7; do
		set_column "$run/exit.csv" utime 0 0 "${seconds%:*}"
		report show --by command
		[ "$(sed -nE 's/^.* ([-0-9]*) % .*(other, short-lived|\(correction\))$/\1/p' <<<"$output")" = "${seconds#*:}" ]
		report html -o page.html
		grep -E '"name">(other, short-lived|\(correction\))<' page.html
		sums_to_totals
	done
	set_column "$run/exit.csv" utime 0 0 0.001497
	report show --by command
	fails grep -F 'other, short-lived' <<<"$output"
}

@test "show --by process: one row per process up to --limit, and a sum of the others" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value '[.bill[] | [.pid, .ppid, .exit_code, .exact, .cpu_seconds]][:2]' show --by process)" = \
		'[[10,1,0,true,4.5],[11,10,0,true,0.75]]' ]
	report show --by process --limit 1
	grep -qE ' 10  R --file=job\.R$' <<<"$output"
	grep -qE '^ +1\.5 s +25 % .* 2  \(2 more\)$' <<<"$output"
	report show --by process --limit 0
	grep -qE ' 12  gcc -c b\.c$' <<<"$output"
	fails grep more <<<"$output"
}

@test "show --by: usage that no process recorded has a separate row" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i '/,12,160,/d' "$run/start.csv" "$run/exit.csv"
	[ "$(report_value '.bill[-1] | [.program, .processes, .cpu_seconds]' show --by command)" = '["(in no record)",1,0.75]' ]
	# The short table of `show` also has this row if it is at least 1 % of the CPU time.
	report show -v
	grep -qE '^ +1 +750 ms +other, short-lived$' <<<"$output"
	[ "$(report_value .programs show)" = "$(report_value .bill show --by command)" ]
	sums_to_totals
	sed -i 's/,4\.000000,0\.500000,290/,4.760000,0.500000,290/' "$run/exit.csv"
	[ "$(report_value '.bill[-1] | [.program, .cpu_seconds]' show --by command)" = '["(correction)",-0.01]' ]
	sums_to_totals
}

@test "show --by: the rows of a real run sum to its totals" {
	job='for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done; head -c 3000000 /dev/zero >file; exec sh -c "cat file >copy; sync"'
	cd "$BATS_TEST_TMPDIR"
	timeout 60 "$BUILD/rtrack-run" --job outside sh -c "$job"
	RTRACK_JOB=inside preload timeout 60 sh -c "$job"
	for name in outside inside; do
		run=$("$BUILD/rtrack-report" list --job "$name" --format json | jq -r '.[0].id')
		for _ in {1..600}; do
			[ "$(json status "$RTRACK_SPOOL/$run/run.json")" = running ] || break
			sleep 0.1
		done
		sums_to_totals "$run"
		[ "$(report_value '[.bill[] | select(.program == "true")][0].processes' show --by command "$run")" -eq 10 ]
	done
}

# page_cells tbody|tfoot COLUMN: prints the figures of that column of the page's table, one per line.
page_cells() {
	awk -v part="$1" '$0 ~ "<" part ">" { on = 1 } $0 ~ "</" part ">" { on = 0 } on && /<tr/' "$BATS_TEST_TMPDIR/page.html" |
		sed "s/<td/\\n<td/g" | awk -v column="$2" '/^<tr/ { n = 0; next } ++n == column' |
		sed -n 's/^<td class="number" data-value="\([-0-9.e+]*\)".*/\1/p'
}

@test "html: usage by program has the rows of show --by command and sums to the totals" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i '/,12,160,/d' "$run/start.csv" "$run/exit.csv"
	for program in 'other, short-lived' '(correction)'; do
		report html -o "$BATS_TEST_TMPDIR/page.html" "$run"
		[ "$status" -eq 0 ]
		sed -n '/id="commands"/,/<\/section>/p' "$BATS_TEST_TMPDIR/page.html" >"$BATS_TEST_TMPDIR/bill"
		mv "$BATS_TEST_TMPDIR/bill" "$BATS_TEST_TMPDIR/page.html"
		grep -q "<tr><th scope=\"row\" class=\"name\">$program</th>" "$BATS_TEST_TMPDIR/page.html"
		[ "$(page_cells tbody 2)" = "$(report_value '.bill[].cpu_seconds' show --by command)" ]
		[ "$(page_cells tfoot 2)" = "$(report_value .totals.cpu_seconds stats)" ]
		[ "$(page_cells tbody 2 | jq -s add)" = "$(page_cells tfoot 2)" ]
		[ "$(page_cells tbody 4 | jq -s add)" = "$(report_value .totals.disk_read_bytes stats)" ]
		[ "$(page_cells tfoot 4)" = "$(report_value .totals.disk_read_bytes stats)" ]
		sed -i 's/,4\.000000,0\.500000,290/,4.760000,0.500000,290/' "$run/exit.csv"
	done
	grep -q '>−10 ms<' "$BATS_TEST_TMPDIR/page.html"
	report show --by command
	grep -qE '^ +-10 ms ' <<<"$output"
}

@test "show --by: the table fits in 40 and 80 columns and escapes control characters" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	printf '1795226400.700,13,170,10,"/bin/x","x \033[31m%s"\n' "$(printf 'long-%.0s' {1..40})" >>"$run/start.csv"
	COLUMNS=80 report show --by process
	fails grep -nE '.{81}' <<<"$output"
	LC_ALL=C fails grep -n $'\033' <<<"$output"
	TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 script -qec "stty cols 40; '$BUILD/rtrack-report' show --by process" /dev/null </dev/null |
		tr -d '\r' >"$BATS_TEST_TMPDIR/screen"
	LC_ALL=C.UTF-8 fails grep -nE '.{41}' "$BATS_TEST_TMPDIR/screen"
}

@test "show --by: for a run without tables, exits with status 1" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	rm "$run"/*.csv
	report show --by command
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$run' has no usable data" ]
}

# Tests of the stacked charts on the page, which show usage by program over time

# members COLUMN COLUMN "SECOND PID FIGURE"...: writes rows of member.csv, with FIGURE in both columns.
members() {
	{
		echo "\"timestamp\",\"pid\",\"$1\",\"$2\""
		printf '%s\n' "${@:3}" | awk -v start=$start '{ printf "%.3f,%d,%s,%s\n", start + $1, $2, $3, $3 }'
	} >"$run/member.csv"
}

@test "page: memory of a process that ended is drawn until the last row of the run" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	# The last row of a run is written when all processes have ended. R grew after its last sample.
	members memory_mib rss_mib "1 10 100" "2 10 100" "3 10 150" "3 12 60"
	set_column "$run/process.csv" memory_mib 100 100 210 280
	set_column "$run/exit.csv" timestamp $((start + 1)).5 $((start + 3)).2 $((start + 4)).0
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"job.R": 220, "gcc": 60}'
	# Memory beyond all recorded peaks belongs to no process.
	set_column "$run/process.csv" memory_mib 100 100 210 400
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"job.R": 290, "gcc": 60, "all others": 50}'
	# A run may have several last rows, a few milliseconds apart. All are later than the end of its processes.
	cp "$run/process.csv" whole.csv
	for row in 4.003 4.006; do
		tail -n 1 whole.csv | sed "s/^[0-9.]*/$((start + ${row%.*})).${row#*.}/" >>"$run/process.csv"
	done
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"job.R": [290, 290, 290], "gcc": [60, 60, 60], "all others": [50, 50, 50]}'
	cp whole.csv "$run/process.csv"
	# In a run that goes on, the last row contains no memory of ended processes.
	sed -i '/,10,100,1,/d' "$run/exit.csv"
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"job.R": 150, "gcc": 0, "all others": 250}'
}

@test "page: CPU time of a process after its last sample is drawn" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	sed -i '/,1[12],/d' "$run"/{start,exit}.csv
	set_column "$run/exit.csv" utime 4
	set_column "$run/exit.csv" stime 0
	# In its second tick the job used a second of CPU time that no process recorded.
	members utime cpu_usage "1 10 1" "2 10 1" "3 10 1"
	set_column "$run/process.csv" cpu_usage 1 2 1 1
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse used,stacked page.html '{"job.R": [1, 1, 1, 1], "other, short-lived": [0, 1, 0, 0]}'
	# The process is sampled later than the job as a whole.
	members utime cpu_usage "1 10 0.5" "2 10 2" "3 10 1"
	set_column "$run/process.csv" cpu_usage 0.5 1 2 0.5
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse used,stacked page.html '{"job.R": [0.5, 1, 2, 0.5]}'
	# The job is sampled before the process writes its exit record.
	members utime cpu_usage "1 10 0.5" "2 10 0.5" "3 10 0.5"
	set_column "$run/process.csv" cpu_usage 0.5 1.5 1.5 0.5
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse used,stacked page.html '{"job.R": [0.5, 1.5, 1.5, 0.5]}'
}

@test "page: bands of processes that were not sampled agree with usage by program" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse billed,stacked page.html 0.999
}

@test "page: of programs with equal peaks, the chart shows the one that used CPU time" {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
	for i in 1 2 3 4 5 6 7; do
		printf '%d.500,2%d,15%d,10,"/usr/bin/small%d","small%d"\n' $start $i $i $i $i >>"$run/start.csv"
		printf '%d.700,2%d,15%d,10,0.001,0,90.0,0,0,0,,"self",1\n' $((start + 1)) $i $i >>"$run/exit.csv"
	done
	set_column "$run/exit.csv" peak_rss_mib 41
	sed -i "s/,2\([1-7]\),15\([1-7]\),10,0.001\(.*\),41,/,2\1,15\2,10,0.001\3,100,/" "$run/exit.csv"
	"$BUILD/rtrack-report" html -o page.html "$run"
	perl -0ne 'print "$1\n" if /"cpu":\{.*?"stack":\[(.*?)\]/s' page.html | grep -o '"label":"[^"]*"' >bands
	grep -q '"gcc"' bands
}

@test "show: CPU time and memory from before the library was loaded are not counted" {
	need python3
	cat >"$BATS_TEST_TMPDIR/late.py" <<-'END'
		import ctypes, sys, time
		def burn(seconds):
		    until = time.process_time() + seconds
		    while time.process_time() < until:
		        pass
		burn(0.5)
		big = bytearray(b"x") * (200 << 20)
		del big
		ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
		burn(0.3)
	END
	RTRACK_INTERVAL=0.05 python3 "$BATS_TEST_TMPDIR/late.py" "$BUILD/librtrack.so"
	report show --by command
	fails grep -q '(correction)' <<<"$output"
	figures=$("$BUILD/rtrack-report" stats --format json)
	[ "$(jq '.totals | .cpu_seconds < 0.45 and .peak_memory_at_least_mib < 100 and .peak_memory_at_most_mib > 199 and (.exact_memory | not)' <<<"$figures")" = true ]
	# The requested memory nevertheless covers all memory of the program.
	[ "$(report_value '.resources.memory >= 200' recommend --offline)" = true ]
}

@test "show: CPU time of children that ended before tracking began is not counted" {
	cat >"$BATS_TEST_TMPDIR/burn.sh" <<-'END'
		for ((i = 0; i < $1; i++)); do :; done
	END
	# The shell's children use about four times as much CPU time as the job and its one child.
	# shellcheck disable=SC2016
	RTRACK_INTERVAL=0.05 bash -c 'bash "$1" 200000; LD_PRELOAD=$2 exec bash -c "bash \"$1\" 20000; . \"$1\" 20000" job "$1" 20000' \
		shell "$BATS_TEST_TMPDIR/burn.sh" "$BUILD/librtrack.so"
	figures=$("$BUILD/rtrack-report" show --by process --format json)
	before=$(jq '.tracker | .baseline_utime + .baseline_stime' "$RTRACK_SPOOL"/2*/run.json)
	[ "$(jq --argjson before "$before" '.totals.cpu_seconds < 0.7 * $before' <<<"$figures")" = true ] || { echo "$before"; jq .totals <<<"$figures"; return 1; }
	# Almost all CPU time is in the rows of the root and its child.
	[ "$(jq '(.totals.cpu_seconds - ([.bill[] | select(.pid) | .cpu_seconds] | add)) | fabs < 0.02' <<<"$figures")" = true ] || { jq '.totals, .bill' <<<"$figures"; return 1; }
}

@test "html: the charts exclude CPU time from before tracking began" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	stack() {
		"$BUILD/rtrack-report" html -o page.html "$run"
		perl -0ne 'print "$1\n" if /"cpu":\{.*?"stack":(\[.*?\])/s' page.html | grep '"job.R"'
	}
	# The program used 4.5 s in all, and 0.75 s up to its only row.
	printf '%s\n' 1795226401.000,10,0.5,0.25,300 >>"$run/member.csv"
	stack >without
	sed -i 's/"mode"/"baseline_utime": 8, "baseline_stime": 1, "mode"/' "$run/run.json"
	sed -i 's/,10,0.5,0.25,300/,10,8.5,1.25,300/' "$run/member.csv"
	sed -i 's/,10,100,1,4.000000,0.500000,/,10,100,1,12.000000,1.500000,/' "$run/exit.csv"
	[ "$(report_value '.bill[0] | [.program, .cpu_seconds]' show --by command)" = '["R",4.5]' ]
	diff without <(stack)
}

@test "show: a static program started by exec has its own name and CPU time" {
	need busybox
	cd "$BATS_TEST_TMPDIR"
	echo 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done' >loop.sh
	for line in 'busybox sh loop.sh; true' 'exec busybox sh loop.sh'; do
		rm -rf "$RTRACK_SPOOL"
		RTRACK_INTERVAL=0.05 preload bash -c "$line"
		"$BUILD/rtrack-report" show --format json | jq -e '[.programs[] | select(.program | test("busybox$"))] |
			length == 1 and .[0].processes == 1 and .[0].cpu_seconds > 0.02'
	done
}

@test "a script is listed by its own name everywhere; JSON also has its interpreter" {
	local run
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	make_run 20261121T020100Z-compute-7-10-0002 finished other.R 60
	for i in {1..5}; do
		echo "1795226401.000,$((20 + i)),200,10,\"/usr/bin/python3.11\",\"/usr/bin/python3 jobs/hungry.py --seed $i\"" >>"$run/start.csv"
		echo "1795226402.000,$((20 + i)),200,10,0.01,0.1,$((30 + i)),0,0,0,,\"self\",1" >>"$run/exit.csv"
	done
	report html "$run" -o "$BATS_TEST_TMPDIR/page.html"
	grep -qF '<span>hungry.py</span><code>python3 jobs/hungry.py --seed …</code>' "$BATS_TEST_TMPDIR/page.html"
	grep -qF '<th scope="row">hungry.py</th><td class="number">21</td>' "$BATS_TEST_TMPDIR/page.html"
	grep -qF '"programs":["job.R","gcc","hungry.py"]' "$BATS_TEST_TMPDIR/page.html"
	fails grep -F 'python3.11' "$BATS_TEST_TMPDIR/page.html"
	"$BUILD/rtrack-report" show --tree "$run" | grep -q ' 5 x hungry\.py$'
	"$BUILD/rtrack-report" compare "$run" other.R | grep -qE '^hungry\.py +550 ms '
	"$BUILD/rtrack-report" compare "$run" other.R -o "$BATS_TEST_TMPDIR/page.html"
	grep -qF '>hungry.py</th>' "$BATS_TEST_TMPDIR/page.html"
	[ "$(report_value '[.programs[:3][].program]' show "$run")" = '["R","gcc","python3.11"]' ]
}
