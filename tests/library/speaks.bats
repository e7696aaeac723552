#!/usr/bin/env bats
# Tests of programs that call the tracker through include/rtrack.h, or load the library while they run
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	speaks=$(victim speaks)
}

says() {
	diff - <(printf '%s\n' "$output")
}

@test "rtrack.h: without the library, every call returns -1" {
	run "$speaks" mark x flush stop
	printf '%s\n' 'mark -1' 'flush -1' 'stop -1' | says
}

@test "rtrack.h: a mark set by any process is a row of mark.csv" {
	RTRACK_INTERVAL=3600 preload "$speaks" mark 'loaded, "all"' system "$speaks mark child" mark $'two\nlines'
	run=$(only_run)
	[[ $(head -1 "$run/mark.csv") == '"timestamp","pid","label",'* ]]
	[ "$(sed -nE 's/^[0-9.]+,[0-9]+,(".*")(,[0-9.]*){5}$/\1/p' "$run/mark.csv")" = "$(printf '%s\n' '"loaded, ""all"""' '"child"' '"two lines"')" ]
	column "$run/mark.csv" timestamp | sort -nc
	rm -r "$RTRACK_SPOOL"
	run "$BUILD/rtrack-run" "$speaks" mark x
	printf 'mark 0\n' | says
	[ -s "$(only_run)/mark.csv" ]
}

@test "rtrack.h: if processes set their first marks at the same time, all are kept" {
	# Twenty processes wait for the same pipe, eight times. In an earlier version, a header that was written
	# separately overwrote a row.
	for _ in 1 2 3 4 5 6 7 8; do
		preload sh -c '
			mkfifo gate && exec 9<>gate
			for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
				(read -r _ <&9; exec "$0" mark "mark $i") >/dev/null &
			done
			printf "\n%.0s" 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 >gate
			wait; rm gate' "$speaks"
		[ "$(grep -c ',"mark [0-9]*",' "$(only_run)/mark.csv")" = 20 ]
		[[ $(head -1 "$(only_run)/mark.csv") == '"timestamp","pid","label",'* ]]
		"$BUILD/rtrack-report" show --format json 2>said | jq -e '.marks | length == 20'
		[ ! -s said ]
		rm -r "$RTRACK_SPOOL"
	done
}

@test "rtrack.h: a run without marks has no mark.csv" {
	preload true
	[ ! -e "$(only_run)/mark.csv" ]
}

@test "rtrack.h: rtrack_flush writes a row immediately, even if two threads call it" {
	export RTRACK_INTERVAL=3600
	run preload "$speaks" burn flush burn flush
	printf '%s\n' 'flush 0' 'flush 0' | says
	run=$(only_run)
	paste -d ' ' <(column "$run/process.csv" utime) <(column "$run/process.csv" stime) |
		awk '{ row[NR] = $1 + $2 } END { exit !(NR == 3 && row[1] > 0.15 && row[2] > 0.15 && row[3] < 0.05) }'
	rm -r "$RTRACK_SPOOL"
	run preload "$speaks" threads
	printf 'threads 0\n' | says
	run "$BUILD/rtrack-run" "$speaks" flush
	printf 'flush -1\n' | says
}

@test "rtrack.h: rtrack_stop in the first process ends the run, but not the program" {
	run preload "$speaks" burn stop burn stop mark late flush system true
	printf '%s\n' 'stop 0' 'stop -1' 'mark -1' 'flush -1' 'system 0' | says
	run=$(only_run)
	[ "$(jq -r .status "$run/run.json")" = finished ]
	near "$(total "$run" cpu_seconds)" 0.2 0.03
	[ "$(grep -c . "$run/exit.csv")" = 2 ]
}

@test "rtrack.h: rtrack_stop in a child ends tracking of the child, but not the run" {
	preload sh -c '"$0" stop burn; "$0" burn' "$speaks"
	run=$(only_run)
	[ "$(jq -r .status "$run/run.json")" = finished ]
	near "$(total "$run" cpu_seconds)" 0.4 0.05
}

@test "a program that loads the library is tracked from then on, with its children" {
	export RTRACK_INTERVAL=0.05
	run "$speaks" burn open "$LIBRARY" burn mark opened system "$speaks burn" flush
	printf '%s\n' 'open 1' 'mark 0' 'system 0' 'flush 0' | says
	run=$(only_run)
	[ "$(jq -r .status "$run/run.json")" = finished ]
	near "$(total "$run" cpu_seconds)" 0.4 0.05
	[ "$(column "$run/mark.csv" label)" = '"opened"' ]
}

@test "a program that loads the library keeps its environment and can stop tracking" {
	run "$speaks" open "$LIBRARY" system 'test -z "$RTRACK_RUN"' stop burn
	printf '%s\n' 'open 1' 'system 0' 'stop 0' | says
	[ "$(jq -r .status "$(only_run)/run.json")" = finished ]
}

@test "rtrack.h: rtrack_start begins another run after rtrack_stop" {
	run "$speaks" open "$LIBRARY" start stop burn start burn mark second start
	printf '%s\n' 'open 1' 'start -1' 'stop 0' 'start 0' 'mark 0' 'start -1' | says
	[ "$(jq -r .status "$RTRACK_SPOOL"/*/run.json | paste -sd' ')" = 'finished finished' ]
	second=$(dirname "$(ls "$RTRACK_SPOOL"/*/mark.csv)")
	near "$(total "$second" cpu_seconds)" 0.2 0.05
	# Under LD_PRELOAD, the environment names the first run.
	rm -r "$RTRACK_SPOOL"
	run preload "$speaks" stop start
	printf '%s\n' 'stop 0' 'start -1' | says
	only_run
}

@test "Python loads the library and sets marks with ctypes" {
	need python3
	run python3 -c '
import ctypes, sys
library = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
sum(range(3000000))
print(library.rtrack_mark(b"counted"), library.rtrack_stop())' "$LIBRARY"
	printf '0 0\n' | says
	[ "$(column "$(only_run)/mark.csv" label)" = '"counted"' ]
}

@test "a program that loaded the library late and calls _exit is not reported as killed" {
	need python3
	python3 -c '
import ctypes, os, sys
ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL).rtrack_flush()
held = bytearray(100 << 20)
sum(range(3000000))
os._exit(0)' "$LIBRARY"
	"$BUILD/rtrack-report" list --format json | jq -e '.[0].status == "unknown"'
	"$BUILD/rtrack-report" show -v | grep -q 'ended with an unknown status'
}
