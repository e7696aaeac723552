#!/usr/bin/env bats
# Tests of rtrack-run --mark: a shell script marks moments and parts of its own run.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper

setup() {
	RUN="$BUILD/rtrack-run"
	cd "$BATS_TEST_TMPDIR"
	cat >job.sh <<-END
		"$RUN" --mark "begin load"
		i=0; while [ \$i -lt 3000 ]; do i=\$((i + 1)); done
		"$RUN" --mark "end load"
		"$RUN" --mark 'all, "loaded"'
		echo out
	END
}

@test "rtrack-run --mark: writes a row with the pid of the shell to mark.csv" {
	for way in "$RUN" preload; do
		rm -rf "$RTRACK_SPOOL"
		[ "$($way sh job.sh)" = out ]
		run=$(only_run)
		[ "$(column "$run/mark.csv" pid | sort -u)" = "$(json pid "$run/run.json")" ]
		[ "$(sed -E 's/^([^,]*,){2}//; s/(,[^",]*|,"[a-z_]*"){5}$//' "$run/mark.csv")" = $'"label"\n"begin load"\n"end load"\n"all, ""loaded"""' ]
		[ "$("$BUILD/rtrack-report" show --format json | jq -c '.parts[] | [.name, .times, .ended]')" = '["load",1,true]' ]
		# rtrack-run is a static program. Other static programs count as programs that may have unseen children.
		[ "$("$BUILD/rtrack-report" stats --format json | jq -c '.totals | [.processes, .ended_unseen]')" = '[4,0]' ]
	done
}

@test "rtrack-run --mark: a large program that calls it does not raise its peak" {
	not_in_qemu "the peak of a program is the emulator's"
	"$RUN" python3 -c 'import subprocess, sys; large = bytearray(90 << 20); subprocess.run([sys.argv[1], "--mark", "x"])' "$RUN"
	run=$(only_run)
	pid=$(awk -F, '/rtrack-run --mark/ { print $2 }' "$run/start.csv")
	awk -F, -v pid="$pid" '$2 == pid { found = $7 < 20 } END { exit !found }' "$run/exit.csv"
}

@test "rtrack_mark: the peak memory in a mark excludes the peak of a large parent" {
	not_in_qemu "the peak of a program is the emulator's"
	"$RUN" python3 -c 'import subprocess, sys; large = bytearray(b"x") * (120 << 20); subprocess.run([sys.executable, "-c",
sys.argv[1]], close_fds=False)' 'import ctypes; held = bytearray(b"x") * (30 << 20); ctypes.CDLL(None).rtrack_mark(b"x")'
	awk -F, 'NR == 2 { own = $4 > 30 && $4 < 80 } END { exit !own }' "$(only_run)/mark.csv"
}

@test "rtrack-run --mark: does nothing outside a run, and refuses a command" {
	[ -z "$(env -u RTRACK_RUN "$RUN" --mark x 2>&1)" ]
	[ ! -e "$RTRACK_SPOOL" ]
	run -125 --separate-stderr "$RUN" --mark x true
	[ "$stderr" = "rtrack-run: --mark takes no command" ]
	run -125 --separate-stderr "$RUN" --mark ""
	[ "$stderr" = "rtrack-run: --mark '': expected a text" ]
	run -125 --separate-stderr env RTRACK_RUN="$PWD/nowhere" "$RUN" --mark x
	[[ $stderr == "rtrack-run: the mark cannot be written to '$PWD/nowhere'" ]]
}

@test "rtrack-run --mark: truncates a label to 512 bytes" {
	"$RUN" sh -c '"$1" --mark "$2"; true' sh "$RUN" "$(printf 'x%.0s' {1..2000})"
	[ "$(wc -l <"$(only_run)/mark.csv")" -eq 2 ]
	[ "$(tail -1 "$(only_run)/mark.csv" | cut -d, -f3 | tr -d '"\n' | wc -c)" -eq 512 ]
}
