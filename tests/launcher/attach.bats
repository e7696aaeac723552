#!/usr/bin/env bats
# Tests of rtrack-run --attach, which follows a running process from outside
# bats file_tags=quick

bats_require_minimum_version 1.5.0

load ../lib/helper

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	[ -z "${followed:-}" ] || kill "$followed" 2>/dev/null || true
}

# start_burner: starts a program that uses CPU time, waits for a line, uses more, and runs a child. `followed` is its
# pid.
start_burner() {
	cat >burn.py <<-'END'
		import subprocess, sys, time
		def burn(seconds):
		    begin = time.process_time()
		    while time.process_time() - begin < seconds:
		        pass
		burn(float(sys.argv[1]))
		print("burnt", flush=True)
		sys.stdin.readline()
		burn(float(sys.argv[2]))
		if len(sys.argv) > 3:
		    subprocess.run([sys.executable, __file__, "0", sys.argv[3]], stdin=subprocess.DEVNULL)
		time.sleep(0.5)
	END
	mkfifo gate
	python3 burn.py "$@" <gate >said 3>&- &
	followed=$!
	exec 7>gate
	for ((i = 0; i < 400; i++)); do
		! grep -q burnt said || return 0
		sleep 0.05
	done
	return 1
}

followed_row() {
	local rows=("$RTRACK_SPOOL"/*/process.csv)
	[ -f "${rows[0]}" ] && [ "$(wc -l <"${rows[0]}")" -gt 1 ]
}

@test "rtrack-run --attach: counts only what the process uses after attaching" {
	start_burner 1.2 0.5 0.3
	"$RUN" --interval 0.1 --attach "$followed" 3>&- 7>&- &
	local tracker=$!
	for ((i = 0; i < 100; i++)); do ! followed_row || break; sleep 0.1; done
	echo >&7
	wait "$tracker"
	run=$(only_run)
	[ "$(json tracker.mode "$run/run.json")" = attach ]
	[ "$(json pid "$run/run.json")" = "$followed" ]
	[ "$(json job "$run/run.json")" = burn.py ]
	[ "$(json status "$run/run.json")" = finished ]
	jq -e '.tracker.attached_after > 1.1' "$run/run.json"
	"$BUILD/rtrack-report" stats --format json | jq .totals
	"$BUILD/rtrack-report" stats --format json |
		jq -e '.totals.cpu_seconds > 0.7 and .totals.cpu_seconds < 1.2 and .totals.processes == 2'
	"$BUILD/rtrack-report" show -v | grep -E '^followed from .* after its start$'
	# Exit records also count only the usage after attaching.
	column "$run/exit.csv" utime | awk '{ sum += $1 } END { exit !(sum < 1.2) }'
}

@test "rtrack-run --attach: SIGINT ends rtrack-run with status 0, but not the process" {
	sleep 60 3>&- &
	followed=$!
	"$RUN" --interval 0.1 --attach "$followed" 3>&- &
	local tracker=$!
	for ((i = 0; i < 100; i++)); do ! followed_row || break; sleep 0.1; done
	kill -INT "$tracker"
	wait "$tracker"
	kill -0 "$followed"
	run=$(only_run)
	[ "$(json status "$run/run.json")" = finished ]
	[ "$(json exit_code "$run/run.json")" = null ]
}

@test "rtrack-run --attach: a clear message names a process that cannot be followed" {
	local none=4194000
	[ ! -d /proc/$none ]
	run -125 "$RUN" --attach $none
	[ "$output" = "rtrack-run: process $none does not exist, or the system hides it from this user" ]
	run -125 "$RUN" --attach $$ true
	[ "$output" = "rtrack-run: --attach takes no command" ]
	run -125 "$RUN" --attach 0
	[ "$output" = "rtrack-run: --attach '0': expected the number of a process" ]
	run -125 "$RUN" --attach $$ --max-seconds 3
	[[ $output == "rtrack-run: --attach does not work with "* ]]
	[ ! -e "$RTRACK_SPOOL" ]
}

# attach_as_other HIDEPID: another user attaches to a process of root, in namespaces where /proc is mounted with that
# hidepid option. Without --foreground, timeout would also send SIGCONT. If that signal arrives while LeakSanitizer stops
# the process at its end, LeakSanitizer waits forever.
attach_as_other() {
	run unshare --mount --pid --fork --kill-child sh -c '
		mount -t proc -o hidepid="$0" proc /proc || exit 99
		sleep 60 3>&- &
		setpriv --reuid 65534 --regid 65534 --clear-groups timeout --foreground -s INT 1 "$1" --interval 0.1 --attach $!
		status=$?
		kill $!
		exit $status' "$1" "$other/rtrack-run"
	[ "$status" != 99 ] || skip "/proc cannot be mounted here"
	echo "$output"
}

# bats test_tags=root
@test "rtrack-run --attach: follows another user's process if the kernel allows" {
	as_root "be followed by another user"
	not_in_qemu "it says that nothing is denied"
	local other
	other=$(mktemp -d) # Other users cannot enter BATS_TEST_TMPDIR.
	chmod 1777 "$other"
	cp "$RUN" "$other/rtrack-run"
	export RTRACK_SPOOL=$other/spool
	attach_as_other 2
	[[ $output == "rtrack-run: process "*" cannot be followed: Permission denied" ]]
	[ ! -e "$RTRACK_SPOOL" ]
	attach_as_other 0
	[[ $output == *" is another user's, or protected: "* ]]
	[ "$(column "$(only_run)/process.csv" timestamp | wc -l)" -gt 2 ]
	rm -r "$other"
}

# A complete run of the job uses 60 MiB. The attached run starts at 20 MiB. Neither run may count in the other's
# history.
@test "rtrack-run --attach: an attached run does not count in the history of the job" {
	local hold='import sys, time; held = bytearray(int(sys.argv[1]) << 20); print(1, flush=True); time.sleep(float(sys.argv[2]))'
	for ((i = 0; i < 2; i++)); do "$RUN" --interval 0.1 --job fit python3 -c "$hold" 60 0.5 >out; done
	history() { "$BUILD/rtrack-report" stats --format json | jq -c '[.history.runs, .history.stats.process_memory_mib.max]'; }
	trend() { "$BUILD/rtrack-report" list --trend --format json | jq -c '.[] | [.job, .runs, .not_finished, .medians]'; }
	whole=$(history)
	[[ "$whole" == "[1,"* ]]
	median=$(trend | jq '.[3].peak_memory_mib')
	python3 -c "$hold" 300 60 >said 3>&- &
	followed=$!
	until grep -q 1 said; do sleep 0.05; done
	for ((i = 0; i < 2; i++)); do timeout --foreground -s INT 0.5 "$RUN" --interval 0.1 --job fit --attach "$followed" || [ $? -eq 124 ]; done
	"$BUILD/rtrack-report" stats --format json | jq -e '.history.runs == 2 and .history.stats.process_memory_mib.max < 300'
	[ "$(trend | jq -c '[.[1], .[2], .[3].peak_memory_mib]')" = "[4,0,$median]" ]
	"$BUILD/rtrack-report" recommend --format json | jq -e '.basis.finished == 2 and .resources.memory > 300'
	# A complete run that follows is not compared with the attached run either.
	"$RUN" --interval 0.1 --job fit python3 -c "$hold" 60 0.2 >out
	[ "$(history | jq '.[0]')" = 2 ]
	before=$("$BUILD/rtrack-report" compare fit - --format json | jq -r .b.id)
	[ "$(json tracker.mode "$RTRACK_SPOOL/$before/run.json")" = launcher ]
}
