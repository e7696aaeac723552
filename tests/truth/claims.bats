#!/usr/bin/env bats
# Tests of totals that are called exact. They must be exact even if a process leaves no record. If its parent's account
# covers this process, totals must be called exact.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	BURN=$(victim burn)
	STATIC=$(victim burn "${CC:-cc}" -static)
	DIE=$(victim die)
	TOUCH=$(victim touch)
	export RTRACK_INTERVAL=3600
}

teardown() {
	[ -z "${OTHERS:-}" ] || kill -- "-$OTHERS" || true
	remove_cpu_group
	[ ! -d "${CPU_GROUP:-/nowhere}-other" ] || rmdir "$CPU_GROUP-other"
}

# claims_hold_both_ways COMMAND...: runs a command both ways, and checks that totals called exact are exact.
claims_hold_both_ways() {
	local way
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
		accounted $way "$@"
		claims_hold $way
	done
}

# exact_cpu_both_ways COMMAND...: like claims_hold_both_ways, but the CPU time must also be called exact. A process
# without a record may have left unseen children. Only rtrack-run, or a control group that no other process used, shows
# that it left none.
exact_cpu_both_ways() {
	local way
	cpu_group
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
		accounted $way "$@"
		claims_hold $way
		[ "$(total "$run" exact_cpu)" = true ] || { [ $way = preload ] && [ -z "$CPU_GROUP" ]; }
	done
	remove_cpu_group
}

# cpu_is_not_exact COMMAND...: fails if the CPU time of a command is called exact in either way of tracking.
cpu_is_not_exact() {
	local way
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
		one_way $way "$@"
		run=$(run_of $way)
		is_over "$run"
		[ "$(total "$run" exact_cpu)" = false ]
		[ "$(total "$run" missing_cpu_seconds_at_most)" = null ]
	done
}

@test "CPU time is inexact if a parent of unrecorded children ignores SIGCHLD" {
	for child in "$STATIC" "env -i $BURN"; do
		cpu_is_not_exact perl -e '$SIG{CHLD} = "IGNORE"; for (1 .. 4) { my $pid = fork; exec split / /, $ARGV[0] . " 0.1" if !$pid } 1 while wait > 0' "$child"
	done
}

@test "if orphans end between two samples, no wrong figure is called exact" {
	for child in "setsid $STATIC" "setsid env -i $BURN" "$STATIC"; do
		claims_hold_both_ways sh -c "$child 0.3 & :"
		# rtrack-run waits only for the root.
		claims_hold_both_ways sh -c "$child 0.1 & $BURN 0.4"
	done
}

# bats test_tags=root
@test "CPU time with an orphan of an unrecorded child is exact only under rtrack-run" {
	as_root "see that a control group is the run's own"
	cpu_group
	[ -n "$CPU_GROUP" ] || skip "no control group for CPU time can be made here"
	# The child is unseen, and its orphan ends between two ticks. The root waits for the end of the orphan, which
	# comes after the end of the pipe.
	local silent='env -i sh -c "\"\$0\" 0.2 & echo \$!" "$0" | { read -r pid; cat; while kill -0 "$pid" 2>/dev/null; do :; done; }'
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
		accounted $way sh -c "$silent" "$STATIC"
		claims_hold $way
		[ "$(total "$run" exact_cpu)" = false ] || [ $way = launcher ]
		[ "$(json tracker.cgroup_shared "$run/run.json")" = 0 ]
	done
}

# Other processes come and go in the control group, so it is unknown how much of its CPU time they use.
@test "the sampler's CPU time is not counted for the job, even after an exec" {
	local command CPU_SECONDS=0.05 # An unfinished tick of so many processes takes 20 ms on a busy machine.
	cd "$BATS_TEST_TMPDIR"
	mkfifo go
	"$(victim crowd "${CC:-cc}" -static)" 1500 stay <go >made 3>&- &
	exec 7>go
	wait_for test -s made
	echo '[ "$1" = 0 ] || { sleep 0.05; exec sh "$0" $(($1 - 1)); }' >chain
	export RTRACK_INTERVAL=0.02
	for command in 'exec sh chain 8' 'exec unshare -U sh -c "sleep 0.2"'; do
		rm -rf "$(spool_of preload)"
		ACCOUNTED=1 one_way bare sh -c "$command"
		accounted preload sh -c "$command"
		claims_hold preload
		near "$(total "$run" cpu_seconds)" "$(kernel bare cpu)" $CPU_SECONDS
	done
	exec 7>&-
	wait
}

# bats test_tags=root
@test "CPU time used in another control group is not called exact" {
	as_root "see that a control group is the run's own"
	cpu_group
	[ -n "$CPU_GROUP" ] || skip "no control group for CPU time can be made here"
	local other=$CPU_GROUP-other way
	mkdir "$other"
	for way in preload launcher; do
		rm -rf "$(spool_of $way)"
		# A process moves to the other group, records its usage, and leaves an unseen process there. The pipe
		# closes with the last of these processes.
		accounted $way sh -c '{ sh -c "echo \$\$ >\"\$0/cgroup.procs\"; \"\$1\" 0.3; \"\$2\" 0.4 & :" "$0" "$1" "$2"; } | cat' \
			"$other" "$BURN" "$STATIC"
		claims_hold $way
	done
	rmdir "$other"
}

# The root's guard process waits for the lock of the sampling process, which reads the control group.
# bats test_tags=root
@test "the tracker's helper process in the control group does not make totals inexact" {
	as_root "see that a control group is the run's own"
	cpu_group
	[ -n "$CPU_GROUP" ] || skip "no control group for CPU time can be made here"
	export RTRACK_INTERVAL=0.1
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	for _ in 1 2 3 4 5; do
		rm -rf "$(spool_of preload)"
		accounted preload sh -c 'cat "$1" >/dev/null & exec 3>"$1"; "$0" 0.4' "$BURN" "$BATS_TEST_TMPDIR/pipe"
		claims_hold preload
		[ "$(json tracker.cgroup_shared "$run/run.json")" = 0 ]
		[ "$(total "$run" exact)" = true ]
	done
}

# bats test_tags=root
@test "if short sandboxes have PID namespaces, no wrong figure is called exact" {
	as_root "make a PID namespace"
	unshare --pid --fork true 2>/dev/null || skip "no PID namespaces here"
	claims_hold_both_ways sh -c 'for i in 1 2 3 4 5; do unshare --pid --fork "$0" 0.05; done' "$BURN"
	need bwrap
	bwrap --ro-bind / / --unshare-pid --proc /proc true 2>/dev/null || skip "bwrap does not work here"
	claims_hold_both_ways sh -c 'for i in 1 2 3 4 5; do bwrap --ro-bind / / --unshare-pid --proc /proc "$0" 0.05; done' "$BURN"
}

# bats test_tags=root
@test "a first process that cannot be read is counted even if its child is not reaped" {
	as_root "make a PID namespace"
	unshare --pid --fork true 2>/dev/null || skip "no PID namespaces here"
	export RTRACK_INTERVAL=1
	ACCOUNTED=1
	WAYS_PREFIX=(unshare --pid --fork)
	one_way preload perl -e 'sub burn { my ($user) = times; ($user) = times while $user < $_[0] } if (!fork) { burn(0.5); exit } burn(0.4); select undef, undef, undef, 0.3'
	ACCOUNTED=
	WAYS_PREFIX=()
	run=$(run_of preload)
	is_over "$run"
	claims_hold preload
	# perl measures its time in clock ticks. Therefore the kernel's account gives the time that both used: 0.9 s, or
	# some ticks less.
	at_least "$(total "$run" cpu_seconds)" "$(job_cpu preload | awk '{ print $1 * 0.95 }')"
	at_least "$(total "$run" cpu_seconds)" 0.7
}

# bats test_tags=root
@test "after unshare of a PID namespace, totals are reported as possibly incomplete" {
	as_root "make a PID namespace"
	unshare --pid --fork true 2>/dev/null || skip "no PID namespaces here"
	claims_hold_both_ways sh -c 'unshare --pid sh -c "(env -i $0 5 & exec $0 0.2); :"' "$BURN"
	pid=$(awk -F, '/,"sh -c \(/ { print $2; exit }' "$run/start.csv")
	[ "$(awk -F, -v pid="$pid" '$2 == pid && $14 $15 != "" { print $26 }' "$run/exit.csv")" = 1 ]
}

@test "if much memory is freed after the last record, no wrong figure is called exact" {
	claims_hold_both_ways "$TOUCH" 600 1
	# rtrack-run waits for the root's end.
	[ "$(total "$run" exact)" = true ]
}

@test "CPU time is not called exact if valgrind works on after the last record" {
	need valgrind
	valgrind -q true 2>/dev/null || skip "valgrind does not work here"
	for way in preload launcher; do
		accounted $way valgrind -q --leak-check=full "$BURN" 0.1
		claims_hold $way
		[ "$(total "$run" exact)" = "$([ $way = launcher ] && echo true || echo false)" ]
		rm -rf "$(spool_of $way)"
	done
	exact_cpu_both_ways sh -c 'valgrind -q --leak-check=full "$0" 0.1; :' "$BURN"
}

# read_late FIFO SECONDS: reads a full FIFO only when its writer has used SECONDS of CPU time since the call. A writer
# with a single thread must also be asleep.
read_late() {
	python3 - "$@" <<-'END'
		import array, fcntl, os, sys, termios, time
		fifo = open(sys.argv[1], "rb", 0)
		pid = b""
		while not pid.endswith(b"\n"):
		    pid += fifo.read(1)
		def fields():
		    return open(f"/proc/{int(pid)}/stat").read().rsplit(")", 1)[1].split()
		def used():
		    return (int(fields()[11]) + int(fields()[12])) / os.sysconf("SC_CLK_TCK")
		def filled():
		    count = array.array("i", [0])
		    fcntl.ioctl(fifo, termios.FIONREAD, count)
		    return count[0] + len(pid) >= fcntl.fcntl(fifo, fcntl.F_GETPIPE_SZ)
		while not filled():
		    time.sleep(0.01)
		full = used()
		while used() < full + float(sys.argv[2]) or fields()[17] == "1" and fields()[0] != "S":
		    time.sleep(0.01)
		fifo.read()
	END
}

# lingers_both_ways THREADS SECONDS: tracks a job in which a full pipe blocks exit(), while THREADS of its threads
# continue to work.
lingers_both_ways() {
	local fifo=$BATS_TEST_TMPDIR/fifo lingers way
	lingers=$(victim lingers)
	mkfifo "$fifo"
	for way in preload launcher; do
		read_late "$fifo" "$2" &
		accounted $way "$lingers" "$fifo" "$1"
		wait $!
	done
}

@test "threads that work while exit() waits for a full pipe make totals inexact" {
	lingers_both_ways 1 0.6
	at_least "$(job_cpu launcher)" 0.5
	claims_hold launcher
	[ "$(total "$run" exact)" = true ]
	run=$(run_of preload)
	at_least "$(job_cpu preload)" 0.5
	[ "$(total "$run" exact_cpu)" = false ]
	[ "$(total "$run" exact_memory)" = false ]
	[ "$(total "$run" missing_cpu_seconds_at_most)" = null ]
}

@test "totals stay exact if a single thread waits in exit() for a full pipe" {
	lingers_both_ways 0 0
	for way in preload launcher; do
		run=$(run_of $way)
		claims_hold $way
		[ "$(total "$run" exact)" = true ]
	done
}

@test "the CPU time of a pipeline that SIGPIPE ends is exact" {
	exact_cpu_both_ways sh -c 'yes | head -n 300000 | tail -n 1; "$0" 0.1 | :' "$BURN"
}

@test "the CPU time of reaped children is exact, however they end" {
	exact_cpu_both_ways sh -c '"$0" 0.2; env -i "$1" 0.2; "$0" 0.1 4 kill; :' "$STATIC" "$BURN"
	exact_cpu_both_ways "$DIE" parent 4 kill 0.2 16
}

@test "rtrack-run: CPU time of a process killed just before the job's end is exact" {
	local command
	cpu_group
	for command in 'yes | head -n 300000 | head -n 1' '"$0" 0.05 3 kill; :' 'env -i sh -c "\"\$0\" 0.02; :" "$0"'; do
		rm -rf "$(spool_of launcher)"
		accounted launcher sh -c "$command" "$BURN"
		claims_hold launcher
		[ "$(total "$run" exact_cpu)" = true ] || [ -z "$CPU_GROUP" ]
	done
}

@test "the CPU time of short children of shells, as with xargs -P, is exact" {
	# parallel and xargs start many short children through shells. Some of these are killed.
	exact_cpu_both_ways sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo; done | xargs -P 3 -n 1 sh -c "\"$0\" 0.03; \"$1\" 0.01 2 kill; :"' "$STATIC" "$BURN"
}

@test "the upper bound of memory includes simultaneous peaks of unrecorded children" {
	claims_hold_both_ways sh -c 'for i in 1 2 3 4; do env -i "$0" 60 200 & done; wait' "$TOUCH"
	for way in preload launcher; do
		run=$(run_of $way)
		at_least "$(total "$run" peak_memory_at_most_mib)" 240
	done
}

@test "the peak of a killed daemon is not taken from its last sample" {
	RTRACK_INTERVAL=0.05 claims_hold_both_ways "$(victim daemon)" killed 0.3 100
}

# Four workers use 0.1 s each and wait. Once a row includes them, one worker runs the arguments as a command, if there
# are any. Then a signal ends all workers, and one more row is awaited.
POOL='import glob, os, signal, subprocess, sys, time
def wait_for_rows(count):
    def rows():
        return sum(len(open(name).readlines()) for name in glob.glob(os.environ["RTRACK_SPOOL"] + "/*/process.csv"))
    before, deadline = rows(), time.monotonic() + 60
    while rows() < before + count and time.monotonic() < deadline:
        time.sleep(0.002)
reading, writing = os.pipe()
asking, asked = os.pipe()
workers = []
for _ in range(4):
    pid = os.fork()
    if pid == 0:
        while time.process_time() < 0.1:
            pass
        os.write(writing, b"x")
        os.read(asking, 1)
        subprocess.call(sys.argv[1:])
        os.write(writing, b"x")
        signal.pause()
    workers.append(pid)
for _ in workers:
    os.read(reading, 1)
wait_for_rows(2)
if len(sys.argv) > 1:
    os.write(asked, b"x")
    os.read(reading, 1)
for pid in workers:
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
wait_for_rows(1)'

# A pool of Python's multiprocessing, which starts and ends threads. Its workers are busy when they are killed.
POOL_OF_PYTHON='import multiprocessing, time
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
with multiprocessing.Pool(4) as pool:
    pool.map(burn, [0.1] * 4)
    pool.map_async(burn, [60] * 4)
    burn(0.3)'

# alone COMMAND…: tracks a command by LD_PRELOAD alone, in a PID namespace where no other process starts one.
alone() {
	rm -rf "$(spool_of preload)"
	# Orphans are adopted by the namespace's pid 1, which is not part of the run.
	WAYS_PREFIX=(unshare -fp --mount-proc sh -c '"$@"; exit $?' sh)
	one_way preload "$@"
	run=$(run_of preload)
	is_over "$run"
}

pool_alone() {
	RTRACK_INTERVAL=0.3 alone python3 -c "$POOL" "$@"
	at_least "$(total "$run" cpu_seconds)" 0.4
	[ "$(column "$run/exit.csv" exit_signal | grep -c '^15$')" = 4 ]
}

# bats test_tags=root
@test "LD_PRELOAD alone: CPU time of a worker pool that a signal ends is exact" {
	as_root "make a PID namespace"
	unshare -fp --mount-proc true 2>/dev/null || skip "no right to make a PID namespace here"
	pool_alone
	[ "$(total "$run" exact_cpu)" = true ] || { cat "$run/exit.csv" "$run/process.csv" "$run/run.json"; false; }
}

# bats test_tags=root
@test "LD_PRELOAD alone: CPU time of a Python pool is exact whenever the pool ends" {
	as_root "make a PID namespace"
	unshare -fp --mount-proc true 2>/dev/null || skip "no right to make a PID namespace here"
	for interval in 0.1 0.37 1 2; do
		RTRACK_INTERVAL=$interval alone "$(python3 -c "import sys; print(sys.executable)")" -c "$POOL_OF_PYTHON"
		at_least "$(total "$run" cpu_seconds)" 0.7
		[ "$(total "$run" exact_cpu)" = true ] || { cat "$run/exit.csv" "$run/start.csv" "$run/run.json"; false; }
		at_least 400 "$(total "$run" peak_memory_at_most_mib)"
	done
}

# bats test_tags=root
@test "LD_PRELOAD alone: a pool's CPU time is exact in a control group with others" {
	as_root "make a PID namespace"
	unshare -fp --mount-proc true 2>/dev/null || skip "no right to make a PID namespace here"
	"$BURN" 20 3>&- &
	local stranger=$!
	pool_alone
	kill "$stranger"
	[ "$(total "$run" exact_cpu)" = true ]
	[ "$(json tracker.cgroup_shared "$run/run.json")" != 0 ]
}

@test "CPU time is not exact if SIGCHLD was ignored while static children ended" {
	perl=('{ local $SIG{CHLD} = "IGNORE"; if (!fork) { exec @ARGV } 1 while wait > 0 }'
		'use POSIX; sigaction(SIGCHLD, POSIX::SigAction->new("DEFAULT", POSIX::SigSet->new, SA_NOCLDWAIT)); if (!fork) { exec @ARGV } 1 while wait > 0; sigaction(SIGCHLD, POSIX::SigAction->new("DEFAULT"))')
	for program in "${perl[@]}"; do
		cpu_is_not_exact sh -c 'exec "$@"' sh perl -e "$program" "$STATIC" 0.3
	done
}

@test "CPU time is not exact if a program ignored SIGCHLD before it called exec" {
	local replaced='$SIG{CHLD} = "IGNORE"; system @ARGV; $SIG{CHLD} = "DEFAULT"; exec "true"'
	cpu_is_not_exact perl -e "$replaced" "$STATIC" 0.3
	cpu_is_not_exact sh -c '"$@"; :' sh perl -e "$replaced" "$STATIC" 0.3
}

# bats test_tags=root
@test "rtrack-run: totals of a short job are exact even among many processes" {
	as_root "see that a control group is the run's own"
	cd "$BATS_TEST_TMPDIR"
	cpu_group
	[ -n "$CPU_GROUP" ] || skip "no control group for CPU time can be made here"
	setsid perl -e 'for (1 .. 1500) { (fork // exit 1) || (sleep 600, exit) } open my $all, ">", "all"; sleep 600' 3>&- &
	OTHERS=$!
	wait_for test -e all || skip "not so many are allowed here"
	for job in 'sleep 0.3' true 'seq 90000 | sort | tail -n 1' 'sleep 0.3; exit 3'; do
		rm -rf "$(spool_of launcher)"
		accounted launcher sh -c "$job"
		total "$run" exact_cpu
	done >exact
	cat exact
	[ "$(sort -u exact)" = true ]
}
