#!/usr/bin/env bats
# Tests of calls that would affect the library's thread in the host, or that the thread would affect. Before such a
# call, the root of a preloaded run hands sampling over to a separate process.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

@test "a seccomp filter does not kill the program for system calls of the tracker" {
	export RTRACK_INTERVAL=0.001
	seccomp=$(victim seccomp)
	for how in prctl syscall all; do
		same_every_way "$seccomp" $how
		bare_status_is 7
		bare_says alive
		same_every_way sh -c '"$0" "$1"; echo "$?"; exit 3' "$seccomp" $how
		bare_status_is 3
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
}

@test "a filter set by a direct seccomp call refuses only system calls of the tracker" {
	export RTRACK_INTERVAL=0.001
	same_every_way "$(victim seccomp)" inline
	bare_status_is 7
	bare_says alive
	same_every_way sh -c '"$0" inline; echo "$?"; exit 3' "$(victim seccomp)"
	bare_status_is 3
}

@test "a program executed behind a seccomp filter runs without the library" {
	cat >"$BATS_TEST_TMPDIR/filter.c" <<-'END'
		#include <linux/filter.h>
		#include <linux/seccomp.h>
		#include <stddef.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <sys/wait.h>
		#include <unistd.h>

		/* getrusage kills the process: the library calls it, and sh does not. */
		int main(int count, char **arguments)
		{
			struct sock_filter rows[] = {
				BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
				BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getrusage, 0, 1),
				BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
				BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
			};
			struct sock_fprog program = {sizeof rows / sizeof *rows, rows};
			const char *how = arguments[1];
			if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
				return 77;
			if (strstr(how, "seccomp") ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
						   : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
				return 77;
			if (strstr(how, "system"))
				return system("echo in; sh -c 'exit 3'") >> 8;
			if (strstr(how, "fork") && fork() != 0) {
				int status;
				wait(&status);
				_exit(status >> 8);
			}
			execlp("sh", "sh", "-c", "echo in; sh -c 'exit 3'", (char *)0);
			return 78;
		}
	END
	${CC:-cc} -o "$BATS_TEST_TMPDIR/filter" "$BATS_TEST_TMPDIR/filter.c"
	for how in prctl seccomp prctl_fork seccomp_fork prctl_system; do
		same_every_way "$BATS_TEST_TMPDIR/filter" $how
		[ "$(cat "$BATS_TEST_TMPDIR/bare.status")" != 77 ] || skip "no filter may be set here"
		bare_status_is 3
		bare_says '^in$'
	done
	if firejail --quiet --noprofile --private-tmp --seccomp true 2>/dev/null; then
		same_every_way firejail --quiet --noprofile --private-tmp --seccomp sh -c 'seq 3000 | sort | tail -n 1; exit 3'
		bare_status_is 3
	fi
}

# bats test_tags=root
@test "after setuid, no thread of the program keeps the old user" {
	as_root "give up being root"
	same_every_way "$(victim credentials)" 65534
	bare_says "$(printf 'Uid:\t65534\t65534\t65534\t65534')"
	[ "$(grep -c Uid: "$BATS_TEST_TMPDIR/preload.out")" = 1 ]
}

@test "unshare of a user namespace works, and programs in the namespace are recorded" {
	unshare -Ur true 2>/dev/null || skip "user namespaces are not allowed here"
	same_every_way unshare -Ur sh -c 'id -u; exit 5'
	bare_status_is 5
	bare_says 0
	run=$(run_of preload)
	grep -q '/sh"\|dash"' "$run/start.csv"
}

@test "a call of syscall() with an invalid number does not end the sampling thread" {
	for way in bare preload; do
		one_way $way perl -e 'syscall(-1); print scalar(() = glob("/proc/self/task/*")), "\n"'
	done
	[ "$(cat "$BATS_TEST_TMPDIR/bare.out") $(cat "$BATS_TEST_TMPDIR/preload.out")" = "1 2" ]
}

@test "a fork in Python 3.12 does not warn of a second thread" {
	cd "$BATS_TEST_TMPDIR"
	cat >python.c <<-'END'
		#include <dirent.h>
		#include <stdio.h>
		#include <sys/wait.h>
		#include <unistd.h>

		const unsigned long Py_Version = VERSION;

		static int threads(void)
		{
			int count = -2;
			DIR *tasks = opendir("/proc/self/task");
			while (readdir(tasks))
				count++;
			closedir(tasks);
			return count;
		}

		int main(void)
		{
			int before = threads();
			if (fork() == 0)
				_exit(0);
			printf("%d %d\n", before, threads());
			return wait(NULL) < 0;
		}
	END
	for version in 0x030b02f0 0x030c00f0; do
		${CC:-cc} -D VERSION=$version -rdynamic -o python-$version python.c
		one_way preload ./python-$version
		mv preload.out $version.out
	done
	[ "$(cat 0x030b02f0.out), $(cat 0x030c00f0.out)" = "2 2, 2 1" ]
}

@test "after a fork in Python 3.12, sampling continues" {
	cd "$BATS_TEST_TMPDIR"
	cat >python.c <<-'END'
		#include <dirent.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/wait.h>
		#include <time.h>
		#include <unistd.h>

		const unsigned long Py_Version = 0x030c00f0;

		static int (*pending)(void *);

		int Py_AddPendingCall(int (*function)(void *), void *argument)
		{
			if (pending || argument)
				return -1;
			pending = function;
			return 0;
		}

		static int threads(void)
		{
			int count = -2;
			DIR *tasks = opendir("/proc/self/task");
			while (readdir(tasks))
				count++;
			closedir(tasks);
			return count;
		}

		static void burn(double seconds)
		{
			clock_t until = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
			while (clock() < until)
				;
		}

		int main(int count, char **arguments)
		{
			int status, wrong = 0, forks = atoi(arguments[count - 1]);
			for (int i = 0; i < forks; i++) {
				int before = threads();
				if (fork() == 0) {
					burn(0.01);
					_exit(0);
				}
				int after = threads();
				if (pending)
					pending(NULL);
				pending = NULL;
				wrong += wait(&status) < 0 || before != 2 || after != 1 || threads() != 2;
			}
			burn(0.2);
			printf("%d wrong\n", wrong);
			return 4;
		}
	END
	${CC:-cc} -rdynamic -o python python.c
	export RTRACK_INTERVAL=0.01
	for prefix in '' 'unshare -pf --mount-proc'; do
		# shellcheck disable=SC2206 # words of a command
		WAYS_PREFIX=($prefix)
		[ -z "$prefix" ] || $prefix true 2>/dev/null || continue
		one_way preload ./python 20
		[ "$(cat preload.status) $(cat preload.out)" = "4 0 wrong" ]
		run=$(run_of preload)
		# The run ends with its root, and no other process takes over sampling.
		[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 4" ]
		[ ! -e "$run/.lock" ]
		near "$(total "$run" cpu_seconds)" 0.4 0.05 0.1
		near "$(awk -F, 'NR > 1 { sum += $5 + $6 } END { print sum }' "$run/exit.csv")" "$(total "$run" cpu_seconds)" 0.05
		[ "$(column "$run/exit.csv" pid | sort -u | wc -l)" = 21 ]
		# There are rows between the forks and after the last fork.
		[ "$(rows_in "$run/process.csv")" -ge 10 ]
		[ "$(awk -F, -v pid="$(json pid "$run/run.json")" '$2 == pid { print $14 $16 $17 }' "$run/exit.csv")" = '4"self"1' ]
		rm -r "$(spool_of preload)"
	done
}

@test "a fork in the installed Python does not warn of a second thread" {
	cd "$BATS_TEST_TMPDIR"
	for way in bare preload launcher; do
		one_way $way python3 -W always -c 'import os, time; time.sleep(0.1); os._exit(3) if os.fork() == 0 else print(os.waitpid(-1, 0)[1])'
	done
	diff bare.err preload.err
	diff bare.err launcher.err
	diff bare.out preload.out
	diff bare.out launcher.out
	[ "$(cat bare.out)" = 768 ]
}

# bats test_tags=root
@test "setpriv and su behave the same when tracked" {
	as_root "become another user"
	setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$BUILD/librtrack.so" ||
		skip "the library is in a directory that others may not enter, so there it is missing"
	same_every_way setpriv --reuid 65534 --regid 65534 --clear-groups id
	same_every_way su nobody -s /bin/sh -c 'id -un; exit 4'
	bare_status_is 4
}

@test "a vfork child that forks is not mistaken for its parent" {
	odd=$(victim odd)
	for RTRACK_INTERVAL in 0.01 0.1 1; do
		export RTRACK_INTERVAL
		same_every_way "$odd" "lodgers fork"
		bare_status_is 3
		for way in preload launcher; do
			[ "$(total "$(run_of $way)" processes)" = 61 ]
			[ "$(total "$(run_of $way)" exact)" = true ]
			rm -r "$(spool_of $way)"
		done
	done
}

@test "functions that a program finds by dlsym in libc.so.6 are still tracked" {
	[ -e "$(ldconfig -p 2>/dev/null | sed -n 's/.*libc.so.6 .*=> //p' | head -n 1)" ] || skip "the C library has another name"
	find='import ctypes, os; c = ctypes.CDLL("libc.so.6")'
	while read -r call status state; do
		same_every_way python3 -c "$find; print(c.$call, flush=True)"
		bare_status_is "$status"
		for way in preload launcher; do
			[ "$(json status "$(run_of $way)/run.json")" = "$state" ]
			rm -r "$(spool_of $way)"
		done
	done <<-'END'
		unshare(0x10000000) 0 finished
		_exit(3) 3 failed
		syscall(231,5) 5 failed
		execv(b"/bin/sh",(ctypes.c_char_p*4)(b"sh",b"-c",b"exit\x204",None)) 4 failed
	END
}

# bats test_tags=root
@test "setuid found by dlsym in libc.so.6 leaves no thread with root's rights" {
	as_root "give up being root"
	same_every_way python3 -c "import ctypes, os; ctypes.CDLL('libc.so.6').setuid(65534)
for thread in os.listdir('/proc/self/task'):
    print([line.split() for line in open('/proc/self/task/%s/status' % thread) if line.startswith(('Uid', 'CapEff'))])"
	bare_says 65534
}

@test "libraries that wrap libc functions still call libc, not the tracker" {
	cat >"$BATS_TEST_TMPDIR/counts.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <unistd.h>

		int kill(pid_t pid, int signal)
		{
			static int (*real)(pid_t, int);

			if (!real)
				*(void **)&real = dlsym(dlopen("libc.so.6", RTLD_LAZY), "kill");
			return write(1, "kill\n", 5) == 5 ? real(pid, signal) : -1;
		}

		int execve(const char *path, char *const *arguments, char *const *environment)
		{
			int (*real)(const char *, char *const *, char *const *);

			*(void **)&real = dlsym(RTLD_NEXT, "execve");
			return write(1, "execve\n", 7) == 7 ? real(path, arguments, environment) : -1;
		}
	END
	counts=$BATS_TEST_TMPDIR/counts.so
	${CC:-cc} -shared -fPIC -o "$counts" "$BATS_TEST_TMPDIR/counts.c" -ldl
	job='kill -0 $$; sh -c "kill -0 \$PPID"; exec sh -c "exit 3"'
	LIBRARIES=$counts one_way preload sh -c "$job"
	for part in status out err; do
		mv "$BATS_TEST_TMPDIR/preload.$part" "$BATS_TEST_TMPDIR/bare.$part"
	done
	bare_status_is 3
	bare_says kill
	for LIBRARIES in "$LIBRARY:$counts" "$counts:$LIBRARY"; do
		one_way preload sh -c "$job"
		looks_bare preload
		[ "$(json status "$(run_of preload)/run.json")" = failed ]
		rm -r "$(spool_of preload)"
	done
}

# bats test_tags=root
@test "if a program gives up rights by direct system calls, so does the tracker" {
	as_root "give up rights"
	cat >"$BATS_TEST_TMPDIR/drops.c" <<-'END'
		#include <unistd.h>

		int drops(void)
		{
			return setuid(65534);
		}
	END
	${CC:-cc} -shared -fPIC -o "$BATS_TEST_TMPDIR/drops.so" "$BATS_TEST_TMPDIR/drops.c"
	cat >"$BATS_TEST_TMPDIR/drops.py" <<-'END'
		import ctypes, os, sys, time
		print(ctypes.CDLL(sys.argv[1], mode=os.RTLD_NOW | os.RTLD_DEEPBIND).drops())
		def lines(thread):
		    try:
		        return open("/proc/self/task/%s/status" % thread).readlines()
		    except (FileNotFoundError, ProcessLookupError):  # The process is just ending.
		        return []
		def users():
		    return {line for thread in os.listdir("/proc/self/task") for line in lines(thread) if line.startswith("Uid")}
		deadline = time.monotonic() + 20
		while len(users()) > 1 and time.monotonic() < deadline:
		    time.sleep(0.005)
		print(users())
		sys.exit(3)
	END
	same_every_way python3 "$BATS_TEST_TMPDIR/drops.py" "$BATS_TEST_TMPDIR/drops.so"
	bare_status_is 3
	await_end preload
	[ "$("$BUILD/rtrack-report" stats --format json "$(run_of preload)" | jq -r .run.status)" != killed ]
}

@test "behind a seccomp filter, kill of a missing group makes no extra system call" {
	cat >"$BATS_TEST_TMPDIR/filtered.c" <<-'END'
		#include <linux/filter.h>
		#include <linux/seccomp.h>
		#include <signal.h>
		#include <stddef.h>
		#include <stdio.h>
		#include <sys/prctl.h>
		#include <sys/syscall.h>
		#include <unistd.h>

		int main(void)
		{
			struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
				BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
				BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
			struct sock_fprog program = {4, filter};

			if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
				return 9;
			printf("%d %d\n", kill(-(1 << 22), 0), killpg(1 << 22, 0));
			return 3;
		}
	END
	${CC:-cc} -o "$BATS_TEST_TMPDIR/filtered" "$BATS_TEST_TMPDIR/filtered.c"
	same_every_way "$BATS_TEST_TMPDIR/filtered"
	bare_status_is 3
	bare_says '^-1 -1$'
}

@test "in a user namespace with other file owners, a process still records its end" {
	unshare -U true 2>/dev/null || skip "no user namespace can be made here"
	for map in "" "0 $(id -u) 1"; do
		LD_PRELOAD=$LIBRARY RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool python3 -c "import ctypes, os
assert ctypes.CDLL(None).unshare(0x10000000) == 0
if '$map': open('/proc/self/uid_map', 'w').write('$map')
os._exit(3)" && false
		run=$(only_run)
		[ "$(awk -F, -v pid="$(json pid "$run/run.json")" '$2 == pid && $14 $15 != "" { print $14 $16 }' "$run/exit.csv")" = '3"self"' ]
		rm -r "$RTRACK_SPOOL"
	done
}
