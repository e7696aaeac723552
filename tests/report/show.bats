#!/usr/bin/env bats
# Tests of rtrack-report show, which prints one screen for a person
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# on_terminal COLUMNS ARG...: prints the output of rtrack-report on a terminal, without carriage returns.
on_terminal() {
	local columns=$1 command
	shift
	command=$(printf '%q ' "$BUILD/rtrack-report" "$@")
	TERM=xterm LC_ALL=C.UTF-8 script -qec "stty cols $columns; $command" /dev/null </dev/null | tr -d '\r'
}

plain() {
	sed $'s/\033\\[[0-9;]*m//g'
}

@test "rtrack-report without a command shows the latest run" {
	make_run 20261121T020000Z-compute-7-10-0001
	make_run 20261121T020010Z-compute-7-10-0002 failed other.R 10
	report
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ ${lines[0]} == "other.R failed with exit status 3 after 4 s  Rscript "* ]]
	report show -v job.R
	[[ ${lines[0]} == "job.R finished in 4 s" ]]
	[[ ${lines[1]} == "Rscript job.R --cores 2" ]]
}

@test "show: prints a command with newlines as one line that a shell can parse" {
	local words=(sh -c $'true a\n\ttrue "it\'s" \\n\e[31m\u202e' $'two\r\nlines' "plain 'one'" 'back\slash' "" $'caf\u00e9\n') line
	"$BUILD/rtrack-run" --job $'two\nlines' "${words[@]}"
	report show -v
	[[ ${lines[0]} == 'two\nlines finished in '* ]]
	[[ ${lines[1]} == "sh -c \$'true a\\n\\ttrue "* ]]
	eval "local read=(${lines[1]})"
	[ "${read[*]@Q}" = "${words[*]@Q}" ]
	report list
	[[ $output == *' two\nlines '* ]]
	report html -o -
	grep -qF '<h1 title="two\nlines"><bdi>two\nlines</bdi></h1>' <<<"$output"
	grep -qF '<code>sh -c $&#39;true a\n\ttrue ' <<<"$output"
}

@test "show: prints the usage of each resource and the amount available" {
	make_run 20261121T020000Z-compute-7-10-0001
	report show -v
	[[ $output == *"on compute-7"* ]]
	grep -qE '^CPU +6 s +mean 1\.5, peak 3 of 8 CPUs' <<<"$output"
	grep -qE '^Peak memory +300 MiB .*largest process 290 MiB' <<<"$output"
	grep -qE '^Disk +4 MiB +read, 8 MiB written' <<<"$output"
	grep -qE '^Network +3\.91 KiB +received, 40 B sent' <<<"$output"
	grep -qE '^Processes +3 +all followed' <<<"$output"
	grep -qE '^ +1 +4\.5 s +290 MiB +R --file=job\.R' <<<"$output"
	grep -qE '^ +2 +1\.5 s +5\.5 MiB +gcc -c' <<<"$output"
}

@test "show, html: a quota of half a CPU is shown as 0.5 CPUs" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"vcpus": 8/"vcpus": 0.5/' "$run/run.json"
	echo "its rows are of more CPUs than the quota" >"$RTRACK_SPOOL/.impossible"
	report show -v
	grep -qE '^CPU +6 s +mean 1\.5, peak 3 of 0\.5 CPUs' <<<"$output"
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q '<strong>1\.5 of 0\.5 CPUs</strong>' "$BATS_TEST_TMPDIR/page.html"
	grep -q '1\.5 · 3</strong> <small>of 0\.5 of the machine' "$BATS_TEST_TMPDIR/page.html"
}

@test "show: output into a pipe is plain ASCII, with no line over 120 characters" {
	name=$(printf 'long-name-%.0s' {1..20})
	make_run 20261121T020000Z-compute-7-10-0001 finished "$name"
	report show -v
	[[ ${lines[0]} == "${name:0:90}"*"... finished in 4 s" ]]
	[[ ${lines[1]} == "Rscript ${name:0:90}"*... ]]
	fails grep -nE '.{121}' <<<"$output"
	LC_ALL=C fails grep -n $'[\001-\010\013-\037\177-\377]' <<<"$output"
	for columns in 40 60 80 120; do
		COLUMNS=$columns report show -v
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
	done
}

@test "show: output into a pipe does not depend on terminal, locale or colours" {
	make_run 20261121T020000Z-compute-7-10-0001
	TERM=dumb LC_ALL=C "$BUILD/rtrack-report" show -v >"$BATS_TEST_TMPDIR/plain"
	TERM=xterm-256color LC_ALL=C.UTF-8 LINES=10 CLICOLOR_FORCE=1 "$BUILD/rtrack-report" show -v | cmp - "$BATS_TEST_TMPDIR/plain"
	NO_COLOR=1 TZ=Asia/Tokyo "$BUILD/rtrack-report" show -v --utc | cmp - "$BATS_TEST_TMPDIR/plain"
}

@test "show: prints a name of 3,000 characters on one line" {
	make_run 20261121T020000Z-compute-7-10-0001 finished "$(printf 'long-name-%.0s' {1..300})"
	[ "$(on_terminal 80 show -v | plain | grep -c long-name)" -eq 2 ]
}

@test "show: fits the terminal, or the width in COLUMNS" {
	make_run 20261121T020000Z-compute-7-10-0001 finished "$(printf 'long-name-%.0s' {1..20})"
	for columns in 40 60 80 100 200; do
		on_terminal $columns show -v | plain >"$BATS_TEST_TMPDIR/screen"
		LC_ALL=C.UTF-8 fails grep -nE ".{$((columns + 1))}" "$BATS_TEST_TMPDIR/screen"
	done
	COLUMNS=50 on_terminal 80 show -v | plain >"$BATS_TEST_TMPDIR/screen"
	LC_ALL=C.UTF-8 fails grep -nE ".{51}" "$BATS_TEST_TMPDIR/screen"
	LC_ALL=C.UTF-8 grep -qE "^.{50}$" "$BATS_TEST_TMPDIR/screen"
}

@test "show: a terminal gets sparklines and colour; NO_COLOR removes the colour" {
	make_run 20261121T020000Z-compute-7-10-0001
	on_terminal 80 show -v >"$BATS_TEST_TMPDIR/screen"
	grep -q $'\033\\[' "$BATS_TEST_TMPDIR/screen"
	grep -q '█' "$BATS_TEST_TMPDIR/screen"
	NO_COLOR=1 on_terminal 80 show -v >"$BATS_TEST_TMPDIR/screen"
	fails grep -q $'\033' "$BATS_TEST_TMPDIR/screen"
	grep -q '█' "$BATS_TEST_TMPDIR/screen"
}

@test "show: without UTF-8 all output is ASCII, including sparklines" {
	make_run 20261121T020000Z-compute-7-10-0001
	TERM=xterm LC_ALL=C script -qec "stty cols 80; '$BUILD/rtrack-report' show -v" /dev/null </dev/null >"$BATS_TEST_TMPDIR/screen"
	LC_ALL=C fails grep -n $'[\177-\377]' "$BATS_TEST_TMPDIR/screen"
	plain <"$BATS_TEST_TMPDIR/screen" | grep -qE '^ +-@\+:'
}

@test "show: a terminal of 24 lines gets fewer programs than a pipe" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	for i in {1..12}; do
		echo "1795226401.000,$((20 + i)),200,10,\"/bin/tool$i\",\"tool$i\"" >>"$run/start.csv"
	done
	TERM=xterm LC_ALL=C.UTF-8 script -qec "stty cols 80 rows 24; '$BUILD/rtrack-report' show -v" /dev/null </dev/null >"$BATS_TEST_TMPDIR/screen"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/screen")" -eq 23 ]
	grep -q 'and .* more programs' "$BATS_TEST_TMPDIR/screen"
	report show -v
	grep -q 'and 6 more programs' <<<"$output"
}

@test "show: prints how a run ended" {
	make_run 20261121T020000Z-compute-7-10-0001 killed
	report show -v
	[[ ${lines[0]} == "job.R killed by signal 9 (Killed) after 4 s" ]]
	rm -r "$RTRACK_SPOOL"
	run=$(make_run 20261121T020000Z-compute-7-10-0001 running)
	report show -v
	[[ ${lines[0]} == "job.R running for 4 s" ]]
	touch -d '-1 hour' "$run/system.csv"
	report show -v
	[[ ${lines[0]} == "job.R interrupted for 4 s" || ${lines[0]} == "job.R interrupted after 4 s" ]]
	[ "$(report_value .run.status show)" = '"interrupted"' ]
	# A process holds the lock of the run but writes nothing.
	: >"$run/.lock"
	[ "$(flock "$run/.lock" "$BUILD/rtrack-report" show -v | head -n 1)" = "job.R running for 4 s; no row for 1 h" ]
	flock "$run/.lock" "$BUILD/rtrack-report" html -o - | grep -q 'Still running: <strong>4 s</strong> so far; no row for 1 h\.'
	flock "$run/.lock" "$BUILD/rtrack-report" show --format json | jq -e '.run | .status == "running" and .silent_seconds >= 3600'
	"$BUILD/rtrack-report" show --format json | jq -e '.run | .status == "interrupted" and has("silent_seconds") == false'
}

@test "show, html: say when the first process was killed and when the others ended" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 killed)
	sed -i 's/"tracker": {/&"start_ticks": 100, /' "$run/run.json"
	sed -i 's/^1795226404\.000,10,\(.*\),0,,"self",1$/1795226401.000,10,\1,,9,"sampler",1/' "$run/exit.csv"
	report show -v
	[ "${lines[0]}" = "job.R killed by signal 9 (Killed) after 1 s; its processes went on until 4 s" ]
	"$BUILD/rtrack-report" html -o - |
		grep -qF 'Killed by signal 9 (Killed) after <strong>1 s</strong>; its processes went on until 4 s.'
	[ "$(report_value .totals.wall_seconds show)" = 4 ]
}

@test "show: prints which figures are not exact" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i '/,12,160,/d' "$run/exit.csv"
	report show -v
	grep -qE '^Processes +3$' <<<"$output"
	grep -qE '^Peak memory .* largest process 290 MiB$' <<<"$output"
	grep -qE '^Not exact +1 of 3 processes left no record: CPU time and peak may be more$' <<<"$output"
	[ "$(report_value '.totals | [.exact, .exact_cpu, .exact_memory, .ended_unseen, .missing_cpu_seconds_at_most]' show)" = '[false,false,false,1,null]' ]
	# Text longer than the line continues in the next line.
	[ "$(on_terminal 60 show -v | plain | grep -A2 '^Not exact' | sed '/^Tracker/d' | tr -s ' \n' ' ')" = "Not exact 1 of 3 processes left no record: CPU time and peak may be more " ]
	sed -i 's/,"exact"/,"exact","missing_cpu"/; s/\(,"self",1\)$/\1,/' "$run/exit.csv"
	echo '1795226402.500,12,160,10,0.5,0.25,5.5,100,200,0,,"sampler",0,0.3' >>"$run/exit.csv"
	report show -v
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory]' show)" = '[false,false]' ]
	# This process was reaped by its parent, and its peak is the largest value in any tick.
	sed -i 's/,0\.3$/,0/' "$run/exit.csv"
	report show -v
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory]' show)" = '[true,false]' ]
	grep -qE '^Not exact +1 of 3 processes left no record: the peak may be more$' <<<"$output"
}

@test "show, stats: live processes of a running job do not count as unrecorded" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 running)
	sed -i '/,1[02],1[06]0,/d' "$run/exit.csv"
	echo '1795226404.000,10,4,0.5,330' >>"$run/member.csv"
	for command in show stats; do
		[ "$(report_value '.totals | [.ended_unseen, .missing_cpu_seconds_at_most]' "$command")" = '[0,null]' ]
		[ "$(report_value '.totals | [.peak_memory_at_least_mib, .peak_process_memory_mib]' "$command")" = '[330,330]' ]
	done
	report show -v
	grep -qE '^Peak memory +33[0-9.]+ MiB' <<<"$output"
	grep -qE ' 330 MiB +R .*job\.R' <<<"$output"
	# A process that calls exec goes on. A process whose end only the sampler saw has ended.
	sed -i 's/,"exact"/,"exact","missing_cpu"/; s/\(,"self",1\)$/\1,/' "$run/exit.csv"
	echo '1795226401.000,10,100,1,0.5,0.25,41.5,0,0,,,"self",0,0' >>"$run/exit.csv"
	[ "$(report_value .totals.ended_unseen stats)" = 0 ]
	# The table has the CPU time that the process used after its exec.
	report show --by process --format json
	jq -c '.bill[] | [.pid, .cpu_seconds, .end_time]' <<<"$output"
	jq -e '.bill[] | select(.pid == 10) | .cpu_seconds > 0.75 and .end_time == null' <<<"$output"
	echo '1795226402.500,12,160,10,0.5,0.25,5.5,100,200,,,"sampler",0,0.3' >>"$run/exit.csv"
	[ "$(report_value '.totals | [.ended_unseen, .missing_cpu_seconds_at_most]' stats)" = '[1,null]' ]
}

@test "show, html: if a child was killed, CPU time is exact, but not memory" {
	# shellcheck disable=SC2016 # for the job's shell
	"$BUILD/rtrack-run" bash -c 'coproc cat; echo begun >&"${COPROC[1]}"; read -r _ <&"${COPROC[0]}"
		kill "$COPROC_PID"; wait "$COPROC_PID"; exit 0'
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory, .ended_unseen]' show)" = '[true,false,1]' ]
	report show -v
	grep -qE '^Not exact +1 of 2 processes left no record: the peak may be more$' <<<"$output"
	report html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q "Not exact: 1 of 2 processes left no record: the peak may be more" "$BATS_TEST_TMPDIR/page.html"
}

@test "show, stats, html: an upper bound of the peak is shown only if clearly higher" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	# Five ticks of the root had 200 MiB, which is below its peak. The other processes peaked one after another.
	sed -i 's/"interval": 1,/"interval": 0.5,/' "$run/run.json"
	sed -i '/,11,150,/s/,4.500,/,104.500,/; /,12,160,/s/,5.500,/,105.500,/' "$run/exit.csv"
	for command in show stats; do
		[ "$(report_value '.totals | [.peak_memory_at_least_mib, .peak_memory_mib, .peak_memory_at_most_mib]' $command)" = '[300,500,500]' ]
	done
	report html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q '<dt>Peak memory</dt><dd>500 MiB</dd>' "$BATS_TEST_TMPDIR/page.html"
	report stats
	grep -qE '^Peak memory +500 MiB$' <<<"$output"
	[[ $output != *"up to"* ]]
}

@test "show: a background process that is still running does not count as unrecorded" {
	for way in preload "$BUILD/rtrack-run"; do
		rm -rf "$RTRACK_SPOOL" "$BATS_TEST_TMPDIR/gate"
		mkfifo "$BATS_TEST_TMPDIR/gate"
		# shellcheck disable=SC2016 # for the job's shell
		$way bash -c 'cat "$0" >/dev/null 2>&1 3>&- & exit 5' "$BATS_TEST_TMPDIR/gate" 3>&- || [ $? -eq 5 ]
		report show -v
		[[ ${lines[0]} == "bash failed with exit status 5 after "*"; 1 process goes on" ]] || { echo "$output"; return 1; }
		grep -qE '^Processes +2 +one of them goes on: figures so far$' <<<"$output"
		grep -qE '^Still there +pid [0-9]+ ' <<<"$output"
		fails grep -q 'unseen' <<<"$output"
		[ "$(report_value '.totals | [.still_running, .ended_unseen]' stats)" = '[1,0]' ]
		: >"$BATS_TEST_TMPDIR/gate"
		run=$(only_run)
		while [ -e "$run/.lock" ]; do read -rt 0.05 <> <(:) || true; done
		report show -v
		[[ ${lines[0]} != *"on" ]]
	done
}

@test "show --tree: children are below their parent, and equal children share a line" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	for i in {1..5}; do
		echo "1795226401.000,$((20 + i)),200,11,\"/bin/cc1\",\"cc1 a$i.c\"" >>"$run/start.csv"
		echo "1795226402.000,$((20 + i)),200,11,0.1,0.1,$((30 + i)),0,0,0,,\"self\",1" >>"$run/exit.csv"
	done
	echo '1795226401.500,40,300,99,"/bin/stray","stray"' >>"$run/start.csv"
	report show --tree --limit 1
	[ "${#lines[@]}" = 3 ]
	[[ ${lines[2]} == "and "*" more lines; --limit 0 shows all" ]]
	report show --tree
	[ "$status" -eq 0 ]
	diff - <(sed -E 's/ +$//' <<<"$output") <<-'END'
		 Process          CPU    Largest        Lived  Command
		      10        4.5 s    290 MiB          4 s  /usr/lib/R/bin/exec/R --file=job.R
		      11       750 ms    4.5 MiB          1 s    gcc -c a.c
		                  1 s     35 MiB                   5 x cc1
		      12       750 ms    5.5 MiB        1.9 s    gcc -c b.c
		      40            -          -            -  stray
	END
	# The exit record of this process has the same millisecond as its start.
	sed -i 's/^1795226402\.[05]00,12,/1795226400.600,12,/' "$run/exit.csv"
	report show --tree
	grep -qE '^ +12 +750 ms +5\.5 MiB +under 1 ms +gcc -c b\.c$' <<<"$output"
	report html -o "$BATS_TEST_TMPDIR/page.html"
	grep -q '<td class="number">under 1 ms</td><td class="number">750 ms</td>' "$BATS_TEST_TMPDIR/page.html"
	COLUMNS=60 report show --tree
	fails grep -nE '.{61}' <<<"$output"
}

@test "show --tree: finds parents in rows of any order, even if a pid was reused" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cat >>"$run/start.csv" <<-'END'
		1795226399.995,31,100,30,"/bin/true","in a child"
		1795226399.990,30,100,10,"/bin/sh","a child before the run"
		1795226400.450,33,150,11,"/bin/ld","second of an instant"
		1795226400.450,32,150,11,"/bin/as","first of an instant"
		1795226402.000,11,300,10,"/bin/gcc","the pid again"
		1795226401.990,34,300,11,"/bin/ld","ld of that"
	END
	report show --tree
	[ "$status" -eq 0 ]
	diff - <(cut -c 48- <<<"$output") <<-'END'
		Command
		/usr/lib/R/bin/exec/R --file=job.R
		  a child before the run
		    in a child
		  gcc -c a.c
		    first of an instant
		    second of an instant
		  gcc -c b.c
		  the pid again
		    ld of that
	END
}

@test "show --tree: prints each process once even if parents form a cycle" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cat >>"$run/start.csv" <<-'END'
		1795226401.000,20,200,20,"/bin/own","own"
		1795226401.300,21,200,22,"/bin/one","one"
		1795226401.200,22,200,21,"/bin/other","other"
		1795226401.100,23,200,22,"/bin/below","below"
	END
	report show --tree
	[ "$status" -eq 0 ]
	diff - <(tail -n 5 <<<"$output" | cut -c 48-) <<-'END'
		  gcc -c b.c
		own
		one
		  other
		    below
	END
}

@test "show --tree: a shell and its descendants are one tree" {
	for way in preload "$BUILD/rtrack-run"; do
		rm -rf "$RTRACK_SPOOL"
		# shellcheck disable=SC2016 # for the job's shell
		$way bash -c 'x=$(echo $(/bin/true)); y=$(seq 10 | sort | (cat; true)); true'
		report show --tree
		[ "$status" -eq 0 ]
		run=$(only_run)
		[ "${#lines[@]}" -eq $((1 + $(column "$run/start.csv" pid | sort -u | wc -l))) ]
		[ "$(cut -c 48- <<<"$output" | grep -c '^[^ ]')" -eq 2 ] || { echo "$output"; return 1; } # The other match is the heading.
	done
}

@test "show --short: three lines, the last with the request and the run's directory" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	report show --short
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 3 ]
	[ "${lines[0]}" = "rtrack: job.R finished in 4 s" ]
	[[ $output == *"$run" ]]
	[[ $output != *" B, read"* ]]
	[ "${lines[1]}" = "  CPU 6 s, mean 1.5, peak 3 of 8 CPUs; peak memory 300 MiB; 4 MiB read, 8 MiB written; 3 processes" ]
	[ "${lines[2]}" = "  Request     2 CPUs, 640 MiB, 2 min; run: $run" ]
	sed -i 's/"labels"/"requested": {"cpu": 16, "memory_mib": 8192}, &/' "$run/run.json"
	set_peak "$run" 9000
	report show --short
	[ "${lines[2]}" = "  Request     2 CPUs, 17.8 GiB, 2 min (the machine has only 15.6 GiB); requested before: 16 CPUs, 8 GiB; run: $run" ]
}

@test "show --format json: prints the JSON of stats, and the programs" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value 'del(.programs, .inner_jobs, .ended, .out_of_memory, .recommendation, .phases, .split, .parts, .marks, .cpu_prices)' show)" = "$(report_value . stats)" ]
	[ "$(report_value '.programs[0] | [.program, .processes, .cpu_seconds, .peak_memory_mib]' show)" = '["R",1,4.5,290]' ]
}

@test "show, html: the heading has the group, the rank and the labels" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	cd "$BATS_TEST_TMPDIR"
	jq '.labels = {team: "bio", "<b>": "&\u001b[31m"} | .group = "7.0" | .member = {rank: 2, node: 0, of: 4}' "$run/run.json" >changed
	mv changed "$run/run.json"
	report show -v
	[[ ${lines[2]} == "started "*"; group 7.0, rank 2 of 4, team=bio, <b>=&"* ]]
	[[ $output != *$'\e'* ]]
	report html -o page.html
	grep -q '<p class="where">group 7.0, rank 2 of 4, team=bio, &lt;b&gt;=&amp;' page.html
	jq 'del(.labels, .group, .member)' "$run/run.json" >changed
	mv changed "$run/run.json"
	report show -v
	[ "$status" = 0 ]
	[[ ${lines[2]} == "started "* && ${lines[3]} == "Request "* ]]
}

@test "show, html: a last sample of 0.3 s does not raise the peak" {
	local run page="$BATS_TEST_TMPDIR/page.html"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"stop_time": [0-9]*/&.300/' "$run/run.json"
	echo "a short tick of 9 of 8 CPUs" >"$RTRACK_SPOOL/.impossible"
	# 9 CPUs for 0.3 s, and 0.5 CPUs before, make 3.05 CPUs on average in the last second.
	tail -n 1 "$run/process.csv" | awk -F, -v OFS=, '{ $1 = sprintf("%.3f", $1 + 0.3); $4 = 1.2; $6 = 9; print }' >>"$run/process.csv"
	tail -n 1 "$run/system.csv" | awk -F, -v OFS=, '{ $1 = sprintf("%.3f", $1 + 0.3); $2 = 9; print }' >>"$run/system.csv"
	report show -v
	grep -qE '^CPU .*, peak 3.05 of 8 CPUs' <<<"$output" || { echo "$output"; return 1; }
	"$BUILD/rtrack-report" html -o "$page"
	grep -q ' · 3\.05</strong> <small>of 8 of the machine' "$page"
	grep -qE 'id="cpu-figures">.*Job: mean [0-9.]+, peak 3.05[^0-9 ]' "$page"
	[ "$(report_value .stats.process_cpu_usage.max stats)" = 9 ]
}

@test "unsampled memory is unknown, not 0" {
	local run
	run=$(make_run 20261121T020000Z-compute-7-10-0001 killed)
	sed -i -E '2,$s/^([^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*),[^,]*,(.*),[0-9]+$/\1,0.000,\2,0/' "$run/process.csv"
	sed -i -E '2,$s/,(4|5|290)\.[0-9]+,([0-9]+,[0-9]+,0,)/,,\2/' "$run/exit.csv"
	report show -v
	grep -qE '^Peak memory  *-' <<<"$output" || { echo "$output"; return 1; }
	fails grep -q '0 MiB' <<<"$output"
	[ "$(report_value '[.totals.peak_memory_mib, .totals.mean_memory_mib]' show)" = '[null,null]' ]
	report list
	grep -qE ' killed .* -$' <<<"$output"
}

@test "html: shows the peak beside the requested memory" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"labels"/"requested": {"memory_mib": 512}, "labels"/' "$run/run.json"
	"$BUILD/rtrack-report" html -o - | grep -q '<strong>300 MiB of 512 MiB of memory requested</strong> (59 %)'
}

@test "show --by process: the first process's end is the run's, even if recorded later" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"mode"/"start_ticks": 100, "mode"/' "$run/run.json"
	awk -F, -v OFS=, 'NR > 1 && $2 == 10 { $1 = "1795226404.020" } { print }' "$run/exit.csv" >"$run/new"
	mv "$run/new" "$run/exit.csv"
	[ "$(report_value '[.bill[] | select(.pid == 10) | .end_time]' show --by process)" = '[1795226404]' ]
}
