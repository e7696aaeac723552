#!/usr/bin/env bats
# Tests with other preloaded libraries, and under programs that inspect other programs (docs/hazards.md)

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_INTERVAL=0.01
}

# installed NAME: sets NEIGHBOUR to the path of an installed library with this base name.
installed() {
	local path
	for path in /usr/lib/"$(uname -m)"-linux-gnu{,/faketime,/libfakeroot}/"$1"; do
		[ ! -e "$path" ] || { NEIGHBOUR=$path && return; }
	done
	return 1
}

# same_beside COMMAND...: runs a command with NEIGHBOUR alone, then with our library after it, then with our library
# before it.
same_beside() {
	local way order
	WAYS_PREFIX=(env "LD_PRELOAD=$NEIGHBOUR")
	for order in "$NEIGHBOUR:$LIBRARY" "$LIBRARY:$NEIGHBOUR"; do
		LIBRARIES=$order
		same_every_way "$@"
		for way in preload launcher; do
			run=$(run_of $way)
			[ "$(rows_in "$run/start.csv")" -ge 1 ]
			cp -r "$run" "last-$way"
			rm -r "$(spool_of $way)"
		done
	done
}

# a job that allocates memory and forks in many programs, and prints which allocator is active
ALLOCATING='grep -o "/lib[a-z]*malloc[^/ ]*" /proc/self/maps | sort -u; "$0" fork 20; seq 1 20000 | sort -n | tail -1; exit 6'

@test "jemalloc works before and after the library in LD_PRELOAD" {
	need libjemalloc2
	installed libjemalloc.so.2
	same_beside bash -c "$ALLOCATING" "$(victim births)"
	bare_status_is 6
	bare_says '^/libjemalloc'
}

@test "tcmalloc works before and after the library in LD_PRELOAD" {
	need libtcmalloc-minimal4
	installed libtcmalloc_minimal.so.4
	same_beside bash -c "$ALLOCATING" "$(victim births)"
	bare_status_is 6
	bare_says '^/libtcmalloc'
}

@test "mimalloc works before and after the library in LD_PRELOAD" {
	need libmimalloc2.0
	installed libmimalloc.so.2.0
	same_beside bash -c "$ALLOCATING" "$(victim births)"
	bare_status_is 6
	bare_says '^/libmimalloc'
}

@test "libfaketime changes the program's clock, but not the recorded timestamps" {
	need libfaketime
	installed libfaketime.so.1
	export FAKETIME='@2001-02-03 04:05:06' FAKETIME_DONT_RESET=1
	now=$(date +%s)
	same_beside sh -c 'date +%Y; sleep 0.1; exit 5'
	bare_status_is 5
	bare_says '^2001$'
	for way in preload launcher; do
		column last-$way/process.csv timestamp | awk -v now="$now" '$1 < now - 1 || $1 > now + 3600 { exit 1 }'
	done
}

@test "libeatmydata works before and after the library in LD_PRELOAD" {
	need libeatmydata1
	installed libeatmydata.so
	same_beside sh -c 'echo x | dd of=file conv=fsync status=none; cat file; exit 4'
	bare_status_is 4
	bare_says '^x$'
}

@test "fakeroot works outside rtrack-run, and beside the library in LD_PRELOAD" {
	need fakeroot
	fakeroot true || skip "fakeroot does not work here"
	job='touch file; chown 5 file; stat -c %u file; rm file; exit 6'
	same_every_way fakeroot sh -c "$job"
	bare_status_is 6
	bare_says '^5$'
	for order in '$0:$LD_PRELOAD' '$LD_PRELOAD:$0'; do
		status=0
		output=$(fakeroot sh -c "LD_PRELOAD=$order exec sh -c '$job'" "$LIBRARY" 2>&1) || status=$?
		echo "$order: $status, $output"
		[ "$status" = 6 ]
		[ "$output" = 5 ]
	done
}

@test "programs with clang's and gcc's sanitizers behave the same when tracked" {
	need clang
	for flag in address undefined thread memory leak; do
		for compiler in clang gcc; do
			# gcc's address and leak sanitizers must be the first library. Another test shows that
			# rtrack-run arranges this. gcc has no memory sanitizer.
			case $compiler:$flag in
			gcc:address | gcc:leak | gcc:memory) continue ;;
			esac
			"$compiler" -fsanitize=$flag -x c -o sane - <<<'int main(void) { return 0; }' 2>/dev/null || continue
			./sane 2>/dev/null || continue
			for how in fork posix_spawn thread system; do
				echo "$compiler, $flag, $how"
				same_every_way "$(victim births $compiler -g -fsanitize=$flag)" $how 3
				bare_status_is 0
			done
			same_every_way "$(victim ends $compiler -g -fsanitize=$flag)" quick_exit 5
			bare_status_is 5
		done
	done
}

@test "programs under valgrind behave the same when tracked" {
	need valgrind
	valgrind -q true 2>/dev/null || skip "valgrind does not work here"
	same_every_way valgrind -q "$(victim births)" fork 2
	bare_status_is 0
	same_every_way valgrind -q --tool=none --trace-children=yes sh -c 'sh -c "exit 3" || exit 4'
	bare_status_is 4
	for way in bare preload; do
		one_way $way valgrind -q --leak-check=full --error-exitcode=9 "$(victim ends)" return 5
	done
	looks_bare preload
	bare_status_is 5
}

@test "programs under strace behave the same when tracked" {
	need strace
	strace -o /dev/null true 2>/dev/null || skip "tracing is not allowed here"
	same_every_way strace -f -o /dev/null sh -c '"$0" fork 3; exit 4' "$(victim births)"
	bare_status_is 4
	same_every_way strace -f -o /dev/null "$(victim ends)" pthread_exit
}

@test "programs under gdb run as if untracked, except for one more thread" {
	need gdb
	gdb -q -batch -ex run --args true >/dev/null 2>&1 || skip "tracing is not allowed here"
	for way in bare preload; do
		one_way $way gdb -q -nx -batch -ex 'set startup-with-shell off' -ex 'break main' -ex run -ex continue \
			--args "$(victim ends)" _exit 7
		grep -q 'exited with code 07' $way.out
	done
	diff bare.status preload.status
	for way in bare preload; do
		one_way $way gdb -q -nx -batch -ex 'set follow-fork-mode child' -ex run --args "$(victim births)" fork 1 sh -c 'exit 5'
		grep -q 'exited with code 05' $way.out
	done
	diff bare.status preload.status
}

@test "programs under perf behave the same when tracked" {
	need perf
	perf stat -o /dev/null -e task-clock true 2>/dev/null || skip "perf may not count here"
	same_every_way perf stat -o /dev/null -e task-clock sh -c '"$0" fork 3; exit 4' "$(victim births)"
	bare_status_is 4
	need perf
	perf record -q -o bare.data true 2>/dev/null || skip "perf may not record here"
	same_every_way perf record -q -o perf.data sh -c '"$0" fork 3; exit 4' "$(victim births)"
	bare_status_is 4
}

@test "rtrack-run inside rtrack-run makes a second run, inside the first" {
	same_every_way "$BUILD/rtrack-run" sh -c '"$0" fork 3; exit 5' "$(victim births)"
	bare_status_is 5
	same_every_way "$BUILD/rtrack-run" "$BUILD/rtrack-run" sh -c 'kill -15 $$'
	bare_status_is 143
	rm -rf "$(spool_of launcher)" nested
	RTRACK_SPOOL=$PWD/nested "$BUILD/rtrack-run" "$BUILD/rtrack-run" true
	# Each rtrack-run makes a run. The inner run names the outer run as its parent.
	[ "$(ls nested | wc -l)" = 2 ]
	outer=$(basename "$(grep -l '"parent": null' nested/*/run.json | xargs dirname)")
	grep -q "\"parent\": \"$outer\"" nested/*/run.json
}

@test "ldd and LD_TRACE_LOADED_OBJECTS do not list the library" {
	# Load addresses differ between runs, so they are removed.
	same_every_way sh -c 'ldd /bin/ls | sed "s/ (.*//"'
	bare_says 'libc\.so'
	same_every_way sh -c 'LD_TRACE_LOADED_OBJECTS=1 ls | sed "s/ (.*//"'
	bare_says 'libc\.so'
}
