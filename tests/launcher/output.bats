#!/usr/bin/env bats
# Tests of rtrack-run --keep-output, which keeps the last 64 KiB that the command writes to a terminal or a pipe

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/jobs

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
	run_file() { cat "$(only_run)/$1"; }
	report() { "$BUILD/rtrack-report" "$@" "$(only_run)"; }
	# on_terminal STEP…: runs bash on a terminal of 80 × 24. A step is `send:TEXT`, `wait:REGEX` or `size:COLUMNS`.
	# The output of bash and its programs goes to the file `screen`.
	cat >terminal.py <<-'END'
		import fcntl, os, pty, re, select, struct, sys, termios
		pid, terminal = pty.fork()
		if pid == 0:
		    os.environ["PS1"] = "ready> "
		    os.environ["TERM"] = "xterm"
		    os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
		def resize(columns):
		    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
		resize(80)
		seen, at = b"", 0
		def wait(pattern):
		    global seen, at
		    while not (found := re.search(pattern.encode(), seen[at:])):
		        if not select.select([terminal], [], [], 60)[0]:
		            sys.exit(f"no {pattern!r} in {seen[at:]!r}")
		        seen += os.read(terminal, 65536)
		    at += found.end()
		wait("ready> ")
		for step in sys.argv[1:]:
		    kind, _, text = step.partition(":")
		    if kind == "send":
		        os.write(terminal, text.encode().decode("unicode_escape").encode())
		    elif kind == "size":
		        resize(int(text))
		    else:
		        wait(text)
		with open("screen", "wb") as file:
		    file.write(seen)
		os.close(terminal)
	END
	export KEEP="$RUN --keep-output"
	on_terminal() { timeout 120 python3 terminal.py "$@" 3>&-; }
}

@test "--keep-output: output is unchanged, and the last 64 KiB of each stream are kept" {
	head -c 300000 /dev/urandom >out
	head -c 200000 /dev/urandom >err
	status=0
	{ { $KEEP sh -c 'cat out; cat err >&2; exit 7' || status=$?; echo $status >status; } | cat >out2; } 2>&1 | cat >err2
	[ "$(cat status)" = 7 ]
	cmp out out2
	cmp err err2
	run_file stdout.txt | cmp - <(tail -c 65536 out)
	run_file stderr.txt | cmp - <(tail -c 65536 err)
	jq -e '.stdout.path == "stdout.txt" and .stderr.path == "stderr.txt" and .status == "failed"' "$(only_run)/run.json"
	[ "$(stat -c %a "$(only_run)/stdout.txt")" = 600 ]
	[ "$("$BUILD/rtrack-report" stats --format json | jq .totals.processes)" = 3 ]
	"$RUN" true
	"$BUILD/rtrack-report" prune --keep 1
	[ "$(ls "$RTRACK_SPOOL" | wc -l)" = 1 ]
}

@test "--keep-output: stdout and stderr on one pipe are kept in order in one file" {
	$KEEP sh -c 'for i in $(seq 300); do echo out $i; echo err $i >&2; done' 2>&1 | cat >both
	for i in $(seq 300); do printf 'out %d\nerr %d\n' $i $i; done | cmp - both
	run_file output.txt | cmp - both
}

@test "--keep-output: output to files and /dev/null is not redirected and not kept" {
	$KEEP sh -c 'where=$(readlink /proc/$$/fd/1); echo "$where" >&2' 2>err >/dev/null
	[ "$(cat err)" = /dev/null ]
	jq -e --arg err "$PWD/err" '.stdout == null and .stderr.path == $err and .stderr.end == 10' "$(only_run)/run.json"
	rm -rf "$RTRACK_SPOOL"
	"$RUN" sh -c 'echo a; echo b >&2; exit 2' 2>&1 | cat
	jq -e '.stdout == null and .stderr == null' "$(only_run)/run.json"
	fails ls "$(only_run)"/*.txt
}

@test "--keep-output: if the reader of the pipe closes it, the command ends as usual" {
	for way in '' "$KEEP"; do
		$way yes 3>&- | head -n 1
		[ "${PIPESTATUS[0]}" = 141 ]
		# tail also ends when the reader of its output has ended.
		echo one >log
		timeout 60 $way tail -f log 3>&- | head -n 1
		[ "${PIPESTATUS[0]}" != 124 ]
	done
}

@test "--keep-output: output that a background program writes later still arrives" {
	mkfifo go
	{ $KEEP sh -c '(read -r line <go; echo late) & echo early'; echo ended; } 3>&- | {
		read -r first
		read -r second
		echo >go
		read -r third
		echo "$first $second $third" >said
		cat >rest
	}
	[ "$(cat said)" = "early ended late" ]
	[ ! -s rest ]
	[ "$(run_file stdout.txt)" = early ]
}

@test "--keep-output: show, JSON and the page print the last lines of a failed run" {
	$KEEP sh -c 'for i in 1 2 3; do printf "\r\033[32m$i of 3\033[0m"; done; echo; ls /nowhere; exit $?' 2>&1 | cat
	report show -v >shown
	grep -qxF "Last lines of stderr: $(only_run)/output.txt" shown
	grep -qx '  3 of 3' shown
	grep -q '^  ls: .*nowhere' shown
	fails grep -q '2 of 3' shown
	report show --format json | jq -e '.ended.output | .stream == "stderr" and (.text | startswith("3 of 3\nls: "))'
	report html -o page.html
	grep -A3 'Last lines of' page.html | grep -q 'nowhere'
}

@test "--keep-output: a command on a terminal sees a terminal of equal size and modes" {
	for way in '' '$KEEP '; do
		on_terminal "send:${way}python3 -c 'import os; print(os.isatty(1), os.isatty(2), *os.get_terminal_size(2))'\n" \
			'wait:True True 80 24\r\n' 'wait:ready> ' \
			"send:${way}sh -c 'printf \"\\\\\\\\033[31mred\\\\\\\\033[0m\\\\\\\\n\"; exit 3'; echo status \$?\n" \
			'wait:\n\x1b\[31mred\x1b\[0m\r\nstatus 3' 'wait:ready> '
	done
}

@test "--keep-output: ^C, ^Z, fg and a resize of the window reach the command" {
	cat >job.py <<-'END'
		import os, signal, sys
		def resized(*_):
		    # A resize may raise two signals, the second during this function. print is not reentrant, so
		    # os.write is used.
		    os.write(1, b"now %d %d\n" % os.get_terminal_size(1))
		signal.signal(signal.SIGWINCH, resized)
		print("started", flush=True)
		while True:
		    signal.pause()
	END
	on_terminal 'send:$KEEP python3 job.py\n' 'wait:started' 'size:100' 'wait:now 100 24' \
		'send:\x1a' 'wait:Stopped' 'wait:ready> ' 'size:90' 'send:fg\n' 'wait:now 90 24' \
		'send:\x03' 'wait:KeyboardInterrupt' 'wait:ready> ' 'send:echo status $?\n' 'wait:status 130'
	run_file output.txt | grep -qx 'now 90 24'
}

@test "--keep-output: programs can read keys, and the terminal's modes are restored" {
	need less
	seq 100 >numbers
	cat >keys.py <<-'END'
		import curses
		def read(window):
		    window.addstr(0, 0, "press")
		    window.refresh()
		    return [window.getkey(), window.getkey()]
		print("got", *curses.wrapper(read))
	END
	on_terminal 'send:stty -a >before\n' 'wait:ready> ' \
		'send:$KEEP less numbers\n' 'wait:23' 'send: ' 'wait:46' 'send:q' 'wait:ready> ' \
		'send:$KEEP python3 keys.py\n' 'wait:press' 'send:ab' 'wait:got a b' 'wait:ready> ' \
		'send:stty -a >after; echo done\n' 'wait:\ndone\r'
	cmp before after
	# Like less, this program restores the modes after its last output.
	cat >modes.py <<-'END'
		import termios, time
		before, changed = termios.tcgetattr(1), termios.tcgetattr(1)
		changed[3] &= ~(termios.ECHO | termios.ICANON)
		termios.tcsetattr(1, termios.TCSANOW, changed)
		print("changed", flush=True)
		# stdin is the real terminal.
		while termios.tcgetattr(0)[3] & termios.ECHO:
		    time.sleep(0.01)
		termios.tcsetattr(1, termios.TCSANOW, before)
	END
	on_terminal 'send:$KEEP python3 modes.py\n' 'wait:changed' 'wait:ready> ' 'send:stty -a >after; echo done\n' 'wait:\ndone\r'
	cmp before after
}
