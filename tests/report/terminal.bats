#!/usr/bin/env bats
# Tests of rtrack-report show in a terminal of tmux: every run fits on one screen, in characters that the terminal can
# show.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/screens

teardown() {
	close_terminal
}

# make_eventful_run makes a run with phases, a possible split, unseen processes and a dozen programs, so that every
# section has text.
make_eventful_run() {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 failed)
	awk 'BEGIN {
		print "\"timestamp\",\"utime\",\"stime\",\"cpu_usage\",\"memory_mib\",\"disk_read_bytes\",\"disk_write_bytes\""
		for (i = 1; i <= 360; i++)
			printf "%.3f,%d,0,%d,%d,1000,1000\n", 1795226400 + i, i <= 240 ? 1 : 8, i <= 240 ? 1 : 8, i <= 240 ? 2000 : 12000
	}' >"$run/process.csv"
	awk 'BEGIN {
		print "\"timestamp\",\"net_recv_bytes\",\"net_sent_bytes\",\"tracker_cpu\""
		for (i = 1; i <= 360; i++) printf "%.3f,1000,10,0.0005\n", 1795226400 + i
	}' >"$run/system.csv"
	for i in {1..12}; do
		echo "1795226401.000,$((20 + i)),200,10,\"/bin/tool$i\",\"tool$i\"" >>"$run/start.csv"
	done
	sed -i 's/"stop_time": [0-9]*/"stop_time": 1795226760/' "$run/run.json"
}

# shown COLUMNS ROWS: runs show until it ends, and puts the lines of the screen into $lines, from the top.
shown() {
	open_terminal "$1" "$2" show -v
	given_back 0
	mapfile -t lines < <(screen)
}

@test "show: a screen of 80 by 24 has outcome, sparklines, programs and request" {
	make_eventful_run
	shown 80 24
	[ "${lines[0]}" = "job.R failed with exit status 3 after 6 min" ]
	[ "${#lines[@]}" -le 24 ]
	for line in '^CPU +20 min +mean 3\.33, peak 8 of 8 CPUs' '^ +[▁▂▃▄▅▆▇█]{60}$' '^Peak memory 11\.7 GiB ' '^Not exact +12 of 15 processes left no record' \
		'^Request +5 CPUs +23.7 GiB' '^Phases +2 +at 4 min CPUs 1 to 8' '^  split +saves' '^Run +20261121T020000Z' '^ +1 +4\.5 s +290 MiB +R --file=job\.R$' '^ +and [0-9]+ more programs$'; do
		shows "$line" || { echo "$line"; screen; return 1; }
	done
}

@test "show: a low screen leaves out the sparklines and keeps the headline" {
	make_eventful_run
	shown 80 22
	[ "${lines[0]}" = "job.R failed with exit status 3 after 6 min" ]
	shows '^ +1 +4\.5 s +290 MiB +R --file=job\.R$'
	fails shows '[▁▂▃▄▅▆▇█]{5}'
}

@test "show: sparklines rise where the usage rises" {
	make_eventful_run
	shown 80 24
	# The job uses an eighth of the CPUs for two thirds of the run, and then all CPUs.
	shows '^ {12}▁{40}█{20}$' || shows '^ {12}▂{40}█{20}$'
}

@test "show: a last sample of milliseconds adds no bar above the peak to a sparkline" {
	make_eventful_run
	echo "1795226760.007,0.448,0,64,12000,0,0" >>"$run/process.csv"
	sed -i 's/"stop_time": 1795226760/&.007/' "$run/run.json"
	shown 80 24
	shows 'peak 8\.39 of 8 CPUs'
	shows '^ {12}▁{40}█{20}$' # The sparkline of memory begins at a higher level.
}

@test "show: in 30 columns, tables have CPU time and name, and no line is wrapped" {
	local command
	make_eventful_run
	made_table() { COLUMNS=30 "$BUILD/rtrack-report" "$@" | sed -n '/Program$\|Command$\|^ *A  *B *$/,$p'; }
	for command in 'show -v' 'show --by command' 'show --by process' 'show --tree' 'compare latest latest'; do
		[ "$command" != 'compare latest latest' ] || command="compare $(ls "$RTRACK_SPOOL" | head -1) $(ls "$RTRACK_SPOOL" | head -1)"
		# shellcheck disable=SC2086 # words of a command
		made_table $command >"$BATS_TEST_TMPDIR/table"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/table")" -ge 2 ] || { echo "no table of $command"; false; }
		fails grep -nE '.{31}' "$BATS_TEST_TMPDIR/table"
	done
}

@test "show: a number and its unit are on one line at any width" {
	make_eventful_run
	for width in {24..100}; do
		COLUMNS=$width "$BUILD/rtrack-report" show -v >"$BATS_TEST_TMPDIR/text"
		fails grep -nE '^ +(B|KiB|MiB|GiB|kB|MB|GB|ms|s)([ ,]|$)' "$BATS_TEST_TMPDIR/text"
	done
}

@test "show: prints name and CPU time of each part at any width" {
	make_eventful_run
	local run start
	run=$(only_run)
	start=$(jq .start_time "$run/run.json")
	printf '"timestamp","pid","label"\n%s,10,"begin %s"\n%s,10,"end %s"\n' "$((start + 1))" "a part of many words" "$((start + 100))" \
		"a part of many words" >"$run/mark.csv"
	for width in 30 50 71 80; do
		COLUMNS=$width "$BUILD/rtrack-report" show -v | sed -n '/Part$/,/^$/p' >"$BATS_TEST_TMPDIR/table"
		grep -qE '^ +(1 +)?(1 min 39 s +)?1 min 39 s .* a pa' "$BATS_TEST_TMPDIR/table" || { cat "$BATS_TEST_TMPDIR/table"; false; }
		fails grep -nE ".{$((width + 1))}" "$BATS_TEST_TMPDIR/table"
	done
}

@test "show: no line is wrapped in 50 columns" {
	make_eventful_run
	shown 50 60
	shows '^job\.R failed with exit status 3 after 6 min$'
	# If the terminal wrapped a line, its rest would be in a line of its own.
	[ "$(screen | grep -cE '^(CPU|Peak memory|Disk|Network|Processes|Not exact|Tracker|Request|Phases|Run) ')" -eq 11 ] # two lines begin with Processes
	LC_ALL=C.UTF-8 fails grep -E '^[a-z]' <(screen | sed 1,3d)
}

@test "show: in a locale without UTF-8 the screen is ASCII" {
	make_eventful_run
	LOCALE=C shown 80 24
	shows '^job\.R failed'
	shows '^ {12}[^ ]{60}$'
	LC_ALL=C fails grep -n $'[\177-\377]' <(screen)
}

@test "show: the terminal shows colour unless NO_COLOR is set" {
	make_eventful_run
	shown 80 24
	terminal capture-pane -p -e | grep -q $'\033\\[1;*3*1*m\\|\033\\[1m'
	close_terminal
	rm "$BATS_TEST_TMPDIR/ended"
	NO_COLOR=1 shown 80 24
	shows '^job\.R failed'
	fails grep -q $'\033' <(terminal capture-pane -p -e)
}
