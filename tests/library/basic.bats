#!/usr/bin/env bats
# Tests that the library does not change the host's descriptors, threads, signals, environment, exit or forks
# (docs/hazards.md)
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	STATE=$(victim state)
	EXECS=$(victim execs)
	WAYS_PREFIX=("$EXECS" clean)
}

# host_state WAY: prints the state of a process that is run in this way, without the lines that may differ from an
# untracked run.
host_state() {
	grep -v -e '^threads:' -e '^environment: RTRACK_RUN=' -e '^environment: RTRACK_SPOOL=' -e '^environment: LD_PRELOAD=' "$BATS_TEST_TMPDIR/$1.out"
}

same_state() {
	local way
	for way in bare preload launcher; do
		one_way $way "$@"
	done
	grep -qx 'first descriptor: 3' bare.out
	grep -qx 'threads: 1' bare.out
	diff <(host_state bare) <(host_state preload)
	diff <(host_state bare) <(host_state launcher)
	grep -qx 'threads: 1' launcher.out
}

@test "the first process keeps descriptors, signals, umask, directory and environment" {
	umask 027
	same_state "$STATE"
	grep -qx 'threads: 2' preload.out
	grep -qx 'single-threaded: 1' preload.out
}

@test "a child process has the same environment, and no extra thread" {
	for shell in 'sh' 'bash'; do
		same_state $shell -c '"$0"; true' "$STATE"
		grep -qx 'threads: 1' preload.out
		[ "$(grep -c '^environment: RTRACK_RUN=' launcher.out)" = 1 ]
	done
}

@test "the first file that a program opens always gets descriptor 3" {
	for i in $(seq 1 30); do
		one_way preload "$STATE"
		grep -qx 'first descriptor: 3' preload.out
		grep -qx 'descriptors: 4' preload.out
	done
}

@test "blocked and ignored signals stay as the parent left them" {
	for signals in --ignore-signal=INT,USR1 --block-signal=TERM,RTMIN; do
		WAYS_PREFIX=("$EXECS" clean env $signals)
		same_state "$STATE"
	done
}

@test "however a process ends, its exit status is the same as without tracking" {
	ends=$(victim ends)
	for how in return exit _exit _Exit quick_exit exit_group raw_exit pthread_exit_then_exit; do
		for status in 0 1 77 255; do
			same_every_way "$ends" $how $status
			bare_status_is $status
			for way in preload launcher; do
				run=$(run_of $way)
				said=$(json exit_code "$run/run.json")
				record=$(awk -F, 'NR > 1 { print $14, $16, $17 }' "$run/exit.csv")
				echo "$how $status, $way: exit_code $said, record $record"
				[ "$said" = "$status" ]
				[ "$record" = "$status \"self\" 1" ]
				rm -r "$(spool_of $way)"
			done
		done
	done
	same_every_way "$ends" pthread_exit
	same_every_way sh -c '"$0" raw_exit 5; echo $?; "$0" _exit 6; echo $?' "$ends"
}

@test "a signal ends a program as if untracked, and rtrack-run records the signal" {
	ends=$(victim ends)
	for how in abort segv 'signal 9' 'signal 15' 'signal 10'; do
		same_every_way "$ends" $how
		run=$(run_of launcher)
		[ "$(json status "$run/run.json")" = killed ]
		[ "$(json exit_signal "$run/run.json")" = $(($(cat bare.status) - 128)) ]
		rm -r "$(spool_of launcher)"
	done
}

@test "the run can be read after SIGKILL of its first process" {
	export RTRACK_INTERVAL=0.01
	one_way preload sh -c 'until [ "$(wc -l <"$(echo "$RTRACK_SPOOL"/*/process.csv)")" -gt 5 ]; do :; done; kill -9 $$'
	[ "$(cat preload.status)" = 137 ]
	run=$(run_of preload)
	[ "$(rows_in "$run/process.csv")" -ge 5 ]
	"$BUILD/rtrack-report" stats "$run" >/dev/null
	"$BUILD/rtrack-report" show -v "$run" >/dev/null
}

@test "every way of creating a child process works the same when tracked" {
	births=$(victim births)
	for how in fork vfork posix_spawn clone raw_exit thread system handler _Fork; do
		same_every_way "$births" $how 3
		bare_status_is 0
		[ "$(wc -l <bare.out)" = 3 ]
		# If a child shares its parent's memory, its end must not be recorded as the end of the parent.
		run=$(run_of preload)
		[ "$(grep -c "^[^,]*,$(json pid "$run/run.json"),.*\"self\"" "$run/exit.csv")" = 1 ]
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
	for how in fork vfork posix_spawn; do
		same_every_way "$births" $how 3 sh -c 'sh -c "exit 2" || exit 9'
		grep -qx 9 bare.out
	done
}

@test "a fork in a constructor works, whichever constructor runs first" {
	births=$(victim births)
	export BIRTHS_IN_CONSTRUCTOR=21
	same_every_way "$births" constructor 1
	[ "$(cat bare.out)" = 21 ]
}

@test "a program that closes all descriptors can reuse their numbers" {
	export RTRACK_INTERVAL=0.001
	closefrom=$(victim closefrom)
	same_every_way "$closefrom" 200
	same_every_way sh -c '"$0" 100' "$closefrom"
	bare_says 'damaged: 0'
}

@test "programs with an empty argument list or program name work" {
	same_state "$EXECS" no-arguments "$STATE"
	same_state "$EXECS" empty-name "$STATE" x
}

@test "a command line of one megabyte works, and the recorded text is truncated" {
	same_every_way "$EXECS" long 16 sh -c 'echo $#; exit 4'
	bare_status_is 4
	bare_says '^15$'
	for way in preload launcher; do
		[ "$(wc -L <"$(run_of $way)/start.csv")" -le 4096 ]
	done
}

@test "arguments, names and directories that are not UTF-8 work" {
	mkdir "$(printf 'd\377r')"
	cp "$(type -P echo)" "$(printf 'd\377r/e\376ho "quoted",\nline')"
	same_every_way "$(printf 'd\377r/e\376ho "quoted",\nline')" "$(printf '\300\257 "x", \t\001\n')"
	bare_status_is 0
	for way in preload launcher; do
		run=$(run_of $way)
		"$BUILD/rtrack-report" stats --format json "$run" >/dev/null
		[ "$(rows_in "$run/start.csv")" = 1 ]
	done
}

@test "programs work and stay in one run if LD_PRELOAD is the only variable" {
	same_state "$EXECS" empty-environment "$STATE"
	[ -n "$(run_of preload)" ]
	rm -r "$(spool_of preload)" "$(spool_of launcher)"
	same_state sh -c '"$0" empty-environment "$1"; true' "$EXECS" "$STATE"
	for way in preload launcher; do
		[ "$(cut -d, -f5 "$(run_of $way)/start.csv" | grep -c state)" -ge 1 ]
	done
}

@test "a library that is preloaded twice records each process once" {
	for second in "$LIBRARY" "$PWD/copy.so"; do
		cp "$LIBRARY" copy.so
		LIBRARIES="$LIBRARY $second"
		one_way preload sh -c '"$0" x; exit 3' "$STATE"
		one_way bare sh -c '"$0" x; exit 3' "$STATE"
		[ "$(cat preload.status)" = 3 ]
		diff <(host_state bare) <(host_state preload)
		run_of preload
		rm -r "$(spool_of preload)"
	done
}

@test "a failed job whose first program uses musl is not reported as a success" {
	need musl-gcc
	echo 'int main(void) { return 4; }' >four.c
	musl-gcc -o four four.c
	export RTRACK_MIN_SECONDS=0
	same_every_way ./four
	bare_status_is 4
	"$BUILD/rtrack-report" show -v "$(run_of preload)" | grep -q '^four finished with an unknown exit status in '
	"$BUILD/rtrack-report" show -v "$(run_of launcher)" | grep -q '^four failed with exit status 4 after '
}

@test "a program linked with musl behaves the same when tracked" {
	need musl-gcc
	same_state "$(victim state musl-gcc)"
	for way in preload launcher; do
		run=$(run_of $way)
		case $way:$(json exit_code "$run/run.json") in
		preload:null | *:0) ;; # exit() of musl does not pass the status to handlers.
		*) return 1 ;;
		esac
		grep -q '"self"' "$run/exit.csv"
		rm -r "$(spool_of $way)"
	done
	for how in fork posix_spawn system; do
		same_every_way "$(victim births musl-gcc)" $how 3
	done
	same_every_way "$(victim ends musl-gcc)" _exit 9
}

@test "musl programs started by glibc programs, and the reverse, are recorded" {
	need musl-gcc
	same_every_way "$(victim births)" fork 2 "$(victim births musl-gcc)" fork 1 sh -c 'exit 5'
	for way in preload launcher; do
		[ "$(cut -d, -f5 "$(run_of $way)/start.csv" | grep -c musl)" -ge 2 ]
	done
}

@test "the library needs no other library, and exports only interposed functions" {
	need nm
	named=$(sed -n '/global:/,/local:/p' "$PROJECT/preload/librtrack.map" |
		grep -o '[A-Za-z_][A-Za-z0-9_]*;' | tr -d ';' | sort)
	exported=$(nm -D --defined-only "$LIBRARY" | awk '{ print $NF }' | sed 's/@.*//' | sort)
	[ -n "$named" ]
	diff <(echo "$named") <(echo "$exported")
	fails grep -w U <(nm -D --undefined-only "$LIBRARY")
	fails grep NEEDED <(readelf -d "$LIBRARY")
	[ "$(stat -c %s "$LIBRARY")" -gt 0 ]
}

@test "pthread_join on the main thread returns when the main thread ends" {
	headless=$(victim headless)
	# Under LD_PRELOAD alone, the sampling thread also waits for the main thread's end. The kernel wakes only one of
	# the two waiters.
	export RTRACK_INTERVAL=0.1
	for _ in {1..30}; do
		status=0
		timeout 60 env LD_PRELOAD="$LIBRARY" "$headless" 1 20 >/dev/null || status=$?
		[ "$status" = 0 ]
	done
}
