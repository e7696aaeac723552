#!/usr/bin/env bats
# Tests of rtrack-report watch, which follows a run on a terminal of tmux or in a pipe
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs
load ../lib/screens

# begin_job starts a job that runs until let_go is called. start_job also waits for its first row.
begin_job() {
	mkfifo "$BATS_TEST_TMPDIR/gate"
	# shellcheck disable=SC2016 # for the job's shell
	"$BUILD/rtrack-run" --interval 0.1 --job watched sh -c 'read -r line <"$0"' "$BATS_TEST_TMPDIR/gate" 3>&- &
	job=$!
}

start_job() {
	begin_job
	soon has_row
}

has_row() {
	local rows=("$RTRACK_SPOOL"/*/process.csv)
	[ -f "${rows[0]}" ] && [ "$(wc -l <"${rows[0]}")" -gt 1 ]
}

# has_other: the spool has another run than $run. The names of runs that start in the same second have no order.
has_other() {
	other=$(ls -d "$RTRACK_SPOOL"/2* | grep -vxF "$run") && [ -s "$other/process.csv" ]
}

let_go() {
	[ -z "${job:-}" ] || { echo >"$BATS_TEST_TMPDIR/gate"; wait "$job"; job=; }
}

# follow_to_the_end: follows a job to its end in a pipe, and writes the output to the file `lines`.
follow_to_the_end() {
	start_job
	timeout 60 "$BUILD/rtrack-report" watch watched "$@" >"$BATS_TEST_TMPDIR/lines" 3>&- &
	local watch=$!
	soon grep -q . "$BATS_TEST_TMPDIR/lines"
	let_go
	wait "$watch"
}

teardown() {
	let_go || true
	close_terminal
}

@test "watch: writes a line to a pipe at intervals, and a summary at the end" {
	follow_to_the_end --every 1
	grep -qE '^running for .*: CPU .*, memory .* MiB, processes 1; CPU time .* so far$' "$BATS_TEST_TMPDIR/lines"
	grep -qE '^rtrack: watched finished in ' "$BATS_TEST_TMPDIR/lines"
	LC_ALL=C fails grep -n $'[\001-\010\013-\037\177-\377]' "$BATS_TEST_TMPDIR/lines"
}

@test "watch: notices the end of the run immediately, even if --every is long" {
	follow_to_the_end --every 3600
	grep -q finished "$BATS_TEST_TMPDIR/lines"
}

@test "watch: a finished run is not shown as running while its sampler ends" {
	local run watch
	"$BUILD/rtrack-run" --job watched true
	run=$(ls -d "$RTRACK_SPOOL"/2*)
	cp "$run/run.json" "$BATS_TEST_TMPDIR/ended"
	sed -i 's/"status": "finished"/"status": "running"/' "$run/run.json"
	exec 8>"$run/.lock"
	flock 8
	timeout 60 "$BUILD/rtrack-report" watch watched --every 3600 >"$BATS_TEST_TMPDIR/lines" 3>&- 8>&- &
	watch=$!
	soon grep -q running "$BATS_TEST_TMPDIR/lines"
	cp "$BATS_TEST_TMPDIR/ended" "$run/run.json.new"
	mv "$run/run.json.new" "$run/run.json"
	# During this time, the lock makes the run seem to go on. A slower watch would not notice.
	read -rt 0.3 <> <(:) || true
	rm "$run/.lock"
	exec 8>&-
	wait "$watch"
	grep -q '^rtrack: watched finished' "$BATS_TEST_TMPDIR/lines"
	fails grep -n 'go on' "$BATS_TEST_TMPDIR/lines"
}

@test "watch --format json: one object per line, the last object for the run's end" {
	follow_to_the_end --every 1 --format json
	[ "$(jq -r .status "$BATS_TEST_TMPDIR/lines" | sort -u | tr '\n' ' ')" = "finished running " ]
	[ "$(tail -n 1 "$BATS_TEST_TMPDIR/lines" | jq -r '.status, .totals.processes' | tr '\n' ' ')" = "finished 1 " ]
}

@test "watch: shows how a finished run ended" {
	make_run 20261121T020000Z-compute-7-10-0001
	report watch
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "rtrack: job.R finished in 4 s" ]
	[ "$(report_value .status watch)" = '"finished"' ]
	make_run 20261121T020100Z-compute-7-11-0002 failed other.R 60
	sed -i 's/"team": "x"/"team": "y"/' "$RTRACK_SPOOL"/*0001/run.json
	[ "$(report_value .status watch)" = '"failed"' ]
	[ "$(report_value .status watch --label team=y)" = '"finished"' ]
	report watch job.R --label team=y --when ended
	[ "$output" = "job.R on compute-7: ended: finished, after 4 s" ]
	report watch 19990101T000000Z
	[ "$status" -eq 1 ]
	report watch ./no-such-run
	[ "$status" -eq 1 ]
}

@test "watch: waits for the first run of a job" {
	timeout 60 "$BUILD/rtrack-report" watch watched --format json >"$BATS_TEST_TMPDIR/lines" 2>"$BATS_TEST_TMPDIR/said" 3>&- &
	local watch=$!
	soon grep -qx "rtrack-report: no run 'watched' in '$RTRACK_SPOOL' yet: waiting for it" "$BATS_TEST_TMPDIR/said"
	start_job
	soon grep -q '"status":"running"' "$BATS_TEST_TMPDIR/lines"
	let_go
	wait "$watch"
	tail -1 "$BATS_TEST_TMPDIR/lines" | grep -q '"status":"finished"'
}

@test "watch: without RUN on a terminal, waits for the next run" {
	make_run 20261121T020000Z-compute-7-10-0001
	open_terminal 160 24 watch
	soon shows '^rtrack-report: no run is running in .*: waiting for the next one'
	begin_job
	soon shows '^watched running for '
	let_go
	given_back 0
	shows '^watched finished in '
}

@test "watch: shows a table of processes and the usual duration" {
	mkdir -p "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" --interval 0.1 --job watched true
	run=$(only_run)
	sed -i 's/"stop_time": [0-9.]*/"stop_time": 99999999999/' "$run/run.json"
	start_job
	soon has_other
	open_terminal 100 24 watch "$(basename "$other")"
	soon shows '^ Process +CPUs +Memory +Command$'
	soon shows "^ +[0-9]+ +[0-9.]+ +[0-9.]+ MiB  sh -c read -r line"
	shows ' left as earlier runs took '
	terminal send-keys q
	given_back 0
}

@test "watch: if rows are missing, says that there may be more processes" {
	start_job
	open_terminal 80 24 watch watched
	soon shows '^Processes +[0-9]+ +now, [0-9]+ so far$'
	# A process that cannot write its record sets this mode.
	chmod 1600 "$RTRACK_SPOOL"/*/exit.csv
	soon shows '^Processes +[0-9]+ +now, [0-9]+ or more so far$'
}

@test "watch: on a terminal of 30 columns and 6 lines, no figure is wrapped" {
	start_job
	open_terminal 30 6 watch watched
	soon shows '^watched running for '
	for line in '^CPU ' '^Memory ' '^Disk ' '^Processes '; do
		soon shows "$line"
	done
	# If the terminal wrapped a line, its rest would be in a line of its own.
	LC_ALL=C.UTF-8 fails grep -vE '^(watched|CPU|Memory|Disk|Processes|$)' <(screen)
	terminal send-keys q
	given_back 0
}

@test "watch: adapts to the terminal size; q quits watch, but not the run" {
	start_job
	open_terminal 80 24 watch watched
	soon shows '^watched running for '
	shows '^CPU .* of [0-9]+ CPUs now'
	soon shows '^ +[▁▂▃▄▅▆▇█]+$'
	shows '^q quits'
	terminal resize-window -x 50 -y 12
	soon shows '^sh -c .*…$'
	[ "$(screen | wc -l)" -le 12 ]
	LC_ALL=C.UTF-8 fails grep -E '.{51}' <(screen)
	terminal send-keys q
	given_back 0
	[ "$(json status "$(only_run)/run.json")" = running ]
}

@test "watch: prints ASCII without UTF-8, and no colour with NO_COLOR" {
	start_job
	NO_COLOR=1 LOCALE=C open_terminal 80 24 watch watched
	soon shows '^watched running for '
	soon shows '^ {12}[^ ]+$'
	LC_ALL=C fails grep -n $'[\177-\377]' <(screen)
	fails grep -q $'\033\[[0-9;]*m' <(terminal capture-pane -p -e)
	terminal send-keys q
	given_back 0
}

@test "watch: at the end of the run, restores the terminal and shows how the run ended" {
	start_job
	open_terminal 80 24 watch watched
	soon shows '^watched running for '
	let_go
	given_back 0
	shows '^watched finished in '
}

@test "watch: ^C, SIGTERM and SIGHUP end watch and restore the terminal" {
	start_job
	for signal in INT TERM HUP; do
		rm -f "$BATS_TEST_TMPDIR/ended"
		open_terminal 80 24 watch watched
		soon shows '^watched running for '
		if [ "$signal" = INT ]; then
			terminal send-keys C-c
		else
			kill -s "$signal" "$(cat "$BATS_TEST_TMPDIR/pid")"
		fi
		given_back $((128 + $(kill -l "$signal")))
		terminal kill-server
	done
}

@test "watch: ^Z restores the terminal until watch continues" {
	start_job
	open_terminal 80 24 watch watched
	soon shows '^watched running for '
	pid=$(cat "$BATS_TEST_TMPDIR/pid")
	is_stopped() { grep -q '^State:.T' "/proc/$pid/status"; }
	kill -s TSTP "$pid"
	soon is_stopped
	[ "$(terminal display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}

@test "watch --when: each condition runs the command once, with variables and JSON" {
	start_job
	# shellcheck disable=SC2016 # for the command's shell
	timeout 60 "$BUILD/rtrack-report" watch watched --every 1 --when 'members>0' --when 'ended' --when 'failed' \
		--when 'memory_mib>limit' --exec 'echo "$RTRACK:$RTRACK_ALERT_JOB:$RTRACK_ALERT_CONDITION:$RTRACK_ALERT_STATUS"; jq -r "[.condition, .outcome, .run.job, .text] | @csv"' \
		>"$BATS_TEST_TMPDIR/lines" 2>"$BATS_TEST_TMPDIR/said" 3>&- &
	local watch=$!
	soon grep -q '^off:watched:members>0:running$' "$BATS_TEST_TMPDIR/lines"
	soon grep -q '^"members>0","running","watched","watched on ' "$BATS_TEST_TMPDIR/lines"
	let_go
	wait "$watch"
	cat "$BATS_TEST_TMPDIR/lines"
	[ "$(grep -c '^off:' "$BATS_TEST_TMPDIR/lines")" -eq 2 ]
	grep -q '^off:watched:ended:finished$' "$BATS_TEST_TMPDIR/lines"
	[ -n "$(only_run)" ]
	[ ! -s "$BATS_TEST_TMPDIR/said" ]
}

@test "watch --when: without --exec, prints a line, even for a finished run" {
	make_run 20261121T020000Z-compute-7-10-0001 failed
	report watch 20261121T020000Z --when 'memory_mib>0.01*limit' --when failed --when 'wall_seconds>requested'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "job.R on compute-7: memory_mib>0.01*limit: 300, and the bound is 160, after 4 s" ]
	[ "${lines[1]}" = "job.R on compute-7: failed: failed, after 4 s" ]
	[ "${#lines[@]}" -eq 2 ]
	[[ $stderr == *"--when 'wall_seconds>requested': this bound is unknown for this run" ]]
}

@test "watch --when: refuses an invalid condition before it waits" {
	report watch no-such-job --when 'memory_mib>much'
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --when 'memory_mib>much': expected a bound such as 100, limit, 0.9*requested or 2*previous" ]
	report watch no-such-job --when 'wall_seconds>1 for 3m'
	[ "$status" -eq 2 ]
	make_run 20261121T020000Z-compute-7-10-0001
	report watch --exec true
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --exec needs --when" ]
}

@test "watch: shows the current code line of a program, also in pipe and JSON" {
	local pid
	start_job
	run=$(ls -d "$RTRACK_SPOOL"/2*)
	pid=$(sed -n '2s/^[^,]*,\([0-9]*\),.*/\1/p' "$run/start.csv")
	printf '%s\n' '"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"' \
		"1795226401.000,$pid,1,\"python\",\"/home/me/job.py\",7,\"load\",9,0,0.9,1,1" \
		"1795226402.000,$pid,0.1,\"python\",\"/home/me/job.py\",8,\"load\",1,0,0.1,1,1" \
		"1795226402.000,$pid,0.9,\"python\",\"/home/me/job.py\",57,\"fit\",9,0,0.9,1,1" >"$run/line.csv"
	open_terminal 100 24 watch watched
	soon shows 'job.py:57 in fit'
	screen >"$BATS_TEST_TMPDIR/screen"
	grep -qE '[0-9]+ +[0-9.]+ +[0-9.]+ .iB  sh -c .*  job\.py:57 in fit *$' "$BATS_TEST_TMPDIR/screen"
	timeout 60 "$BUILD/rtrack-report" watch watched --every 1 --format json >"$BATS_TEST_TMPDIR/json" 3>&- &
	timeout 60 "$BUILD/rtrack-report" watch watched --every 1 >"$BATS_TEST_TMPDIR/lines" 3>&- &
	soon grep -q '; at job\.py:57 in fit$' "$BATS_TEST_TMPDIR/lines"
	soon grep -q '"line": *{"language":"python","file":"/home/me/job.py","line":57,"function":"fit"}' "$BATS_TEST_TMPDIR/json"
}

# alert_example PATTERN RUN CONDITION: prints the matching watch command below "Alerts" in docs/report.md, with a
# condition that holds for the run.
alert_example() { # PATTERN RUN CONDITION
	awk '/^## Alerts/ { inside = 1; next } /^#+ / && !/^# [A-Z].* (hook|want|work)/ { inside = 0 } inside' "$PROJECT/docs/report.md" |
		sed -e ':a' -e '/\\$/N; s/\\\n\t*//; ta' | grep "^rtrack-report watch.*$1" |
		sed -e "s/watch align/watch $2/" -e "s/--when '[^']*'/--when '$3'/" -e 's/ &$//'
}

# The test has no mail server and no Slack. A script named mail records its arguments, and a local server receives what
# the real curl posts.
@test "watch --when: the examples of docs/report.md send mail and post to Slack" {
	local run=20261121T020000Z-compute-7-10-0001
	make_run $run failed
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	printf '#!/bin/sh\nprintf "%%s\\n" "$@" >>%s/mails\n' "$PWD" >bin/mail
	chmod +x bin/mail
	cat >hook.py <<-'END'
		import http.server

		class Hook(http.server.BaseHTTPRequestHandler):
		    def do_POST(self):
		        body = self.rfile.read(int(self.headers["Content-Length"]))
		        with open("posts", "ab") as file:
		            file.write(self.path.encode() + b" " + self.headers["Content-Type"].encode() + b" " + body + b"\n")
		        self.send_response(200)
		        self.end_headers()
		        self.wfile.write(b"ok")

		    def log_message(self, *arguments):
		        pass

		server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
		print(server.server_port, flush=True)
		server.serve_forever()
	END
	python3 hook.py >port 3>&- &
	local server=$! mail hook slack
	soon grep -q . port
	export PATH=$PWD/bin:$BUILD:$PATH HOOK_URL=http://127.0.0.1:$(cat port)/hook SLACK_WEBHOOK_URL=http://127.0.0.1:$(cat port)/slack
	export no_proxy=127.0.0.1
	mail=$(alert_example 'mail -s' $run 'memory_mib>0.01*limit')
	hook=$(alert_example 'HOOK_URL"' $run failed | grep -v SLACK)
	slack=$(alert_example SLACK_WEBHOOK_URL $run 'memory_mib>0.01*limit')
	printf '%s\n' "$mail" "$hook" "$slack"
	sh -ec "$mail"
	sh -ec "$hook" >said
	sh -ec "$slack" >said
	kill "$server"
	[ "$(sed -n 2p mails)" = "job.R on compute-7: memory_mib>0.01*limit: 300, and the bound is 160, after 4 s" ]
	[ "$(sed -n 5p mails)" = "job.R on compute-7: failed: failed, after 4 s" ]
	[ "$(wc -l <mails)" -eq 6 ]
	sed -n 's|^/hook application/json ||p' posts | jq -e '.condition == "failed" and .run.job == "job.R" and .totals.processes == 3'
	[ "$(sed -n 's|^/slack application/json ||p' posts | jq -c .)" = \
		'{"text":"job.R on compute-7: memory_mib>0.01*limit: 300, and the bound is 160, after 4 s"}' ]
}

@test "watch --when: in the docs/report.md example, a signal makes a job save its work" {
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-run" --interval 0.1 --job saving sh -c 'trap "echo saved; exit 3" USR1; while :; do sleep 0.1; done' >said 3>&- &
	local saving=$!
	soon has_row
	PATH=$BUILD:$PATH sh -ec "timeout 60 $(alert_example 'kill -USR1' saving 'members>0')"
	wait "$saving" && false || [ $? -eq 3 ]
	[ "$(cat said)" = saved ]
}

reached_line() {
	cat "$RTRACK_SPOOL"/*/line.csv 2>/dev/null | grep -q "job.py\",$1,"
}

@test "watch: shows the line that a program executes now, not an earlier line" {
	local gate="$BATS_TEST_TMPDIR/gate" job="$BATS_TEST_TMPDIR/job.py"
	cat >"$job" <<-'END'
		import os, sys, time
		while time.thread_time() < 1.5: sum(range(1000))
		while not os.path.exists(sys.argv[1]) and time.thread_time() < 60: sum(range(1000))
	END
	"$BUILD/rtrack-run" --interval 0.5 --job watched python3 "$job" "$gate" 3>&- &
	soon reached_line 3
	timeout 60 "$BUILD/rtrack-report" watch watched --format json >"$BATS_TEST_TMPDIR/lines" 3>&- &
	soon grep -q running "$BATS_TEST_TMPDIR/lines"
	: >"$gate"
	wait
	[ "$(head -n 1 "$BATS_TEST_TMPDIR/lines" | jq -c '[.status, .line.line]')" = '["running",3]' ]
}
