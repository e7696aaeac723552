#!/usr/bin/env bats
# Tests of faults that were found by running the test suites of real programs (docs/transparency.md)
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

teardown() {
	remove_cpu_group
}

@test "pid 1 of a PID namespace is not mistaken for pid 1 of the machine" {
	unshare -Urpf --mount-proc true 2>/dev/null || skip "PID namespaces are not allowed here"
	# This child of the machine's pid 1 is unrelated to the run.
	setsid sh -c 'exec sleep 300 >/dev/null 2>&1 3>&- & echo $!' >"$BATS_TEST_TMPDIR/stranger"
	same_every_way unshare -Urpf --mount-proc sh -c 'echo $$; exit 5'
	bare_status_is 5
	for way in preload launcher; do
		run=$(run_of $way)
		for tries in $(seq 600); do
			[ "$(json status "$run/run.json")" = running ] || break
			sleep 0.1
		done
		[ "$(json status "$run/run.json")" != running ]
		[ "$(starts_with_text "$run" 'sleep 300')" = 0 ]
	done
	kill "$(cat "$BATS_TEST_TMPDIR/stranger")"
}

# This runs in a separate PID namespace, so that pids are small.
# bats test_tags=root
@test "a process in an inner PID namespace is not confused with the same pid outside" {
	as_root "make a PID namespace"
	unshare -pf --mount-proc true 2>/dev/null || skip "PID namespaces are not allowed here"
	namesake=$(victim namesake)
	for how in unshare syscall setns clone_number clone3_number; do
		for way in preload launcher; do
			spool=$BATS_TEST_TMPDIR/$way-$how
			case $way in
			preload) tracked=(env LD_PRELOAD="$LIBRARY" sh -c '"$@"; exit 5' sh) ;;
			launcher) tracked=("$BUILD/rtrack-run") ;;
			esac
			RTRACK_SPOOL=$spool unshare -pf --mount-proc "${tracked[@]}" "$namesake" $how >"$spool.said" || [ $? = 5 ]
			[ "$(cat "$spool.said")" = found ] || { echo "$way $how: $(cat "$spool.said")"; false; }
			run=$(echo "$spool"/*)
			[ "$(starts_with_text "$run" namesake)" -ge 1 ]
			awk -F, '{ rows[$2]++ } $5 + $6 > 0.09 { pid = $2 } END { exit rows[pid] != 1 }' "$run/exit.csv" || {
				echo "$way $how:" && cat "$run/exit.csv" && false
			}
		done
	done
}

@test "a program does not get the tracker's helper process as a child" {
	unshare -Ur true 2>/dev/null || skip "user namespaces are not allowed here"
	# The shell has no children, so wait returns at once. If our helper were its child, wait would block forever.
	same_every_way python3 -c '
import ctypes, os
assert ctypes.CDLL(None).unshare(0x10000000) == 0
if os.fork() == 0: os._exit(3)
found = []
try:
    while True: found.append(os.wait()[1])
except ChildProcessError:
    print(found)'
	bare_status_is 0
	bare_says '^\[768\]$'
}

@test "a seccomp filter does not kill a child forked by a direct system call" {
	same_every_way "$(victim seccomp)" fork
	bare_status_is 7
	bare_says alive
}

@test "an unrelated process with a pid that the run recorded is not counted in the run" {
	export RTRACK_INTERVAL=0.005
	# The children of this stranger start after the run has started, like children of the run.
	setsid sh -c 'for i in $(seq 3000); do sleep 0.02; done' >/dev/null 2>&1 3>&- &
	export STRANGER=$!
	for way in preload launcher; do
		one_way $way sh -c 'echo "1.000,$STRANGER,1,1,\"/bin/gone\",\"gone\"," >>"$RTRACK_RUN/start.csv"; sleep 0.5'
		run=$(run_of $way)
		grep -q gone "$run/start.csv"
		[ "$(cut -d, -f4 "$run/exit.csv" | grep -cx "$STRANGER")" = 0 ]
		[ "$(column "$run/process.csv" members | sort -n | tail -1)" -le 2 ]
	done
	kill $STRANGER
}

# apart_in_time WAY COMMAND…: the run exits with 4, has each process once, and has the CPU time that the kernel reports.
# It gets its own control group if possible, because totals may be inexact if other processes use the group.
apart_in_time() {
	accounted "$@"
	[ "$(cat "$1.status")" = 4 ]
	claims_hold "$1"
	if [ "$1$FRACTION" != preload5000000 ]; then
		cpu_is_the_kernels "$1"
		[ "$(total "$run" exact_cpu)" = true ] || [ -z "$CPU_GROUP" ]
		# Programs that exec replaced in the root have no exit status.
		[ "$(awk -F, '$14 $15 != "" { print $2 }' "$run/exit.csv" | sort | uniq -d)" = "" ]
	fi
	rm -r "$run"
}

apart_program() {
	cat >apart.py <<-'END'
		import ctypes, os, subprocess, sys
		burn, how, unshare, fraction, offset = sys.argv[1:]
		libc = ctypes.CDLL(None)
		assert (libc.syscall(int(unshare), 0x80) if how == "number" else libc.unshare(0x80)) == 0
		with open("/proc/self/timens_offsets", "w") as file:
		    file.write("boottime %s %s\n" % (offset, fraction))
		for program in (False, True):
		    child = os.fork()
		    if child == 0:
		        sum(i * i for i in range(1500000))
		        if program:
		            os.execv(burn, [burn, "0.2"])
		        os._exit(0)
		    os.waitpid(child, 0)
		if how.startswith("join"):
		    there = os.open("/proc/self/ns/time_for_children", 0)
		    assert libc.setns(there, 0x80 if how == "join" else 0) == 0
		    if os.fork() == 0:
		        sum(i * i for i in range(1500000))
		        os._exit(0)
		    os.wait()
		    subprocess.run([burn, "0.2"], check=True)
		sys.exit(4)
	END
}

long_word() {
	printf '%*s' "$1" '' | tr ' ' x
}

# bats test_tags=root
@test "processes in a time namespace inside the run are counted once" {
	local how way burn python
	as_root "make a time namespace"
	unshare -T --boottime 5 true 2>/dev/null || skip "time namespaces are not allowed here"
	cd "$BATS_TEST_TMPDIR"
	burn=$(victim burn)
	apart_program
	cpu_group
	need python3
	python=$(PATH=/usr/bin:/bin:$PATH command -v python3)
	for way in preload launcher; do
		for offset in 1000000 -4; do
			apart_in_time $way unshare -T --boottime $offset sh -c '"$0" 0.2; "$0" 0.2 & sh -c "\$0 0.2" "$0"; wait; exit 4' "$burn"
		done
		# One row is longer than the piece that other processes read.
		apart_in_time $way unshare -T --boottime 77 sh -c '"$0" 0.2; "$0" 0.2 & sh -c "\$0 0.2; :" "$0" "$1"; wait; exit 4' "$burn" "$(long_word 700)"
		[ -n "$python" ] && [ "$(uname -m)" = x86_64 ] || continue
		for how in function number join join_any; do
			apart_in_time $way "$python" apart.py "$burn" $how 272 0 $offset
		done
		# The offset is not a whole number of clock ticks, so no process in the namespace knows its start time
		# by the machine's clock.
		FRACTION=5000000
		for how in function join; do
			apart_in_time $way "$python" apart.py "$burn" $how 272 $FRACTION 3
		done
		FRACTION=
	done
}

# bats test_tags=root
@test "a run in a time namespace counts each process once" {
	local way offset length
	as_root "make a time namespace"
	unshare -T --boottime 5 true 2>/dev/null || skip "time namespaces are not allowed here"
	export RTRACK_INTERVAL=0.1
	ACCOUNTED=1
	for way in preload launcher; do
		for offset in 77 1000000 -4; do
			# A row may be longer than the piece that other processes read.
			length=$((RANDOM % 2 * (400 + RANDOM % 3000)))
			[ $offset != 77 ] || length=700
			rm -rf "$(spool_of $way)"
			WAYS_PREFIX=(unshare -T -f --boottime $offset)
			one_way $way sh -c '"$0" 0.2; "$0" 0.2 & sh -c "\$0 0.2; :" "$0" "$1"; wait; exit 4' "$(victim burn)" "$(long_word $length)"
			run=$(run_of $way)
			is_over "$run"
			cpu_is_the_kernels $way
			[ "$(column "$run/exit.csv" pid | sort | uniq -d)" = "" ]
			[ "$(json exit_code "$run/run.json")" = 4 ]
		done
	done
}

# bats test_tags=root
@test "rtrack-report outside a time namespace shows that the run inside is running" {
	as_root "make a time namespace"
	unshare -T --boottime 5 true 2>/dev/null || skip "time namespaces are not allowed here"
	cd "$BATS_TEST_TMPDIR"
	mkfifo go
	for way in preload launcher; do
		case $way in
		preload) tracked=(env LD_PRELOAD="$LIBRARY") ;;
		launcher) tracked=("$BUILD/rtrack-run") ;;
		esac
		RTRACK_SPOOL=$PWD/$way unshare -T --boottime 1000000 "${tracked[@]}" sh -c 'read x <go; exit 4' 3>&- &
		# The fifo opens just before the job reads from it.
		exec 7>go
		run=$(echo $way/*)
		[ "$("$BUILD/rtrack-report" show --format json "$run" | python3 -c 'import json, sys; print(json.load(sys.stdin)["run"]["status"])')" = running ]
		began=$(json tracker.start_ticks "$run/run.json")
		[ "$began" -le "$(awk '{ printf "%d", $1 * 100 + 1 }' /proc/uptime)" ]
		echo >&7
		exec 7>&-
		wait $! || [ $? = 4 ]
		is_over "$run"
	done
}
