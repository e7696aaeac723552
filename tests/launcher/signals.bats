#!/usr/bin/env bats
# Tests of signals: signals to rtrack-run reach the command; job control, orphans, and rtrack-run as pid 1
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
	ulimit -c 0
}

# child_of PID: prints the first child of a process.
child_of() {
	local first
	read -r first _ <"/proc/$1/task/$1/children"
	echo "$first"
}

# start_listener: starts rtrack-run in the background, with run_signals COUNT as its command. Descriptor 5 has its
# output; the first line is `ready`.
start_listener() {
	mkfifo heard
	timeout 60 "$RUN" "${@:2}" "$(victim run_signals)" "$1" >heard 3>&- &
	listener=$!
	exec 5<heard
	read -r line <&5
	[ "$line" = ready ]
	launcher=$(child_of $listener)
}

@test "rtrack-run: every signal that can be caught reaches the command, once" {
	not_in_qemu "it keeps some real-time signals for itself"
	kill=$(victim run_kill)
	start_listener 62
	for signal in $(seq 1 64); do
		case $signal in 9 | 19) continue ;; esac
		"$kill" "$signal" "$launcher"
		read -r -t 30 line <&5
		echo "$signal: $line"
		[ "$line" = "$signal 0 0" ]
	done
	wait $listener
}

@test "rtrack-run: queued signals reach the command with their values, none is lost" {
	kill=$(victim run_kill)
	start_listener 4 --no-preload
	"$kill" 10 "$launcher" 77
	read -r line <&5
	[ "$line" = "10 -1 77" ]
	for value in 1 2 3; do
		"$kill" 40 "$launcher" $value
	done
	for value in 1 2 3; do
		read -r line <&5
		[ "$line" = "40 -1 $value" ]
	done
}

@test "rtrack-run: a signal to the process group or to rtrack-run arrives only once" {
	mkfifo heard
	timeout 60 setsid "$RUN" --spool spool "$(victim run_signals)" 120 >heard 3>&- &
	exec 5<heard
	read -r line <&5
	[ "$line" = ready ]
	launcher=$(child_of $!)
	for _ in {1..40}; do
		# A duplicate of the first signal would arrive before the second signal, which has a larger number.
		for to in "USR1 -$launcher" "USR2 $launcher" "USR1 $launcher"; do
			kill -s "${to% *}" -- "${to#* }"
			read -r -t 30 line <&5
			echo "$to: $line"
			[ "$line" = "$(kill -l "${to% *}") 0 0" ]
		done
	done
	wait $!
	[ "$("$BUILD/rtrack-report" stats --spool spool --format json | jq .totals.processes)" = 1 ]
}

@test "rtrack-run: of two signals that timeout sends, the command receives one" {
	cat >leader.py <<-'END'
		import os, signal, subprocess, sys
		os.setsid()
		signal.signal(signal.SIGUSR1, lambda *_: None)
		run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
		heard = [run.stdout.readline()]
		for to in [run.pid, 0], [run.pid], [0]:
		    for _ in range(20):
		        for one in to:
		            os.kill(one, signal.SIGUSR1)
		        heard.append(run.stdout.readline())
		        # SIGUSR2 arrives after rtrack-run has handled SIGUSR1.
		        os.kill(run.pid, signal.SIGUSR2)
		        heard.append(run.stdout.readline())
		heard += run.stdout.readlines()
		sys.exit(run.wait() or heard != ["ready\n"] + 60 * ["10 0 0\n", "12 0 0\n"])
	END
	timeout 60 python3 leader.py "$RUN" --spool spool "$(victim run_signals)" 120 3>&-
}

@test "rtrack-run: timeout's signal also reaches a command that left the process group" {
	cat >left.py <<-'END'
		import os, signal, sys
		heard = []
		signal.signal(signal.SIGUSR1, lambda *_: heard.append("USR1"))
		signal.signal(signal.SIGUSR2, lambda *_: heard.append("USR2"))
		os.setsid()
		print("ready", flush=True)
		while "USR2" not in heard:
		    signal.pause()
		print(*heard)
	END
	cat >leader.py <<-'END'
		import os, signal, subprocess, sys
		os.setsid()
		signal.signal(signal.SIGUSR1, lambda *_: None)
		def both(pid):
		    os.kill(pid, signal.SIGUSR1)
		    os.kill(0, signal.SIGUSR1)
		def by_another(pid):
		    subprocess.run([sys.executable, "-c", "import os, signal; signal.signal(signal.SIGUSR1, lambda *_: 0); os.kill(0, signal.SIGUSR1)"])
		def alone(pid):
		    os.kill(pid, signal.SIGUSR1)
		for send, expected in (both, "USR1 USR2"), (by_another, "USR2"), (alone, "USR1 USR2"):
		    for _ in range(10):
		        run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
		        assert run.stdout.readline() == "ready\n"
		        send(run.pid)
		        os.kill(run.pid, signal.SIGUSR2)
		        heard = run.stdout.read().strip()
		        assert (run.wait(), heard) == (0, expected), (send, heard)
	END
	timeout 120 python3 leader.py "$RUN" --spool spool python3 left.py 3>&-
	for command in 'setsid sleep 60' 'timeout 60 sleep 60' 'setsid -w sleep 60'; do
		run timeout 50 timeout 0.5 "$RUN" --spool spool $command
		[ "$status" = 124 ]
	done
}

@test "rtrack-run: ^C ends a script, as without rtrack-run" {
	cat >interrupt.py <<-'END'
		import os, signal, subprocess, sys
		for launcher in [], sys.argv[1:]:
		    script = '"$@" sh -c "echo ready; exec sleep 60"; echo next'
		    shell = subprocess.Popen(["bash", "-c", script, "bash", *launcher], stdout=subprocess.PIPE, text=True,
		                             start_new_session=True)
		    assert shell.stdout.readline() == "ready\n"
		    os.killpg(shell.pid, signal.SIGINT)
		    rest = shell.stdout.read()
		    assert (shell.wait(), rest) == (-signal.SIGINT, ""), (launcher, shell.returncode, rest)
	END
	timeout 60 python3 interrupt.py "$RUN" --spool spool 3>&-
}

@test "rtrack-run: pkill with the name rtrack-run ends the command" {
	not_in_qemu "its processes have the name of qemu"
	setsid "$RUN" --spool spool sh -c 'echo ready >ready; exec sleep 60' 3>&- &
	until [ -s ready ]; do sleep 0.01; done
	status=0
	pkill -TERM -s $! -x rtrack-run
	wait $! || status=$?
	[ "$status" = 143 ]
}

@test "a job that leads its process group can signal the group by its own pid" {
	# shellcheck disable=SC2016 # they are the jobs'
	jobs=('sleep 30 & trap "echo got" TERM; kill -- -$$; echo $?; wait; echo end'
		'sleep 30 & trap "echo got" TERM; env kill -- -$$; echo $?; wait; echo end'
		'sleep 30 & trap "echo got" TERM; sh -c "kill -s TERM -- -$$; echo \$?"; wait; echo end'
		'sleep 30 & kill -s 0 -- -$$; echo $?; kill -s KILL -- -$$; echo not reached'
		'trap "trap - TERM; kill -- -$$" EXIT; sleep 30 & exit 3'
		'kill -s TERM -- -$((1 << 22)) 2>/dev/null; echo $?; kill -s 0 -- -$PPID 2>/dev/null; echo $?')
	python='import os, signal, subprocess
child = subprocess.Popen(["sleep", "30"])
signal.signal(signal.SIGTERM, lambda *_: print("got", flush=True))
os.killpg(os.getpid(), signal.SIGTERM)
os.killpg(os.getpid(), 0)
print(child.wait())'
	WAYS_PREFIX=(setsid)
	for shell in bash sh; do
		for job in "${jobs[@]}"; do
			same_every_way "$shell" -c "$job"
		done
	done
	same_every_way python3 -c "$python"
	bare_says '^-15$'
	WAYS_PREFIX=()
	# shellcheck disable=SC2016
	same_every_way sh -c 'kill -s 0 -- -$$ 2>/dev/null; echo $?'
	bare_says '^1$'
}

@test "rtrack-run: if a signal ends the command, the status is 128 plus the signal" {
	for signal in HUP INT TERM USR1 PIPE ALRM; do
		mkfifo "ready-$signal"
		env --default-signal timeout 60 "$RUN" sh -c 'echo >"$0"; read x <"$0-never"' "ready-$signal" 3>&- &
		mkfifo "ready-$signal-never"
		read -r x <"ready-$signal"
		kill -s $signal "$(child_of $!)"
		status=0
		wait $! || status=$?
		[ "$status" = $((128 + $(kill -l $signal))) ]
	done
}

@test "rtrack-run: under nohup, a hangup ends neither rtrack-run nor the command" {
	not_in_qemu "signals that are ignored are not, where a guest executes another program"
	status=0
	nohup "$RUN" sh -c 'kill -HUP $PPID; kill -HUP $$; exit 6' >/dev/null 2>&1 || status=$?
	[ "$status" = 6 ]
}

@test "rtrack-run: ^C and a signal of another process reach the command once each" {
	run timeout 30 "$(victim run_shell)" lclule "$RUN" "$(victim run_signals)" 2
	printf 'job: ready\njob: 2 128 0\njob: 10 0 0\nexit 0\n' | diff - <(echo "$output")
}

@test "rtrack-run: if ^C ends the command, the shell reports status 130" {
	run timeout 30 "$(victim run_shell)" lce "$RUN" sh -c 'echo ready; read x'
	printf 'job: ready\nsignal 2\n' | diff - <(echo "$output")
}

@test "rtrack-run: a command that makes its own process group keeps the terminal" {
	for leader in "timeout 60" "perl -e 'setpgrp; exec @ARGV'"; do
		run timeout 30 "$(victim run_shell)" lce "$RUN" sh -c "exec $leader sh -c 'echo ready; read x'"
		printf 'job: ready\nsignal 2\n' | diff - <(echo "$output")
		run timeout 30 "$(victim run_shell)" lnle "$RUN" sh -c "exec $leader sh -c 'echo ready; read x; echo read; exit 3'"
		printf 'job: ready\njob: read\nexit 3\n' | diff - <(echo "$output")
		run timeout 30 "$(victim run_shell)" lzsnfle "$RUN" sh -c "exec $leader sh -c 'echo ready; read x; echo read; exit 3'"
		printf 'job: ready\nstopped by 20\njob: read\nexit 3\n' | diff - <(echo "$output")
	done
	for number in 9 15; do
		for way in bare launcher; do
			tracker=()
			[ $way = bare ] || tracker=("$RUN")
			python3 - $number "${tracker[@]}" timeout 60 sh -c 'echo $$; exec sleep 30' <<-'END' 3>&- >$way
				import os, signal, subprocess, sys
				job = subprocess.Popen(sys.argv[2:], start_new_session=True, stdout=subprocess.PIPE)
				command = int(job.stdout.readline())
				os.killpg(job.pid, int(sys.argv[1]))
				status = job.wait()
				print(status if status >= 0 else 128 - status, job.stdout.read())
			END
		done
		diff bare launcher
	done
}

@test "rtrack-run: an interactive shell has its terminal and job control" {
	need zsh python3
	for shell in "bash --norc" dash "zsh -f"; do
		# shellcheck disable=SC2086 # words
		timeout 60 python3 - "$RUN" $shell -i <<-'END' 3>&-
			import os, pty, sys
			pid, terminal = pty.fork()
			if pid == 0:
			    os.execvp(sys.argv[1], sys.argv[1:])
			said = b""
			def until(words, typed):
			    global said
			    os.write(terminal, typed)
			    while words not in said:
			        said += os.read(terminal, 4096)
			# A program in the foreground can read from the terminal.
			until(b"be3gun", b"sh -c 'echo be$((1 + 2))gun; exec head -n 1'; echo en$((3 + 4))d\n")
			until(b"en7d", b"word\n")
			os.write(terminal, b"exit 5\n")
			try:
			    while os.read(terminal, 4096):
			        pass
			except OSError:
			    pass
			sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 5)
		END
	done
}

@test "rtrack-run: a hangup of the terminal ends the command" {
	cat >hangup.py <<-'END'
		import os, pty, sys
		pid, terminal = pty.fork()
		if pid == 0:
		    os.execvp(sys.argv[1], sys.argv[1:])
		while b"ready" not in os.read(terminal, 100):
		    pass
		os.close(terminal)
		status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		print(status if status >= 0 else 128 - status)
	END
	[ "$(timeout 60 python3 hangup.py sh -c 'echo ready; exec sleep 30' 3>&-)" = 129 ]
	[ "$(timeout 60 python3 hangup.py "$RUN" sh -c 'echo ready; exec sleep 30' 3>&-)" = 129 ]
}

@test "rtrack-run: ^Z stops rtrack-run and the command, and fg continues both" {
	for way in "" "$RUN"; do
		run timeout 30 "$(victim run_shell)" lzsnflzsfnle $way sh -c 'echo ready; read x; echo once; read x; echo twice; exit 5'
		printf 'job: ready\nstopped by 20\njob: once\nstopped by 20\njob: twice\nexit 5\n' | diff - <(echo "$output")
	done
}

@test "rtrack-run: if the command stops itself on a terminal, rtrack-run stops as well" {
	for signal in STOP TSTP TTIN TTOU; do
		run timeout 30 "$(victim run_shell)" lsfle "$RUN" sh -c "echo ready; kill -$signal \$\$; echo on; exit 5"
		printf 'job: ready\nstopped by %d\njob: on\nexit 5\n' "$(kill -l $signal)" | diff - <(echo "$output")
	done
}

@test "rtrack-run: stopping the command by its pid does not stop rtrack-run" {
	mkfifo ready
	setsid timeout 60 "$RUN" sh -c 'echo $$ >ready; kill -STOP $$; exit 4' 3>&- &
	read -r command <ready
	timeout 30 sh -c 'until grep -q "^State:.T" /proc/$0/status; do :; done' "$command"
	kill -CONT "$command"
	status=0
	wait $! || status=$?
	[ "$status" = 4 ]
}

@test "rtrack-run: SIGCONT to rtrack-run continues a stopped command" {
	mkfifo ready
	setsid timeout 60 "$RUN" sh -c 'echo $$ $PPID >ready; kill -STOP $$; exit 4' 3>&- &
	read -r command launcher <ready
	timeout 30 sh -c 'until grep -q "^State:.T" /proc/$0/status; do :; done' "$command"
	kill -CONT "$launcher"
	status=0
	wait $! || status=$?
	[ "$status" = 4 ]
}

@test "rtrack-run: adopts orphans and reaps them" {
	not_in_qemu "no program becomes the parent of orphans there"
	cat >job <<-'END'
		mkfifo hold
		orphan=$(sh -c '(read x <hold; exit 3) >/dev/null & echo $!')
		[ "$(cut -d' ' -f4 /proc/$orphan/stat)" = $PPID ] || exit 9
		echo >hold
		while [ -e /proc/$orphan ]; do :; done
		exit 2
	END
	status=0
	timeout 30 "$RUN" sh job 3>&- || status=$?
	[ "$status" = 2 ]
}

# bats test_tags=root
@test "rtrack-run: as pid 1, reaps, forwards signals, and returns the command's status" {
	as_root "make a PID namespace"
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no right to make a pid namespace here"
	cat >job <<-'END'
		[ $PPID = 1 ] || exit 9
		orphan=$(sh -c '/bin/true >/dev/null & echo $!')
		while [ -e /proc/$orphan ]; do :; done
		trap 'exit 5' TERM
		kill -TERM 1
		while :; do :; done
	END
	status=0
	timeout 30 unshare --pid --fork --mount-proc "$RUN" sh job 3>&- || status=$?
	[ "$status" = 5 ]
	status=0
	unshare --pid --fork --mount-proc "$RUN" sh -c 'kill -KILL $$' || status=$?
	[ "$status" = 137 ]
}

# bats test_tags=root
@test "rtrack-run: as pid 1, forwards stop signals only if the command handles them" {
	as_root "make a PID namespace"
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no right to make a pid namespace here"
	cat >job <<-'END'
		kill -TSTP $PPID
		kill -TTIN $PPID
		kill -TTOU $PPID
		sleep 0.3
		trap 'echo handled' TSTP
		kill -TSTP $PPID
		sleep 0.3
		exit 4
	END
	status=0
	timeout -k 1 30 unshare --pid --fork --mount-proc "$RUN" sh job >out 3>&- || status=$?
	[ "$status" = 4 ]
	[ "$(cat out)" = handled ]
}

@test "rtrack-run: a thousand orphans that end at once are all reaped" {
	cat >job <<-'END'
		for i in $(seq 1 1000); do (:) & done >/dev/null
		wait
		sh -c 'for i in $(seq 1 300); do (exec sh -c : ) & done'
		children() {
			grep -sl "^PPid:[[:space:]]$PPID$" /proc/[0-9]*/status
		}
		while grep -sq "^State:[[:space:]]Z" $(children); do :; done
	END
	timeout 60 "$RUN" sh job 3>&-
}

@test "rtrack-run: the command survives SIGKILL of rtrack-run unless PDEATHSIG is set" {
	mkfifo ready hold
	timeout 60 "$RUN" sh -c 'echo $$ $PPID >ready; read x <hold; echo $x >last' 3>&- &
	read -r command launcher <ready
	kill -KILL "$launcher"
	wait $! || true
	kill -0 "$command"
	echo alive >hold
	timeout 30 sh -c 'while [ -e /proc/$0 ] && ! grep -q "^State:.Z" /proc/$0/status; do :; done' "$command"
	[ "$(cat last)" = alive ]
	setpriv --pdeathsig KILL "$RUN" sh -c 'echo $$ $PPID >ready; read x <hold; echo $x >last' 3>&- &
	read -r command launcher <ready
	kill -KILL "$launcher"
	wait $! || true
	timeout 30 sh -c 'while [ -e /proc/$0 ] && ! grep -q "^State:.Z" /proc/$0/status; do :; done' "$command"
}
