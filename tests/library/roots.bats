#!/usr/bin/env bats
# Tests of programs that change their root directory to one with or without the library
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# make_root: makes a root directory with a shell and its libraries.
make_root() {
	ROOT=$BATS_TEST_TMPDIR/root
	mkdir -p "$ROOT"
	for file in /bin/sh /bin/echo $(ldd /bin/sh /bin/echo | grep -o '/[^ :]*' | sort -u); do
		[ -f "$file" ] || continue
		mkdir -p "$ROOT$(dirname "$file")"
		cp -L "$file" "$ROOT$file"
	done
	as_root "change the root directory"
	[ "$(chroot "$ROOT" /bin/sh -c 'echo in' 2>&1)" = in ] || skip "chroot is not allowed here"
}

# bats test_tags=root
@test "a program in a chroot without the library behaves as if untracked" {
	make_root
	same_every_way chroot "$ROOT" /bin/sh -c '/bin/echo in; echo "$LD_PRELOAD" | /bin/sh -c "read x; exit 4"'
	bare_status_is 4
	bare_says '^in$'
}

# bats test_tags=root
@test "a chroot without the library keeps other preloaded libraries" {
	make_root
	mkdir -p "$ROOT/opt"
	echo 'int other = 1;' >other.c
	${CC:-cc} -shared -fPIC -o "$ROOT/opt/other.so" other.c
	LD_PRELOAD="$LIBRARY:$ROOT/opt/other.so" RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool chroot "$ROOT" /bin/sh -c 'echo "$LD_PRELOAD"' >said 2>errors || true
	[ "$(cat said)" = "$ROOT/opt/other.so" ]
	fails grep librtrack errors
}

# bats test_tags=root
@test "a chroot that contains the library is tracked" {
	make_root
	mkdir -p "$ROOT$(dirname "$LIBRARY")"
	cp "$LIBRARY" "$ROOT$LIBRARY"
	same_every_way chroot "$ROOT" /bin/sh -c 'echo in; exit 4'
	bare_status_is 4
	LD_PRELOAD=$LIBRARY chroot "$ROOT" /bin/sh -c 'echo "$LD_PRELOAD"' | grep -qF "$LIBRARY"
}

# bats test_tags=root
@test "a first process that calls chroot is followed to its end" {
	make_root
	export RTRACK_INTERVAL=0.02
	chrooter=$(victim chrooter)
	for how in function number; do
		same_every_way "$chrooter" $how "$ROOT" 0.5
		bare_status_is 4
		bare_says '^0 5 6$'
		for way in preload launcher; do
			await_end $way
			run=$(run_of $way)
			[ "$(json status "$run/run.json")" = failed ]
			[ "$(json exit_code "$run/run.json")" = 4 ]
			# No exit record is older than the end of its process, and both children have rows up to their
			# end.
			start=$(json start_time "$run/run.json")
			first=$(column "$run/exit.csv" timestamp | sort -n | head -1)
			last=$(awk -F, 'NR > 1 && $3 == 2 { last = $1 } END { print last }' "$run/process.csv")
			awk -v first="$first" -v last="$last" -v start="$start" 'BEGIN { exit !(first - start > 0.45 && last - start > 0.4) }' ||
				{ cat "$run/exit.csv" "$run/process.csv"; return 1; }
			[ "$(column "$run/exit.csv" pid | sort -u | wc -l)" = 3 ]
			near "$(awk -F, 'NR > 1 { sum += $5 + $6 } END { print sum }' "$run/exit.csv")" "$(total "$run" cpu_seconds)" 0.05
		done
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
}

# bats test_tags=root
@test "pivot_root to a directory without the library works as if untracked" {
	make_root
	need bwrap
	bwrap --bind "$ROOT" / /bin/sh -c true || skip "bwrap may not work here"
	same_every_way bwrap --bind "$ROOT" / /bin/sh -c '/bin/echo in; exit 4'
	bare_status_is 4
}

# bats test_tags=root
@test "chroot in a vfork child does not change the parent's LD_PRELOAD" {
	make_root
	for way in preload launcher; do
		one_way $way "$(victim chrooter)" vfork "$ROOT" 0
		[ "$(cat $way.status) $(cat $way.out)" = "4 6 preloaded" ]
	done
}

@test "processes in a PID namespace inside the run are counted once" {
	unshare -Urpf --mount-proc true || skip "namespaces are not allowed here"
	burn=$(victim burn)
	same_every_way unshare -Urpf --mount-proc sh -c '"$0" 0.2; "$0" 0.2 & sh -c "\$0 0.2" "$0"; wait; exit 4' "$burn"
	bare_status_is 4
	for way in preload launcher; do
		run=$(run_of $way)
		near "$(total "$run" cpu_seconds)" 0.6 0.06
		[ "$(total "$run" processes)" -lt 12 ]
		fails grep -x '[0-9]' <(column "$run/exit.csv" pid)
	done
}

# bats test_tags=root
@test "processes with a new mount of /proc still record start and end" {
	as_root "make a mount namespace"
	unshare -m mount -t proc proc /proc 2>/dev/null || skip "mount is not allowed here"
	burn=$(victim burn)
	same_every_way unshare -m sh -c 'mount -t proc proc /proc && "$0" 0.2; exit 4' "$burn"
	bare_status_is 4
	for way in preload launcher; do
		run=$(run_of $way)
		pid=$(awk -F, -v exe="\"$burn\"" '$5 == exe { print $2 }' "$run/start.csv")
		[ "$(awk -F, -v pid="$pid" '$2 == pid { print $16 $17 }' "$run/exit.csv")" = '"self"1' ]
		near "$(total "$run" cpu_seconds)" 0.2 0.05
	done
}

# bats test_tags=root
@test "pid 1 of a PID namespace can wait for all its children, and the run ends" {
	as_root "make a PID namespace"
	WAYS_PREFIX=(unshare -pf --mount-proc)
	"${WAYS_PREFIX[@]}" unshare -U true 2>/dev/null || skip "namespaces are not allowed here"
	export RTRACK_INTERVAL=0.02
	ALLOWED_SECONDS=30
	# The values are CLONE_NEWNS, CLONE_NEWUSER and CLONE_NEWPID. After the last one, the process can no longer
	# create threads.
	for what in 0x20000 0x10000000 0x20000000; do
		same_every_way python3 -c '
import ctypes, os, sys, time
assert ctypes.CDLL(None).unshare(int(sys.argv[1], 0)) == 0
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
if os.fork() == 0:
    burn(0.2)
    os._exit(3)
burn(0.2)
found = []
try:
    while True: found.append(os.wait()[1])
except ChildProcessError:
    print(found)
with open(os.environ["RTRACK_SPOOL"] + ".truth", "w") as truth:
    print(sum(os.times()[:4]), file=truth)
sys.exit(4)' $what
		bare_status_is 4
		bare_says '^\[768\]$'
		[ "$(json pid "$(run_of preload)/run.json")" = 1 ]
		for way in preload launcher; do
			run=$(run_of $way)
			[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 4" ]
			[ ! -e "$run/.lock" ]
			# The total also includes the end of the interpreter itself. A child that is missing or counted
			# twice would make a difference of 0.2 s.
			near "$(total "$run" cpu_seconds)" "$(cat "$(spool_of $way).truth")" 0.15
		done
		rm -r "$(spool_of preload)" "$(spool_of launcher)"
	done
}

@test "with the /proc of another PID namespace, processes record no wrong pids" {
	unshare -Urpf true || skip "namespaces are not allowed here"
	burn=$(victim burn)
	same_every_way unshare -Urpf sh -c '"$0" 0.2; exit 4' "$burn"
	bare_status_is 4
	for way in preload launcher; do
		run=$(run_of $way)
		fails grep -x '[0-9]' <(column "$run/exit.csv" pid)
		near "$(total "$run" cpu_seconds)" 0.2 0.05
	done
}

@test "children forked into a PID namespace are counted once" {
	unshare -Urpf true || skip "namespaces are not allowed here"
	ACCOUNTED=1
	same_every_way python3 -c '
import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, CLONE_NEWPID = 0x10000000, 0x20000000
if libc.unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0:
    raise OSError(ctypes.get_errno())
def burn():
    while time.process_time() < 0.2: pass
if os.fork() == 0:
    if os.fork() == 0:
        burn()
        os._exit(0)
    os.wait()
    burn()
    os._exit(os.getpid())
print(os.WEXITSTATUS(os.wait()[1]))'
	bare_says '^1$'
	for way in preload launcher; do
		run=$(run_of $way)
		fails grep -x '[0-9]' <(column "$run/exit.csv" pid)
	done
	# The kernel's accounts give the correct values. A root that created a PID namespace cannot create threads any
	# more, and must report which figures are incomplete.
	records_hold
	[ "$(total "$(run_of launcher)" cpu_seconds | awk '{ print ($1 > 0.39) }')" = 1 ]
}

# bats test_tags=root
@test "a program that left its first directory can unmount that directory" {
	as_root "make a mount namespace"
	unshare -m mount -t tmpfs none /mnt 2>/dev/null || skip "mount is not allowed here"
	mkdir m
	# The library's thread leaves that directory when it starts.
	# shellcheck disable=SC2016
	WAYS_PREFIX=(unshare -m sh -c 'mount -t tmpfs none m && cd m && exec "$@"' begins)
	# shellcheck disable=SC2016
	same_every_way sh -c 'cd /; i=0; while [ $i -lt 500 ] && ! umount "$0" 2>/dev/null; do i=$((i + 1)); sleep 0.02; done; [ $i -lt 500 ]; exit $((3 + $?))' "$PWD/m"
	bare_status_is 3
}
