#!/usr/bin/env bats
# Tests that a command under rtrack-run has the same environment as without rtrack-run
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# prints_the_same: fails unless a command prints the same without rtrack-run, under rtrack-run, and under rtrack-run
# without the library.
prints_the_same() {
	"$@" >bare 3>&-
	"$RUN" "$@" >tracked 3>&-
	"$RUN" --no-preload "$@" >outside 3>&-
	[ -s bare ]
	diff bare tracked
	diff bare outside
}

# preloaded: prints the path that rtrack-run preloads. AddressSanitizer takes the path for its own library. If this
# machine can run programs of other machines, the path contains $PLATFORM, which the loader replaces.
preloaded() {
	local place=$BUILD/rtrack/with-libasan.so-and-libclang_rt.asan
	if [ -x /lib/ld-linux.so.2 ] || command -v qemu-aarch64 qemu-arm >/dev/null; then
		printf '%s\n' "$place/\$PLATFORM/librtrack.so"
	else
		printf '%s\n' "$place/librtrack.so"
	fi
}

@test "rtrack-run: only RTRACK_RUN and LD_PRELOAD are added to the environment" {
	not_in_qemu "it turns the order of the environment"
	set -- env -i "PATH=$PATH" B=2 A=1 Z= "RTRACK_SPOOL=$RTRACK_SPOOL" C='x
y'
	"$@" env >bare
	"$@" "$RUN" env | grep -v '^RTRACK_RUN=\|^LD_PRELOAD=' >tracked
	diff bare tracked
	"$@" "$RUN" env | grep -qFx "LD_PRELOAD=$(preloaded)"
	"$@" "$RUN" --no-preload env | grep -v '^RTRACK_RUN=' >outside
	diff bare outside
}

@test "rtrack-run: puts the library once before the old value of LD_PRELOAD" {
	other=/nowhere/libother.so
	ours=$(preloaded)
	LD_PRELOAD=$other "$RUN" env 2>/dev/null | grep -qFx "LD_PRELOAD=$ours:$other"
	LD_PRELOAD=$ours "$RUN" env 2>/dev/null | grep -qFx "LD_PRELOAD=$ours"
	LD_PRELOAD="$ours $other" "$RUN" env 2>/dev/null | grep -qFx "LD_PRELOAD=$ours $other"
	LD_PRELOAD=$other "$RUN" --no-preload env 2>/dev/null | grep -qFx "LD_PRELOAD=$other"
	LD_PRELOAD=$other RTRACK=off "$RUN" env 2>/dev/null | grep -qFx "LD_PRELOAD=$other"
}

@test "rtrack-run: the command inherits exactly the descriptors of its caller" {
	cat >list <<-'END'
		find /proc/self/fd -printf '%f %l\n' | sed 's/[0-9]\{3,\}/N/g' | sort
	END
	prints_the_same sh list 5</etc/passwd 7>/dev/null
	prints_the_same bash -c 'exec 9</dev/null; . ./list'
}

@test "rtrack-run: closed standard descriptors stay closed" {
	cat >list <<-'END'
		for descriptor in 0 1 2; do
			[ -e /proc/$$/fd/$descriptor ] && echo "$descriptor is open" >>"$1"
		done
		echo end >>"$1"
		exit 3
	END
	for way in bare tracked outside; do
		case $way in
		bare) set -- ;;
		tracked) set -- "$RUN" ;;
		outside) set -- "$RUN" --no-preload ;;
		esac
		for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
			status=0
			bash -c '"$@" '"$closed" bash "$@" sh list $way 3>&- || status=$?
			[ "$status" = 3 ]
		done
	done
	diff bare tracked
	diff bare outside
}

@test "rtrack-run: the command inherits signals, limits, umask, group and session" {
	not_in_qemu "signals that are ignored are not, where a guest executes another program"
	not_with_threads_sanitized
	cat >list <<-'END'
		grep -E '^(Sig[BIC]|Umask|NoNewPrivs|Seccomp|Cap|Threads|Cpus_allowed)' /proc/self/status
		cat /proc/self/limits
		sed 's/.*) //' /proc/self/stat | cut -d' ' -f3-6,15-17
		cat /proc/self/cgroup /proc/self/oom_score_adj
		pwd
		umask
	END
	prints_the_same sh list
	prints_the_same sh -c 'trap "" HUP USR1 CHLD; umask 027; nice -n 3 "$@"' sh sh list
}

@test "rtrack-run: ignored and blocked signals stay ignored and blocked in the command" {
	not_in_qemu "signals that are ignored are not, where a guest executes another program"
	not_with_threads_sanitized
	cat >list <<-'END'
		use POSIX;
		$SIG{$_} = "IGNORE" for qw(HUP INT CHLD PIPE USR2);
		POSIX::sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGTERM, SIGCHLD, 40));
		exec @ARGV;
	END
	for tracker in '' "$RUN" "$RUN --no-preload"; do
		perl list $tracker grep ^Sig[BIC] /proc/self/status
	done >states
	[ "$(sort -u states | wc -l)" = 3 ]
	[ "$(wc -l <states)" = 9 ]
	grep -q 'SigBlk:.*[1-9a-f]' states
}

@test "rtrack-run: the exit status is right even if the caller ignores SIGCHLD" {
	status=0
	perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$RUN" sh -c 'exit 44' || status=$?
	[ "$status" = 44 ]
}

@test "rtrack-run: a timer that the caller set goes off in the command" {
	status=0
	perl -e '$SIG{ALRM} = "DEFAULT"; alarm 1; exec @ARGV' "$RUN" sleep 50 || status=$?
	[ "$status" = 142 ]
	status=0
	perl -e '$SIG{ALRM} = "DEFAULT"; alarm 1; exec @ARGV' "$RUN" perl -e '$SIG{ALRM} = sub { exit 12 }; sleep 50 while 1' || status=$?
	[ "$status" = 12 ]
}

@test "rtrack-run: standard input reaches the command" {
	head -c 3000000 /dev/urandom >input
	"$RUN" cat <input | cmp - input
	cat input | "$RUN" wc -c | grep -qx 3000000
	"$RUN" cat </dev/null >output
	[ ! -s output ]
}

@test "rtrack-run: binary output is unchanged" {
	head -c 3000000 /dev/urandom >input
	"$RUN" sh -c 'cat input; cat input >&2' >out 2>err
	cmp out input
	cmp err input
}

@test "rtrack-run: if the command closes stdin, a process that writes to stdin notices" {
	mkfifo done
	(
		yes 2>/dev/null || true
		echo ended >done
	) 3>&- | "$RUN" bash -c 'exec </dev/null 4<>done; read -t 20 word <&4; [ "$word" = ended ]' 3>&-
}

@test "rtrack-run: if the command closes stdout, a process that reads stdout notices" {
	mkfifo done
	"$RUN" bash -c 'exec >/dev/null 4<>done; read -t 20 word <&4; [ "$word" = ended ] && echo good >&2' 2>told 3>&- | (
		cat
		echo ended >done
	) 3>&-
	[ "$(cat told)" = good ]
}

@test "rtrack-run: does not wait for a daemon that the command starts" {
	mkfifo hold
	timeout 20 "$RUN" sh -c '(exec >/dev/null 2>&1 3>&-; read x <hold) & echo $! >daemon; exit 8' 3>&- || status=$?
	[ "$status" = 8 ]
	kill -0 "$(cat daemon)"
	echo >hold
}

@test "rtrack-run: finds the library in its folder or prefix, or runs without it" {
	mkdir -p prefix/bin prefix/lib 'with space'
	cp "$RUN"* prefix/bin
	cp "$BUILD/librtrack.so" prefix/lib
	prefix/bin/rtrack-run env | grep -qx "LD_PRELOAD=$PWD/prefix/lib/librtrack.so"
	mv prefix/lib/librtrack.so prefix/bin
	prefix/bin/rtrack-run env | grep -qx "LD_PRELOAD=$PWD/prefix/bin/librtrack.so"
	cp "$RUN"* "$BUILD/librtrack.so" 'with space'
	run env -u LD_PRELOAD 'with space/rtrack-run' env
	[ "$status" = 0 ]
	[[ "$output" != *LD_PRELOAD* ]]
	[[ "$output" = *RTRACK_RUN* ]]
}

@test "rtrack-run: a program linked with gcc's AddressSanitizer runs" {
	need gcc
	echo 'int main(void) { return 21; }' >small.c
	gcc -fsanitize=address -o small small.c
	status=0
	ASAN_OPTIONS=detect_leaks=0 "$RUN" ./small 2>err || status=$?
	cat err
	[ "$status" = 21 ]
	[ ! -s err ]
	mkdir path
	mv small path
	status=0
	ASAN_OPTIONS=detect_leaks=0 PATH=$PATH:$PWD/path "$RUN" small || status=$?
	[ "$status" = 21 ]
	env -u ASAN_OPTIONS "$RUN" sh -c '[ -z "$ASAN_OPTIONS" ]'
}

@test "rtrack-run: AddressSanitizer programs of gcc and clang run under sh and make" {
	need gcc
	export ASAN_OPTIONS=detect_leaks=0
	# Without rtrack-run, the library works under the same file name that rtrack-run uses.
	LIBRARY=$BUILD/rtrack/with-libasan.so-and-libclang_rt.asan/librtrack.so
	printf '%s\n' '#include <stdlib.h>' '#include <sys/wait.h>' 'int main(int n, char **a) { (void)a; free(malloc(9)); return n > 1 ? 5 : system("exit 3") >> 8; }' >small.c
	gcc -fsanitize=address -o gcc-asan small.c
	runtime=$(clang -print-file-name="libclang_rt.asan-$(uname -m).so" 2>/dev/null) || :
	clang -fsanitize=address -shared-libasan -Wl,-rpath,"$(dirname "$runtime")" -o clang-asan small.c 2>/dev/null && ./clang-asan 1 ||
		[ $? = 5 ] || rm -f clang-asan
	for program in ./gcc-asan $([ ! -e clang-asan ] || echo ./clang-asan); do
		same_every_way "$program"
		bare_status_is 3
		same_every_way sh -c '"$0"; "$0" 1; echo $?' "$program"
		printf 'all:\n\t@%s 1; echo $$?\n' "$program" >Makefile
		same_every_way make -s
	done
	[ "${SANITIZER:-}" != thread ] || return 0 # rtrack-run itself would contain both sanitizers
	runtime=$(gcc -print-file-name=libasan.so)
	WAYS_PREFIX=(env "LD_PRELOAD=$runtime")
	LIBRARIES=$LIBRARY:$runtime same_every_way sh -c 'echo $((6 * 7)); exit 4'
	bare_status_is 4
}

@test "rtrack-run: a script that searches command lines for its name finds one process" {
	need pgrep
	not_in_qemu "its own command line has the words of all"
	printf '%s\n' '#!/bin/sh' 'pgrep -fc "$0"' 'exit 3' >only-one.sh
	chmod +x only-one.sh
	for way in env "$RUN" "$RUN --no-preload --retry-on-oom 1 --max-memory 1G"; do
		status=0
		# shellcheck disable=SC2086 # words
		$way "$PWD/only-one.sh" a "b c" '' >found || status=$?
		[ "$status" = 3 ]
		[ "$(cat found)" = 1 ]
	done
	# The command receives its arguments unchanged.
	[ "$("$RUN" printf '%s|' a "b c" '' d)" = 'a|b c||d|' ]
}

@test "rtrack-run: LISTEN_PID and other pid variables of systemd name the command" {
	cat >show <<-'END'
		for name in LISTEN_PID WATCHDOG_PID SYSTEMD_EXEC_PID; do
			eval "[ \"\$$name\" = $$ ]" && echo "$name"
		done
		echo "$LISTEN_FDS/${LISTEN_PIDFDID-none}/$OTHER_PID"
	END
	start='export LISTEN_PID=$$ WATCHDOG_PID=$$ SYSTEMD_EXEC_PID=$$ LISTEN_FDS=1 OTHER_PID=7; exec "$@"'
	prints_the_same sh -c "$start" sh env sh show
	# If LISTEN_PIDFDID is set, the variables contain the pid of the process that systemd started, as without
	# rtrack-run.
	for way in "" --no-preload; do
		LISTEN_PIDFDID=4711 sh -c "$start" sh "$RUN" $way sh show >tracked
		diff bare tracked
		LISTEN_PID=1 WATCHDOG_PID=1 SYSTEMD_EXEC_PID=1 LISTEN_PIDFDID=4711 "$RUN" $way sh show | grep -qx /4711/
	done
}

@test "rtrack-run: systemd-socket-activate passes its socket to the command" {
	need systemd-socket-activate
	printf '%s\n' 'import os, socket' 'ours = os.environ["LISTEN_PID"] == str(os.getpid())' \
		's = socket.socket(fileno=3)' 'c, _ = s.accept()' 'c.sendall(b"taken" if ours else b"refused")' >server.py
	systemd-socket-activate -l "$PWD/socket" "$RUN" python3 server.py 3>&- 2>/dev/null &
	for _ in {1..100}; do
		[ ! -S socket ] || break
		sleep 0.05
	done
	python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("socket"); print(s.recv(9).decode())' >answer
	wait
	[ "$(cat answer)" = taken ]
}

@test "rtrack-run: a command line of the maximum length is executed" {
	not_in_qemu "it adds words of its own to command lines"
	cat >fit.py <<-'END'
		import os, subprocess, sys
		def status(command, length):
		    words = ["x" * 1000] * (length // 1000) + ["x" * (length % 1000)]
		    try:
		        return subprocess.run(command + words, stdout=subprocess.DEVNULL).returncode
		    except OSError:
		        return None
		command, low, high = sys.argv[1:], 0, 1 << 22
		while high - low > 1:
		    middle = (low + high) // 2
		    low, high = (low, middle) if status(command, middle) is None else (middle, high)
		print(status(command, low), status(command, low - 60))
	END
	(
		ulimit -s 1024
		RTRACK_MIN_SECONDS=0 python3 fit.py "$RUN" /bin/echo
	) | grep -qx '0 0'
	run=$(ls -d "$RTRACK_SPOOL"/*/ | tail -n 1)
	[ "$(json exit_code "$run/run.json")" = 0 ]
	[ "$(json status "$run/run.json")" = finished ]
}
