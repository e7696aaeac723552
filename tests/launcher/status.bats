#!/usr/bin/env bats
# Tests of the exit status of rtrack-run: it is the command's status, or one of three of its own.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

RUN=$BUILD/rtrack-run

# try COMMAND...: runs a command and keeps its status and output. The `run` of bats would warn about status 127.
try() {
	status=0
	output=$("$@" 2>&1) || status=$?
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	ulimit -c 0
}

@test "rtrack-run: all 256 exit codes of a command are passed on" {
	for code in $(seq 0 255); do
		status=0
		"$RUN" sh -c "exit $code" || status=$?
		[ "$status" = "$code" ]
	done
}

@test "rtrack-run: after a death by any signal, the status is 128 plus the signal" {
	not_in_qemu "it keeps some real-time signals for itself"
	not_with_threads_sanitized
	kill=$(victim run_kill)
	deaths=0
	for signal in $(seq 1 64); do
		case $signal in
		19 | 20 | 21 | 22) continue ;; # These signals stop a process.
		esac
		# A shell also reports 128 plus the signal. The parent of the tests may ignore some signals: GNU
		# parallel ignores 14, and make ignores 32 and 33.
		expected=0
		"$kill" "$signal" >/dev/null 2>&1 || expected=$?
		status=0
		"$RUN" "$kill" "$signal" >out 2>err || status=$?
		[ "$status" = "$expected" ] || { echo "signal $signal gave $status"; false; }
		[ "$status" != $((128 + signal)) ] || deaths=$((deaths + 1))
		[ ! -s err ]
		[ ! -s out ]
	done
	[ "$deaths" -ge 53 ]
}

@test "rtrack-run: dumps no core if the command is killed" {
	ulimit -c unlimited 2>/dev/null || skip "core dumps are forbidden here"
	status=0
	"$RUN" sh -c 'ulimit -c 0; kill -SEGV $$' || status=$?
	[ "$status" = 139 ]
	[ -z "$(ls)" ] || [ "$(ls)" = spool ]
}

@test "rtrack-run: if the command does not exist, prints a line and exits with 127" {
	for name in no-such-command ./no-such-command /no/such/command ''; do
		try "$RUN" "$name" argument
		[ "$status" = 127 ]
		[ "$output" = "rtrack-run: '$name' cannot be run: No such file or directory" ]
	done
}

@test "rtrack-run: if the command is not executable, prints a line and exits with 126" {
	echo 'echo hello' >plain
	for name in ./plain /etc; do
		try "$RUN" "$name"
		[ "$status" = 126 ]
		[ "$output" = "rtrack-run: '$name' cannot be run: Permission denied" ]
	done
	try "$RUN" ./plain/below
	[ "$status" = 126 ]
	printf '\177ELF nonsense' >broken
	chmod +x broken
	"$RUN" ./broken 2>/dev/null || status=$?
	[ "$status" = 126 ] || [ "$status" = 127 ] || [ "$status" = 2 ]
}

@test "rtrack-run: prints what to type for a script without x permission or a pipeline" {
	echo 'print("hello")' >job.py
	try "$RUN" ./job.py 1
	[ "$status" = 126 ]
	[ "$output" = "rtrack-run: './job.py' cannot be run: it is not executable; did you mean 'python3 ./job.py'?" ]
	try "$RUN" 'seq 3 | sort'
	[ "$status" = 127 ]
	[ "$output" = "rtrack-run: 'seq 3 | sort' cannot be run: No such file or directory; for a command line or a pipeline: rtrack-run sh -c 'seq 3 | sort'" ]
}

@test "rtrack-run: if --spool cannot be created, prints one line and runs the command" {
	try "$RUN" --spool /proc/nothing sh -c 'echo hello; exit 9'
	[ "$status" = 9 ]
	[[ $output == "rtrack-run: this run has no record: '/proc/nothing/"*"' cannot be made: "*$'\n'hello ]]
	RTRACK_SPOOL=/proc/nothing try "$RUN" sh -c 'echo hello; exit 9'
	[ "$output" = hello ]
}

@test "rtrack-run: a script without a #! line is run by sh, as by execvp" {
	echo 'echo "$1"; exit 9' >script
	chmod +x script
	try "$RUN" ./script hello
	[ "$status" = 9 ]
	[ "$output" = hello ]
}

@test "rtrack-run: a command that could not be started leaves no run" {
	try "$RUN" /no/such/command
	[ "$status" = 127 ]
	[ -z "$(ls "$RTRACK_SPOOL" 2>/dev/null)" ]
}

# bats test_tags=root
@test "rtrack-run: if fork fails, executes the command untracked" {
	not_in_qemu "it needs a thread of its own"
	as_root "become another user"
	setpriv --reuid 65533 --regid 65533 --clear-groups test -x "$RUN" || skip "another user cannot run it here"
	chmod 711 .
	try setpriv --reuid 65533 --regid 65533 --clear-groups sh -c 'ulimit -u 1 2>/dev/null || ulimit -p 1; exec "$@"' sh "$RUN" sh -c 'exit 9'
	[ "$status" = 9 ]
	[ "$output" = "" ]
}

@test "rtrack-run: under RTRACK=off, each status is passed on, also 126 and 127" {
	export RTRACK=off
	"$RUN" true
	try "$RUN" sh -c 'exit 77'
	[ "$status" = 77 ]
	try "$RUN" /no/such/command
	[ "$status" = 127 ]
	try "$RUN" /etc
	[ "$status" = 126 ]
	[ ! -e "$RTRACK_SPOOL" ]
}

@test "rtrack-run: a nested rtrack-run passes the status on and names its parent run" {
	status=0
	"$RUN" --job outer "$RUN" --job inner sh -c 'exit 33' || status=$?
	[ "$status" = 33 ]
	outer=$(basename "$(dirname "$(grep -l '"job": "outer"' "$RTRACK_SPOOL"/*/run.json)")")
	inner=$(grep -l '"job": "inner"' "$RTRACK_SPOOL"/*/run.json)
	grep -qF "\"parent\": \"$outer\"" "$inner"
}
