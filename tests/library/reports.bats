#!/usr/bin/env bats
# Tests of small cases that reproduce public bug reports about other trackers, wrappers and preloaded libraries (listed
# in docs/neighbours.md)

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_INTERVAL=0.05 RTRACK_MIN_SECONDS=0
}

# same NUMBER SCRIPT [ARG…]: a shell script behaves the same untracked, under LD_PRELOAD and under rtrack-run. NUMBER
# names the report.
same() {
	echo "report $1"
	same_every_way sh -c "${@:2}"
	rm -rf "$(spool_of preload)" "$(spool_of launcher)"
}

# both NUMBER COMMAND…: runs the command tracked both ways, and sets $preload and $launcher to the run directories.
both() {
	echo "report $1"
	rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	both_beside "${@:2}"
	preload=$(run_of preload) launcher=$(run_of launcher)
}

# each FILTER: the JSON of `show` meets this jq condition for both runs.
each() {
	local run
	for run in "$preload" "$launcher"; do
		"$BUILD/rtrack-report" show --format json "$run" | jq -e "$1" >/dev/null || {
			"$BUILD/rtrack-report" show -v "$run"
			return 1
		}
	done
}

@test "known bugs of wrappers: terminal, session, signals and status are unchanged" {
	same 1 'for fd in 0 1 2; do test -t $fd; echo $?; done; file=$(readlink /proc/$$/fd/1); echo "${file##*.}"'
	same 2 '[ "$(ps -o sid= -p $$)" = "$(ps -o sid= -p $PPID)" ] && [ "$(ps -o tty= -p $$)" = "$(ps -o tty= -p $PPID)" ]; echo $?'
	same 3 'trap "echo hup" HUP; trap "echo cont" CONT; sleep 0.2; echo end'
	for status in 126 127 128 255; do
		same 5 "exit $status"
	done
	same 6 'trap "echo usr1" USR1; (sleep 0.1; kill -USR1 $$) & sleep 0.3 & wait $!; echo $?; wait; exit 3'
	same 7 'setsid sh -c "sleep 0.1; exit 4" & wait $!; echo $?'
	same 8 'sh -c "kill -KILL \$\$"; echo $?; sh -c "kill -TERM \$\$"; echo $?'
	same 9 'cat; echo end' </dev/null
	same 10 'for i in 1 2 3 4 5 6 7 8; do (sleep 0.1 &) ; done; sleep 0.3; ps -o stat= --ppid $PPID | grep -c Z'
}

@test "known bugs of wrappers: rtrack-run goes on if the command handles a signal" {
	for signal in USR1 USR2 HUP WINCH; do
		"$BUILD/rtrack-run" sh -c 'trap "echo got" '"$signal"'; echo ready; i=0; while [ $i -lt 40 ]; do sleep 0.05; i=$((i + 1)); done; exit 7' >"out.$signal" 2>&1 3>&- &
		until grep -qs ready "out.$signal"; do sleep 0.02; done
		kill -"$signal" $!
		status=0
		wait $! || status=$?
		[ "$status" = 7 ]
		[ "$(grep -c got "out.$signal")" = 1 ]
	done
}

@test "known bugs of wrappers: stdin reaches the command, and PDEATHSIG works" {
	printf 'one\ntwo\n' >lines
	for way in "" "$BUILD/rtrack-run" "env LD_PRELOAD=$LIBRARY"; do
		[ "$( { $way sh -c 'read -r line; echo "$line"'; cat; } <lines)" = $'one\ntwo' ]
	done
	status=0
	timeout 10 "$BUILD/rtrack-run" </dev/null 2>said || status=$?
	[ "$status" = 125 ]
	[ "$(wc -l <said)" = 1 ]
	need python3
	echo 'import ctypes, os, time; ctypes.CDLL(None).prctl(1, 9); open("pid", "w").write(str(os.getpid())); time.sleep(60)' >dies.py
	"$BUILD/rtrack-run" python3 dies.py 3>&- &
	until [ -s pid ]; do sleep 0.05; done
	kill -KILL $!
	wait $! || true
	for _ in {1..100}; do
		[ -d "/proc/$(cat pid)" ] || return 0
		sleep 0.05
	done
	return 1
}

@test "known bugs of preloading: programs that clear their environment are unchanged" {
	same 11 'env -i LD_PRELOAD="$LD_PRELOAD" /bin/sh -c "echo \${HOME-none}; exit 5"'
	libc=$(ldd /bin/sh | sed -n 's/.*=> \(.*libc\.so\.6\).*/\1/p')
	if [ -x "$libc" ]; then
		same 12 "$libc | head -1"
	fi
	need less
	same 13 'cat /etc/passwd | less -F | wc -l'
	need perl
	same 14 "perl -we 'local \$ENV{EXAMPLE}=\"set\"; exec \"printenv\", \"EXAMPLE\"'"
	same 14 "perl -we '\$ENV{EXAMPLE}=\"set\"; system \"printenv EXAMPLE\"; print \`printenv EXAMPLE\`'"
	same 15 'export LD_PRELOAD=; env true; sh -c "exit 6"'
	same 16 'unset LD_PRELOAD; exec sh -c "exit 6"'
	same 17 'PATH=/nonexistent; /bin/true; /bin/sh -c "exit 2"'
	same 18 'seq 300000 | wc -l; seq 300000 | head -1'
	cat >environ.c <<-'END'
		#include <stdio.h>
		#include <stdlib.h>
		extern char **environ;
		int main(void)
		{
			int found = 0;
			setenv("ADDED", "1", 1);
			for (char **entry = environ; *entry; entry++)
				found += (*entry)[0] == 'A' && (*entry)[1] == 'D';
			printf("%d %s\n", found, getenv("GIVEN"));
			fflush(stdout);
			return system("printenv ADDED GIVEN") >> 8;
		}
	END
	for flags in "-no-pie -fno-pic" "-fpie -pie"; do
		# shellcheck disable=SC2086 # flags
		"${CC:-cc}" $flags -o environ environ.c 2>/dev/null || continue
		GIVEN=before same 19 ./environ
	done
}

@test "known bugs of preloading: a process with many threads can fork" {
	need python3
	cat >forks.py <<-'END'
		import os, threading
		def work():
		    for _ in range(40):
		        pid = os.fork()
		        if pid == 0:
		            os._exit(3)
		        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
		threads = [threading.Thread(target=work) for _ in range(8)]
		[thread.start() for thread in threads]
		[thread.join() for thread in threads]
		print("done")
	END
	same 20 'python3 -W ignore forks.py'
	cat >semaphores.py <<-'END'
		import multiprocessing as mp
		def work(lock, i):
		    with lock:
		        return None
		if __name__ == "__main__":
		    mp.set_start_method("spawn")
		    lock = mp.Semaphore(1)
		    workers = [mp.Process(target=work, args=(lock, i)) for i in range(3)]
		    [worker.start() for worker in workers]
		    [worker.join() for worker in workers]
		    print([worker.exitcode for worker in workers])
	END
	same 21 'python3 semaphores.py'
	echo 'import subprocess, time; p = subprocess.Popen(["true"]); time.sleep(0.3); print(open(f"/proc/{p.pid}/stat").read().split()[2])' >zombie.py
	same 22 'python3 zombie.py 2>/dev/null'
}

@test "known bugs of figures: CPU time includes all processes, serial and parallel" {
	burn=$(victim burn)
	both 23 sh -c 'for i in 1 2 3 4; do "$0" 0.1; done' "$burn"
	each '.totals.cpu_seconds > 0.37 and .totals.cpu_seconds < 0.6'
	both 24 sh -c 'for i in 1 2 3; do "$0" 0.15 & done; wait' "$burn"
	each '.totals.cpu_seconds > 0.42 and .totals.cpu_seconds < 0.65 and .totals.processes >= 4'
	both 25 sh -c 'i=0; while [ $i -lt 200 ]; do env true; i=$((i + 1)); done'
	each '.totals.processes >= 201 and .totals.exact_cpu and .run.status == "finished"'
	both 26 sh -c '(sh -c "kill -9 \$\$"); sleep 0.2; exit 0'
	each '.totals.ended_unseen <= 1 and .totals.still_running == null and .run.status == "finished"'
}

@test "known bugs of figures: short peaks count, and shared pages count once" {
	need python3
	echo 'import time; time.sleep(0.12); x = bytearray(200 << 20); del x; time.sleep(0.2)' >spike.py
	RTRACK_INTERVAL=5 both 27 python3 spike.py
	each '.totals.peak_memory_mib > 195 and .totals.peak_memory_mib < 260'
	cat >shares.py <<-'END'
		import os, time
		x = bytearray(b"x") * (200 << 20)
		for _ in range(4):
		    if os.fork() == 0:
		        time.sleep(0.4)
		        os._exit(0)
		for _ in range(4):
		    os.wait()
	END
	both 28 python3 shares.py
	each '.totals.peak_memory_mib > 195 and .totals.peak_memory_mib < 280'
	head -c 150M /dev/zero >file
	both 29 sh -c 'cat file file >/dev/null; sleep 0.2'
	each '.totals.peak_memory_mib < 20'
	echo 'import os, sys; x = bytearray(b"x") * (300 << 20); os.execvp(sys.argv[1], sys.argv[1:])' >large.py
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
	done
	RTRACK_SPOOL=$(spool_of preload) python3 large.py env "LD_PRELOAD=$LIBRARY" sleep 0.2
	RTRACK_SPOOL=$(spool_of launcher) python3 large.py "$BUILD/rtrack-run" sleep 0.2
	preload=$(run_of preload) launcher=$(run_of launcher)
	each '.totals.peak_memory_mib < 20'
	for run in "$preload" "$launcher"; do
		paste -d, <(column "$run/process.csv" memory_mib) <(column "$run/process.csv" rss_mib) |
			awk -F, '$1 != "" && $2 != "" && $1 > $2 + 1 { print; bad = 1 } END { exit bad }'
	done
}

@test "known bugs of figures: bytes of short processes count, also above 4 GiB" {
	both 31 sh -c 'head -c 5G /dev/zero >/dev/null; sleep 0.15'
	for run in "$preload" "$launcher"; do
		[ "$(column "$run/process.csv" read_chars | awk '{ sum += $1 } END { print (sum > 4294967296) }')" = 1 ]
	done
	both 32 sh -c 'head -c 20M /dev/urandom >"written.$$"; sync "written.$$"'
	each '.totals.disk_write_bytes >= 20000000 or .totals.disk_write_bytes == null'
	both 33 sh -c 'exit 0'
	each '.ended.memory_limit_mib == null or .ended.memory_limit_mib < 1e8'
}
