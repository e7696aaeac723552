#!/usr/bin/env bats
# Tests of the totals of processes that write no record: static, killed and daemonised ones. Expected values come from
# the kernel's account of the same tree, which a subreaper reads.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	BURN=$(victim burn)
	export RTRACK_INTERVAL=0.1
}

# held_against_the_kernel COMMAND...: runs a command under rtrack-run and, inside it, under account, and compares their
# CPU time.
held_against_the_kernel() {
	local account run
	account=$(victim account)
	one_way launcher "$account" "$BATS_TEST_TMPDIR/account" "$@"
	run=$(run_of launcher)
	near "$(total "$run" cpu_seconds)" "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/account")" 0.02 0.01
}

@test "many short children are in the totals" {
	held_against_the_kernel sh -c 'i=0; while [ $i -lt 200 ]; do "$0" 0.005; i=$((i + 1)); done' "$BURN"
	near "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/account")" 1.4 0.4
}

@test "a statically linked child is in the totals" {
	static=$(victim burn "${CC:-cc}" -static)
	held_against_the_kernel sh -c '"$0" 0.3; "$0" 0.15 3' "$static"
	near "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/account")" 0.45 0.03
}

@test "killed children are in the totals" {
	held_against_the_kernel "$BURN" 0.5 4 kill
	near "$(cut -d' ' -f1 "$BATS_TEST_TMPDIR/account")" 0.5 0.03
	run=$(run_of launcher)
	[ "$(grep -c '"sampler"' "$run/exit.csv")" = 4 ]
	[ "$(total "$run" processes)" = 6 ]
}

@test "a daemonised child is in the totals, with and without another subreaper" {
	daemonize=$(victim daemonize)
	held_against_the_kernel "$daemonize" "$BURN" 0.4
	rm -r "$(spool_of launcher)"
	one_way launcher "$daemonize" "$BURN" 0.4
	near "$(total "$(run_of launcher)" cpu_seconds)" 0.4 0.02 0.01
}

@test "a static daemon that is killed is in the totals" {
	static=$(victim burn "${CC:-cc}" -static)
	one_way launcher "$(victim daemonize)" "$static" 0.4 2 kill
	near "$(total "$(run_of launcher)" cpu_seconds)" 0.4 0.02 0.01
}

@test "without rtrack-run, killed and static children are also in the totals" {
	static=$(victim burn "${CC:-cc}" -static)
	one_way preload sh -c '"$0" 0.4 2 kill; "$1" 0.3; true' "$BURN" "$static"
	near "$(total "$(run_of preload)" cpu_seconds)" 0.7 0.02 0.01
}

# began_then RUN: fails unless the start row of the killed process has its true start time, by the clock of the root's
# own row.
began_then() {
	python3 - "$1" <<-'END'
		import csv, json, sys
		root = json.load(open(sys.argv[1] + "/run.json"))["pid"]
		starts, ends = (list(csv.DictReader(open(sys.argv[1] + name))) for name in ("/start.csv", "/exit.csv"))
		killed = next(row["pid"] for row in ends if row["exit_signal"] == "9")
		first, row = (next(row for row in starts if row["pid"] == pid) for pid in (str(root), killed))
		late = float(row["timestamp"]) - float(first["timestamp"]) - (int(row["start_ticks"]) - int(first["start_ticks"])) / 100
		print(late)
		assert abs(late) < 0.05
	END
}

@test "the start time of a child without a record is not the time of its first sample" {
	need python3
	export RTRACK_INTERVAL=0.5
	for way in preload launcher; do
		one_way $way python3 -c '
import os, signal, time
child = os.fork()
if child == 0:
    time.sleep(60)
time.sleep(1.2)
os.kill(child, signal.SIGKILL)
os.wait()'
		began_then "$(run_of $way)"
	done
}
