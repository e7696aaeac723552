#!/usr/bin/env bats
# Tests of runs whose sampler is killed. Each process of the run that starts or ends checks that sampling continues, and
# if necessary starts a new sampling process, the keeper.

load ../lib/helper
load ../lib/jobs

setup() {
	BURN=$(victim burn)
}

# A shell command that starts and ends processes. If several processes start in one clock tick of the kernel, only the
# first checks the sampler. Therefore the second process starts in a later tick.
PASS_BY='/bin/true; sleep 0.05; /bin/true'

# wait_for COMMAND...: waits until a command succeeds, at most a minute.
wait_for() {
	local deadline=$((SECONDS + 60))
	until "$@"; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.05
	done
}

status_of() {
	jq -r .status "$1/run.json"
}

has_ended() {
	[ "$(status_of "$1")" != running ] && [ ! -e "$1/.lock" ]
}

@test "after a job's first process is killed, its child is followed to its end" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	RTRACK_INTERVAL=0.1 LD_PRELOAD=$LIBRARY sh -c 'sh -c "read x <\$0; $0; \"\$1\" 0.4; exit 0" "$1" "$2" &
		kill -9 $$' "$PASS_BY" "$BATS_TEST_TMPDIR/go" "$BURN" 3>&- || true
	run=$(only_run)
	[ "$(status_of "$run")" = running ]
	touch -d '1 minute ago' "$run/system.csv"
	echo >"$BATS_TEST_TMPDIR/go"
	wait_for has_ended "$run"
	[ "$(status_of "$run")" = killed ]
	near "$(total "$run" cpu_seconds)" 0.4 0.05 0.02
	column "$run/process.csv" timestamp | sort -nc
	fails pgrep -f "rtrack-keeper $run"
}

# keeper_has RUN FILE: the process that took over sampling has FILE open.
keeper_has() {
	ls -l "/proc/$(pgrep -o -f "rtrack-keeper $1")/fd" 2>/dev/null | grep -q "$2\$"
}

@test "a new sampling process keeps no file of the job open" {
	mkfifo "$BATS_TEST_TMPDIR/go" "$BATS_TEST_TMPDIR/end"
	RTRACK_INTERVAL=0.1 LD_PRELOAD=$LIBRARY sh -c 'sh -c "read x <\$0; $0; read x <\$1; exit 0" "$1" "$2" &
		kill -9 $$' "$PASS_BY" "$BATS_TEST_TMPDIR/go" "$BATS_TEST_TMPDIR/end" 8>"$BATS_TEST_TMPDIR/held" 3>&- || true
	run=$(only_run)
	touch -d '1 minute ago' "$run/system.csv"
	echo >"$BATS_TEST_TMPDIR/go"
	wait_for keeper_has "$run" "$run/system.csv"
	if keeper_has "$run" "$BATS_TEST_TMPDIR/held"; then
		echo "the keeper holds the job's file open"
		false
	fi
	echo >"$BATS_TEST_TMPDIR/end"
	wait_for has_ended "$run"
}

@test "after rtrack-run is killed, its command is followed to its end" {
	mkfifo "$BATS_TEST_TMPDIR/go" "$BATS_TEST_TMPDIR/ready"
	"$BUILD/rtrack-run" --interval 0.1 sh -c 'echo $PPID >"$2"; read x <"$0"; '"$PASS_BY"'; "$1" 0.4; exit 5' \
		"$BATS_TEST_TMPDIR/go" "$BURN" "$BATS_TEST_TMPDIR/ready" 3>&- &
	read -r launcher <"$BATS_TEST_TMPDIR/ready"
	run=$(only_run)
	kill -9 "$launcher"
	touch -d '1 minute ago' "$run/system.csv"
	echo >"$BATS_TEST_TMPDIR/go"
	wait_for has_ended "$run"
	[ "$(status_of "$run")" = failed ]
	[ "$(jq .exit_code "$run/run.json")" = 5 ]
	near "$(total "$run" cpu_seconds)" 0.4 0.05 0.02
}

@test "after rtrack-run is killed, the status of its static command is unknown" {
	cd "$BATS_TEST_TMPDIR"
	static=$(victim burn "${CC:-cc}" -static)
	"$BUILD/rtrack-run" --interval 0.1 "$static" 1 3>&- &
	launcher=$!
	has_rows() { [ "$(cat "$RTRACK_SPOOL"/*/process.csv 2>/dev/null | wc -l)" -gt 2 ]; }
	wait_for has_rows
	run=$(only_run)
	kill -9 "$launcher"
	root=$(jq .pid "$run/run.json")
	# The status of a zombie can still be read.
	is_gone() { [ ! -e "/proc/$root" ] || grep -q ' Z ' "/proc/$root/stat"; }
	wait_for is_gone
	for _ in 1 2; do
		"$BUILD/rtrack-report" stats --format json "$run" >stats.json
		[[ "$(jq -r .run.status stats.json)" =~ ^(running|interrupted|finished)$ ]]
		jq -e '.totals | .exact_cpu == false and .exact_memory == false' stats.json
		[ "$(jq -r .run.status stats.json)" != finished ] || jq -e '.totals.missing_cpu_seconds_at_most == null' stats.json
		wait_for true
	done
}

@test "children of a job that becomes a static program are followed to their end" {
	static=$(victim births gcc -static)
	export RTRACK_INTERVAL=0.1
	# The first child notices at the latest when it ends that sampling has stopped.
	same_every_way sh -c 'exec "$0" fork 3 "$1" 0.6' "$static" "$BURN"
	bare_status_is 0
	run=$(run_of preload)
	wait_for has_ended "$run"
	near "$(total "$run" cpu_seconds)" 1.8 0.1 0.02
	[ "$(rows_in "$run/process.csv")" -ge 8 ]
	column "$run/process.csv" timestamp | sort -nc
}

@test "a new sampling process starts even if LD_PRELOAD has a relative path" {
	cd "$BUILD"
	LIBRARIES=./librtrack.so one_way preload sh -c '"$0" 0.4 & exit 3' "$BURN"
	run=$(run_of preload)
	wait_for has_ended "$run"
	[ "$(cat "$BATS_TEST_TMPDIR/preload.err")" = "" ]
	[ "$(json exit_code "$run/run.json")" = 3 ]
	near "$(total "$run" cpu_seconds)" 0.4 0.05 0.02
}

@test "a new sampling process uses the run's settings" {
	mkfifo "$BATS_TEST_TMPDIR/go"
	RTRACK_MEMORY=rss RTRACK_SPOOL_MAX_MIB=2 RTRACK_MIN_SECONDS=0.01 RTRACK_INTERVAL=0.1 LD_PRELOAD=$LIBRARY \
		sh -c 'sh -c "read x <\$0; $0; sleep 1; exit 0" "$1" & kill -9 $$' "$PASS_BY" "$BATS_TEST_TMPDIR/go" 3>&- || true
	run=$(only_run)
	touch -d '1 minute ago' "$run/system.csv"
	echo >"$BATS_TEST_TMPDIR/go"
	wait_for keeper_has "$run" "$run/system.csv"
	[ "$(tr '\0' '\n' <"/proc/$(pgrep -o -f "rtrack-keeper $run")/environ" | sort | tr '\n' ' ')" = \
		"RTRACK_MEMORY=rss RTRACK_MIN_SECONDS=0.01 RTRACK_SPOOL_MAX_MIB=2 " ]
	wait_for has_ended "$run"
	# Memory is RSS, shared or not, once each process has its own memory. For some time, a child of vfork shares the
	# memory of the shell.
	awk -F, '$15 == 2 { memory = $7; resident = $13 } END { exit !(memory > 0 && memory == resident) }' "$run/process.csv" ||
		{ cat "$run/process.csv"; false; }
}

@test "rtrack-run without close_range: its sampling process keeps no file open" {
	mkfifo "$BATS_TEST_TMPDIR/end"
	"$(victim refuse)" close_range 38 "$BUILD/rtrack-run" sh -c 'read x <"$0" & exit 3' "$BATS_TEST_TMPDIR/end" \
		8>"$BATS_TEST_TMPDIR/held" 2>"$BATS_TEST_TMPDIR/errors" 3>&- || [ $? = 3 ]
	run=$(only_run)
	holder() {
		for keeper in $(pgrep -f "rtrack-run ${RTRACK_SPOOL%/spool}"); do
			! ls -l "/proc/$keeper/fd" | grep -q "$run/system.csv$" || return 0
		done
		return 1
	}
	wait_for holder
	fails sh -c 'ls -l "/proc/$0/fd" | grep -e "$1/held" -e "$1/errors" -e pipe:' "$keeper" "$BATS_TEST_TMPDIR"
	kill "$keeper"
	gone() { [ ! -e "/proc/$keeper" ]; }
	wait_for gone
	echo >"$BATS_TEST_TMPDIR/end"
}

@test "sampling continues if a job calls exec while another process checks its run" {
	need python3
	cd "$BATS_TEST_TMPDIR"
	mkfifo ready
	# The other process usually holds the lock from the exec until the next program has started its thread.
	cat >asks.py <<-'END'
		import fcntl, os, sys, time
		root, lock, asked = f"/proc/{sys.argv[1]}", open(sys.argv[2]), False
		def threads(): return len(os.listdir(f"{root}/task"))
		def ask():
		    try: fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
		    except BlockingIOError: return False
		    return True
		before = os.readlink(f"{root}/exe")
		open("ready", "w").close()
		end = time.monotonic() + 10
		while time.monotonic() < end and (os.readlink(f"{root}/exe") == before or threads() < 2): asked = asked or ask()
		print(threads(), file=open("threads.new", "w"))
		os.rename("threads.new", "threads")
	END
	for _ in 1 2 3; do
		rm -rf spool threads
		status=0
		RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1 LD_PRELOAD=$LIBRARY sh -c 'env -u LD_PRELOAD python3 asks.py $$ spool/*/.lock &
			read x <ready
			exec bash -c "until [ -e threads ]; do :; done; wait; \"\$0\" 0.3; exit 3" "$0"' "$BURN" 3>&- || status=$?
		[ "$status" = 3 ]
		[ "$(cat threads)" = 2 ]
		[ "$(jq -r .status spool/*/run.json)" = failed ]
	done
}
