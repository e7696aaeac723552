#!/usr/bin/env bats
# --max-memory, --max-seconds and --retry-on-oom: what ends a run that goes over its limit, and what is said of it.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/groups

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# The value of a jq expression in run.json of the latest run, or of the run in $2.
said() {
	jq -r "$1" "${2:-$(only_run)}/run.json"
}

# eats MIB: a command that takes so much memory at once and then waits for its end.
eats() {
	printf 'x = bytearray(%d << 20)\nimport signal\nsignal.pause()\n' "$1" >eat.py
	echo "python3 $PWD/eat.py"
}

@test "rtrack-run --max-seconds ends the command and all that it started, with one line and status 124" {
	status=0
	"$RUN" --max-seconds 0.3 sh -c 'setsid sleep 1000 & echo $! >other; sleep 1000' >out 2>err || status=$?
	[ "$status" = 124 ]
	[ ! -s out ]
	[ "$(cat err)" = "rtrack-run: the run is longer than --max-seconds, 0.3 s: ending the command and all that it started (SIGTERM, SIGKILL after 5 s)" ]
	fails kill -0 "$(cat other)"
	[ "$(said '[.status, .killed_by, .exit_signal, .limits.reached, .limits.seconds, .limits.memory_mib] | @csv')" = \
		'"killed","limit",15,"seconds",0.3,' ]
}

@test "rtrack-run --max-seconds: a process that ignores SIGTERM gets SIGKILL, and a stopped one is woken" {
	status=0
	"$RUN" --max-seconds 2 sh -c 'trap "" TERM; sleep 1000 & wait; while :; do sleep 0.1; done' 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(said .exit_signal)" = 9 ]
	rm -r "$RTRACK_SPOOL"
	status=0
	"$RUN" --max-seconds 2 sh -c 'trap "echo saved; exit 3" TERM; kill -STOP $$; :' >out 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(cat out)" = saved ]
	# How it ended itself is told as well, but it is no run that finished.
	[ "$(said '[.status, .exit_code] | @csv')" = '"killed",3' ]
}

@test "rtrack-run --max-seconds: a command that ends in time is not disturbed" {
	run "$RUN" --max-seconds 600 --max-memory 100T sh -c 'echo done; exit 3'
	[ "$status" = 3 ]
	[ "$output" = done ]
	[ "$(said '[.status, .killed_by, .limits.reached, .limits.attempt] | @csv')" = '"failed",,,1' ]
}

@test "rtrack-run --max-memory: the tree's memory counts, as it is sampled" {
	status=0
	# Two of 60 MiB each: none of them is over 100.
	"$RUN" --interval 0.05 --max-memory 100M sh -c "$(eats 60) & $(eats 60) & wait" 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	[ "$(wc -l <err)" = 1 ]
	grep -qE '^rtrack-run: .* more than --max-memory, 100 MiB: ending the command and all that it started' err
	said '[.status, .killed_by, .limits.reached, .limits.memory_mib] | @csv' | tee told
	[ "$(cat told)" = '"killed","limit","memory",100' ]
}

@test "rtrack-run --max-memory: the memory of a process without its main thread counts" {
	status=0
	"$RUN" --interval 0.05 --max-memory 100M "$(victim headless)" 110 10000 2>err || status=$?
	[ "$status" = 124 ]
	grep -qE '^rtrack-run: .* more than --max-memory, 100 MiB: ending the command and all that it started' err
}

# caged COMMAND...: a command that writes its control group into the file "cage" and becomes another.
caged() {
	printf '. "%s/tests/lib/groups.bash"\nown_memory_group >"%s/cage"\nexec "$@"\n' "$PROJECT" "$PWD" >caged.bash
	echo "bash $PWD/caged.bash $*"
}

# Whether the command was in a group that rtrack-run had made, which is gone. Others beside this test may have such groups.
was_caged() {
	[[ $(cat cage) == "$(own_memory_group)"/rtrack-* ]] && [ ! -e "$(cat cage)" ] && rm cage
}

# bats test_tags=group
@test "rtrack-run --max-memory: where it may make a control group, the kernel stops what grows between two samples" {
	may_make_group || skip "no right to make a memory control group here"
	status=0
	"$RUN" --interval 3600 --max-memory 64M $(caged $(eats 300)) 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	was_caged
	grep -qx 'rtrack-run: the kernel killed a process at 80 MiB, more than --max-memory, 64 MiB: .*' err
	[ "$(said '[.killed_by, .limits.reached, .exit_signal] | @csv')" = '"limit","memory",9' ]
	# One of several processes: the rest is ended as well.
	rm -r "$RTRACK_SPOOL"
	status=0
	"$RUN" --interval 3600 --max-memory 64M $(caged sh -c) "$(eats 300); sleep 1000" 2>err || status=$?
	[ "$status" = 124 ]
	was_caged
}

@test "rtrack-run: without a limit run.json has none, and nothing is made for it" {
	"$RUN" true
	[ "$(said '[.killed_by, has("limits")] | @csv')" = ',false' ]
}

# bats test_tags=group
@test "rtrack-run --retry-on-oom: the command runs again with what is recommended next, as runs of one job" {
	status=0
	printf 'import sys\nfor line in sys.stdin: print(line, end="")\nx = bytearray(150 << 20)\nimport time\ntime.sleep(1)\n' >job.py
	printf 'one\ntwo\n' >in
	"$RUN" --interval 0.05 --max-memory 64M --retry-on-oom 4 python3 -u job.py <in >out 2>err || status=$?
	cat err
	[ "$status" = 0 ]
	# Standard input is a file, and each attempt reads it from the beginning.
	[ "$(tail -n 2 out)" = "$(cat in)" ]
	mapfile -t runs < <(ls -d "$RTRACK_SPOOL"/*)
	[ "${#runs[@]}" -ge 2 ]
	[ "$(jq -r .job "${runs[@]/%//run.json}" | sort -u)" = job.py ]
	[ "$(grep -c 'running it again with' err)" = $((${#runs[@]} - 1)) ]
	grep -qE '^rtrack-run: the command needs more than 64 MiB: running it again with [0-9]+ MiB \(1 of 4\)$' err
	# By the attempts in their order, each limit is more than the one before.
	jq -s -e 'sort_by(.limits.attempt) | [.[].limits.attempt] == [range(1; length + 1)]
		and ([.[].limits.memory_mib] | . == (sort | unique))
		and ([.[:-1][].killed_by] | all(. == "limit")) and (last | .status == "finished")' "${runs[@]/%//run.json}"
}

@test "rtrack-run --retry-on-oom: without the report program it is twice as much, and at last it is status 124" {
	mkdir bin
	cp "$RUN"* "$BUILD/librtrack.so" bin
	status=0
	PATH=/usr/bin:/bin bin/rtrack-run --interval 0.05 --max-memory 32M --retry-on-oom 1 $(eats 150) 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	grep -qx 'rtrack-run: the command needs more than 32 MiB: running it again with 64 MiB (1 of 1)' err
	[ "$(find "$RTRACK_SPOOL" -name run.json | wc -l)" = 2 ]
}

@test "rtrack-run --retry-on-oom: after another failure, or for its time, nothing runs again" {
	status=0
	"$RUN" --max-memory 100M --retry-on-oom 3 sh -c 'echo x; kill -9 $$' >out 2>err || status=$?
	[ "$status" = 137 ]
	status=0
	"$RUN" --max-memory 10G --max-seconds 2 --retry-on-oom 3 sh -c 'echo x; sleep 1000' >>out 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(cat out)" = "$(printf 'x\nx')" ]
}

@test "rtrack-report: a run that a limit ended is said to be, in show, in the page, and in the next request" {
	"$RUN" --interval 0.05 --max-memory 100M $(eats 200) 2>err || true
	"$BUILD/rtrack-report" show --short | grep -q 'out of memory, ended by --max-memory (100 MiB) after'
	"$BUILD/rtrack-report" html -o page.html
	grep -q 'Out of memory, ended by --max-memory (100 MiB) after' page.html
	"$BUILD/rtrack-report" recommend --offline --format json >next.json
	jq -e '.basis.deaths == 1 and .basis.by == "death" and .resources.memory >= 208' next.json
	rm -r "$RTRACK_SPOOL"
	"$RUN" --interval 0.05 --max-seconds 0.3 $(eats 20) 2>err || true
	"$BUILD/rtrack-report" show --short | grep -q 'ended by --max-seconds (300 ms) after'
	# It had not too little memory, and what it took is a lower bound of the time.
	"$BUILD/rtrack-report" recommend --offline --format json >next.json
	jq -e '.basis.deaths == 0 and ([.notes[] | select(startswith("rtrack-run ended this run after 300 ms"))] | length == 1)' next.json
}

# bats test_tags=group
@test "rtrack-run --max-memory: without a record it says that it does not hold, and --max-seconds still does" {
	echo precious >file
	status=0
	RTRACK_SPOOL=$PWD/file "$RUN" --max-seconds 0.2 sleep 1000 2>err || status=$?
	[ "$status" = 124 ]
	status=0
	if ! may_make_group; then
		RTRACK_SPOOL=$PWD/file "$RUN" --max-memory 10M true 2>err
		[ "$(cat err)" = "rtrack-run: --max-memory has no effect: this run has no record" ]
	else
		RTRACK_SPOOL=$PWD/file "$RUN" --interval 3600 --max-memory 64M $(eats 300) 2>err || status=$?
		[ "$status" = 124 ]
	fi
}

@test "rtrack-run --max-memory lets forks of a large process be that come and go between its readings" {
	cat >family.py <<-'END'
		import os
		memory = bytearray(200 << 20)
		for i in range(0, len(memory), 4096):
		    memory[i] = 1
		for _ in range(12):
		    for _ in range(6):
		        if os.fork() == 0:
		            sum(i * i for i in range(100000))
		            os._exit(0)
		    for _ in range(6):
		        os.wait()
	END
	for interval in 0.02 0.1; do
		status=0
		RTRACK_INTERVAL=$interval "$RUN" --max-memory 350 python3 family.py >out 2>err || status=$?
		cat err
		[ "$status" = 0 ]
		[ ! -s err ]
	done
}
