#!/usr/bin/env bats
# Tests that a program can still change its own state: capabilities, limits, locale, signals, errno, core dumps and
# stops (docs/hazards.md)

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_INTERVAL=0.001
}

# as_another_user: runs a command untracked and tracked both ways, as a user without other processes. Limits and
# permissions do not apply to root.
as_another_user() {
	local user=$((60000 + BASHPID % 5000)) directory=$PWD
	as_root "become another user"
	until [ "$directory" = "${BATS_RUN_TMPDIR%/*}" ]; do
		chmod a+x "$directory"
		directory=${directory%/*}
	done
	mkdir -m 700 spool
	chown "$user" spool
	SPOOL_FOR_ALL=$PWD/spool
	WAYS_PREFIX=(setpriv --reuid "$user" --regid "$user" --clear-groups)
	"${WAYS_PREFIX[@]}" test -r "$BUILD/librtrack.so" -a -w "$PWD/spool" ||
		skip "another user cannot read the library, or not write to a directory here"
}

@test "after capset, no thread of the program keeps the old capabilities" {
	for how in number function; do
		same_every_way "$(victim capabilities)" $how
		bare_status_is 0
		[ "$(cat preload.out)" = "$(printf 'CapEff:\t0000000000000000')" ]
	done
}

@test "interposed functions return the same values and errno as those of libc" {
	same_every_way "$(victim errors)"
	bare_status_is 0
	bare_says '^errno on both sides of a fork: 77$'
	same_every_way sh -c '"$0"; exit 3' "$(victim errors)"
	bare_status_is 3
}

# wait_for_no_process: waits until the user of as_another_user has no process. The process that took over sampling of
# the previous run may still exist.
wait_for_no_process() {
	local deadline=$((SECONDS + 60))
	while ps -u "${WAYS_PREFIX[2]}" >/dev/null; do
		[ $SECONDS -lt $deadline ]
		read -rt 0.02 <> <(:) || true
	done
}

# bats test_tags=root
@test "under a process limit, a tracked first process can start one child fewer" {
	as_another_user
	crowd=$(victim crowd)
	need ps
	WAYS_PREFIX+=(bash -c 'ulimit -u 12; exec "$@"' bash)
	for way in bare preload; do
		one_way $way "$crowd" 40
		wait_for_no_process
	done
	[ "$(cat bare.out)" = 11 ]
	[ "$(cat preload.out)" = 10 ]
	# Here the shell is the root of the run, and the program that forks is its child.
	one_way preload sh -c '"$0" 40; true' "$crowd"
	[ "$(cat preload.out)" = 9 ]
}

# bats test_tags=root
@test "a process limit without room for the tracker's thread does not change the job" {
	as_another_user
	WAYS_PREFIX+=(bash -c 'ulimit -u 1; exec "$@"' bash)
	for way in bare preload; do
		one_way $way "$(victim crowd)" 3
	done
	looks_bare preload
	bare_status_is 0
	[ "$(cat bare.out)" = 0 ]
	run=$(run_of preload)
	[ "$(rows_in "$run/start.csv")" = 1 ]
	[ "$(rows_in "$run/exit.csv")" = 1 ]
}

@test "a locale with decimal commas stays in effect, and records use decimal points" {
	need locales
	localedef -i de_DE -f UTF-8 ./de_DE.UTF-8
	export LOCPATH=$PWD LC_ALL=de_DE.UTF-8
	same_every_way bash -c 'printf "%.1f\n" 1,5; sleep 0.1; exit 3'
	bare_status_is 3
	bare_says '^1,5$'
	for way in preload launcher; do
		run=$(run_of $way)
		for table in system process; do
			awk -F, 'NR == 1 { cells = NF } NF != cells || cells < 5 { exit 1 }' "$run/$table.csv"
		done
		diff <("$BUILD/rtrack-report" stats --format json "$run") \
			<(LC_ALL=C "$BUILD/rtrack-report" stats --format json "$run")
	done
}

@test "a program's floating-point flags, rounding and traps are unchanged" {
	export RTRACK_INTERVAL=0.1
	for trap in "" trap; do
		same_every_way "$(victim arithmetic "${CC:-cc}" -Wl,--no-as-needed -lm)" $trap
		bare_status_is 5
		bare_says '^at the start: flags 0, rounding 0$'
	done
}

@test "signals of a program reach the expected thread of the program" {
	same_every_way "$(victim hears)"
	bare_status_is 0
	bare_says '^heard by sigwait: 200$'
	bare_says '^heard by signalfd: 200$'
	bare_says '^profiled elsewhere: 0$'
	bare_says '^a read that waited: 0$'
	same_every_way sh -c '"$0"; exit 3' "$(victim hears)"
	bare_status_is 3
}

@test "a signal during the write of the last record is handled after the write" {
	need strace
	strace -o /dev/null -e inject=getpid:signal=SIGURG true 2>/dev/null ||
		skip "strace does not work here"
	ends=$(victim ends)
	for how in _exit _Exit exit; do
		one_way preload sh -c 'strace -qq -o /dev/null -P "$RTRACK_RUN/exit.csv" -e inject=write:signal=SIGTERM \
			"$0" '$how' 3 >/dev/null; echo $?' "$ends"
		# The process still exists after exit() was called, so the signal ends it.
		[ "$(cat preload.out)" = "$([ $how = exit ] && echo 143 || echo 3)" ]
		run=$(run_of preload)
		pid=$(grep -F "$ends" "$run/start.csv" | grep -v strace | cut -d, -f2)
		[ "$(grep "^[^,]*,$pid," "$run/exit.csv" | grep -c ',3,,"self"')" = 1 ]
		rm -r "$(spool_of preload)"
	done
}

# bats test_tags=root
@test "a process that is not dumpable behaves as if untracked and writes its records" {
	as_another_user
	same_every_way "$(victim undumpable)"
	bare_status_is 3
	bare_says '^child: dumpable 0, /proc/self/io does not open$'
	for run in spool/*/; do
		grep -q 'undumpable' "$run/start.csv"
		[ "$(rows_in "$run/exit.csv")" -ge 2 ]
		"$BUILD/rtrack-report" stats "$run" >/dev/null
	done
}

# bats test_tags=root
@test "a setuid program behaves as if untracked and does not load the library" {
	as_another_user
	cp "$(type -P cat)" setuid-cat
	chmod 4755 setuid-cat
	cat >maps.sh <<-END
		grep -c librtrack /proc/self/maps
		$PWD/setuid-cat /proc/self/maps >maps.txt
		grep -c librtrack maps.txt
		exit 6
	END
	cd spool
	one_way preload sh "$BATS_TEST_TMPDIR/maps.sh"
	printf '%s\n' 6 | diff - ../preload.status
	[ "$(sed -n 1p ../preload.out)" -gt 0 ]
	[ "$(sed -n 2p ../preload.out)" = 0 ]
	[ ! -s ../preload.err ]
	same_every_way ../setuid-cat ../maps.sh
	bare_status_is 0
}

# bats test_tags=root
@test "a setuid program that calls dlopen of the library is not tracked" {
	as_another_user
	cp "$(victim speaks)" setuid-speaks
	chmod 4755 setuid-speaks
	mkdir -m 700 private
	mkdir -m 777 public
	RTRACK_SPOOL=$PWD/private ./setuid-speaks open "$LIBRARY" >opened
	grep -qx 'open 1' opened
	[ -n "$(ls private)" ]
	rm -r private/*
	RTRACK_SPOOL=$PWD/private RTRACK_DEBUG=$PWD/public/debug XDG_STATE_HOME=$PWD/private HOME=$PWD/private \
		"${WAYS_PREFIX[@]}" ./setuid-speaks open "$LIBRARY" >opened
	grep -qx 'open 1' opened
	[ -z "$(find private public -mindepth 1)" ]
}

# bats test_tags=root
@test "a program with capabilities that calls dlopen of the library writes no file" {
	as_another_user
	cp "$(victim speaks)" capable-speaks
	"${WAYS_PREFIX[@]}" ./capable-speaks open "$LIBRARY" >opened
	grep -qx 'open 1' opened
	mkdir -m 700 private
	RTRACK_SPOOL=$PWD/private "${WAYS_PREFIX[@]}" ./capable-speaks open "$LIBRARY" >opened
	[ -z "$(find private -mindepth 1)" ]
	# The capability is CAP_DAC_OVERRIDE, which allows writing to any file. The layout is struct vfs_cap_data of
	# linux/capability.h.
	python3 -c 'import os, struct; os.setxattr("capable-speaks", "security.capability", struct.pack("<5I", 0x02000001, 2, 2, 0, 0))' ||
		skip "this file system keeps no capabilities"
	"${WAYS_PREFIX[@]}" ./capable-speaks open "$LIBRARY" >opened || skip "file capabilities are not allowed here"
	RTRACK_SPOOL=$PWD/private RTRACK_DEBUG=$PWD/private/debug XDG_STATE_HOME=$PWD/private HOME=$PWD/private \
		"${WAYS_PREFIX[@]}" ./capable-speaks open "$LIBRARY" >opened
	grep -qx 'open 1' opened
	[ -z "$(find private -mindepth 1)" ]
}

# bats test_tags=root
@test "exec of a program with file capabilities is recorded before the exec" {
	as_another_user
	cp "$(type -P true)" capable
	python3 -c 'import os, struct; os.setxattr("capable", "security.capability", struct.pack("<5I", 0x02000001, 2, 2, 0, 0))' ||
		skip "this file system keeps no capabilities"
	for program in ./capable "$(type -P true)"; do
		rm -rf spool/*
		one_way preload sh -c "perl -e 'exec q($program)'; :"
		[ "$(cat preload.status)" = 0 ]
		run=$(run_of preload)
		# Before its exec, perl writes a record without an exit status.
		paste -d, <(column "$run/exit.csv" source) <(column "$run/exit.csv" exit_code) | grep -cx '"self",' >>told || true
	done
	[ "$(tr '\n' ' ' <told)" = "1 0 " ]
}

@test "exec of a script with a static interpreter is recorded before the exec" {
	need libc6-dev
	cp "$(victim touch "${CC:-cc}" -static)" interpreter
	printf '#!%s 1\n' "$PWD/interpreter" >script
	chmod +x script
	for program in ./script "$(type -P true)"; do
		rm -rf spool-preload
		one_way preload sh -c "perl -e 'exec q($program)'; :"
		[ "$(cat preload.status)" = 0 ]
		# Before its exec, perl writes a record without an exit status.
		paste -d, <(column "$(run_of preload)/exit.csv" source) <(column "$(run_of preload)/exit.csv" exit_code) |
			grep -cx '"self",' >>told || true
	done
	[ "$(tr '\n' ' ' <told)" = "1 0 " ]
}

@test "a program that dumps core still dumps core" {
	same_every_way perl -e '
		system("sh", "-c", "ulimit -c unlimited; exec \"\$@\"", "sh", @ARGV);
		printf "%d, %s\n", $? & 127, $? & 128 ? "core" : "no core"' "$(victim ends)" abort
	bare_says '^6, '
}

# wait_for_rows NUMBER: waits until the current run has more than NUMBER rows.
wait_for_rows() {
	local deadline=$((SECONDS + 60))
	until [ "$(cat "$RTRACK_SPOOL"/*/process.csv 2>/dev/null | wc -l)" -gt "$1" ]; do
		[ $SECONDS -lt $deadline ]
		read -rt 0.02 <> <(:) || true
	done
}

@test "a sampler that was stopped for a second writes one longer row, and no burst" {
	export RTRACK_INTERVAL=0.05
	for way in preload launcher; do
		RTRACK_SPOOL=$PWD/stopped-$way
		tracker=("$BUILD/rtrack-run")
		[ $way = launcher ] || tracker=(env "LD_PRELOAD=$LIBRARY")
		RTRACK_SPOOL=$RTRACK_SPOOL "${tracker[@]}" sleep 100 3>&- &
		pid=$!
		wait_for_rows 3
		kill -STOP $pid
		sleep 1
		kill -CONT $pid
		wait_for_rows $(($(cat "$RTRACK_SPOOL"/*/process.csv | wc -l) + 3))
		kill $pid
		wait $pid || true
		# Each row except the last is in its own interval. One row spans the stop.
		column "$RTRACK_SPOOL"/*/process.csv timestamp | awk -v interval=$RTRACK_INTERVAL '
			{ slot = int($1 / interval + 0.001) }
			NR > 1 { if (slot <= last) same = NR; step = $1 - before; if (step >= 0.9) long++ }
			{ last = slot; before = $1 }
			END { print NR, same + 0, long + 0; exit !((same == 0 || same == NR) && long >= 1) }'
	done
}

@test "forks of the first process do not slow down as the sampler's memory grows" {
	RTRACK_INTERVAL=0.05 one_way preload python3 -c '
import glob, os, time
# The file is read in pieces. A slow machine makes many rows, and a larger buffer would be counted as memory.
def rows():
    count = 0
    for name in glob.glob(os.environ["RTRACK_SPOOL"] + "/*/system.csv"):
        with open(name, "rb", buffering=0) as file:
            while piece := file.read(4096):
                count += piece.count(b"\n")
    return count
def size():
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.write(writing, open("/proc/self/statm").read().split()[0].encode())
        os._exit(0)
    os.wait()
    os.close(writing)
    pages = int(os.read(reading, 16))
    os.close(reading)
    return pages
rows()
first = size()
for _ in range(3000):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
before, deadline = rows(), time.monotonic() + 60
while rows() < before + 2 and time.monotonic() < deadline:
    time.sleep(0.01)
print("more pages:", size() - first)
'
	[ "$(sed -n 's/^more pages: //p' preload.out)" -le 64 ]
}
