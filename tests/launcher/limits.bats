#!/usr/bin/env bats
# Tests of --max-memory, --max-seconds and --retry-on-oom: how a run ends at its limit, and what the reports print
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/groups

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# said EXPRESSION [RUN]: prints a jq expression of run.json, of the latest run or of RUN.
said() {
	jq -r "$1" "${2:-$(only_run)}/run.json"
}

# eats MIB: prints a command that allocates so much memory at once and then waits for a signal.
eats() {
	printf 'x = bytearray(%d << 20)\nimport signal\nsignal.pause()\n' "$1" >eat.py
	echo "python3 $PWD/eat.py"
}

@test "rtrack-run --max-seconds: ends all processes of the run, and exits with 124" {
	status=0
	"$RUN" --max-seconds 0.3 sh -c 'setsid sleep 1000 & echo $! >other; sleep 1000' >out 2>err || status=$?
	[ "$status" = 124 ]
	[ ! -s out ]
	[ "$(cat err)" = "rtrack-run: the run is longer than --max-seconds, 0.3 s: ending the command and all that it started (SIGTERM, SIGKILL after 5 s)" ]
	fails kill -0 "$(cat other)"
	[ "$(said '[.status, .killed_by, .exit_signal, .limits.reached, .limits.seconds, .limits.memory_mib] | @csv')" = \
		'"killed","limit",15,"seconds",0.3,' ]
}

@test "rtrack-run --max-seconds: SIGKILL follows an ignored SIGTERM" {
	status=0
	"$RUN" --max-seconds 2 sh -c 'trap "" TERM; sleep 1000 & wait; while :; do sleep 0.1; done' 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(said .exit_signal)" = 9 ]
	rm -r "$RTRACK_SPOOL"
	status=0
	"$RUN" --max-seconds 2 sh -c 'trap "echo saved; exit 3" TERM; kill -STOP $$; :' >out 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(cat out)" = saved ]
	# run.json has the command's own exit code, although the run counts as killed.
	[ "$(said '[.status, .exit_code] | @csv')" = '"killed",3' ]
}

@test "rtrack-run --max-seconds: a command that ends in time is not disturbed" {
	run "$RUN" --max-seconds 600 --max-memory 100T sh -c 'echo done; exit 3'
	[ "$status" = 3 ]
	[ "$output" = done ]
	[ "$(said '[.status, .killed_by, .limits.reached, .limits.attempt] | @csv')" = '"failed",,,1' ]
}

@test "rtrack-run --max-memory: limits the memory of all processes together" {
	status=0
	# Each of the two processes uses 60 MiB, so neither alone exceeds 100 MiB.
	"$RUN" --interval 0.05 --max-memory 100M sh -c "$(eats 60) & $(eats 60) & wait" 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	[ "$(wc -l <err)" = 1 ]
	grep -qE '^rtrack-run: .* more than --max-memory, 100 MiB: ending the command and all that it started' err
	said '[.status, .killed_by, .limits.reached, .limits.memory_mib] | @csv' | tee told
	[ "$(cat told)" = '"killed","limit","memory",100' ]
}

@test "rtrack-run --max-memory: a process whose main thread ended still counts" {
	status=0
	"$RUN" --interval 0.05 --max-memory 100M "$(victim headless)" 110 10000 2>err || status=$?
	[ "$status" = 124 ]
	grep -qE '^rtrack-run: .* more than --max-memory, 100 MiB: ending the command and all that it started' err
}

# caged COMMAND…: prints a command that writes its control group to the file "cage" and then executes COMMAND.
caged() {
	printf '. "%s/tests/lib/groups.bash"\nown_memory_group >"%s/cage"\nexec "$@"\n' "$PROJECT" "$PWD" >caged.bash
	echo "bash $PWD/caged.bash $*"
}

# was_caged: the command ran in a control group of rtrack-run that has been removed since. Other jobs may have such
# groups as well.
was_caged() {
	[[ $(cat cage) == "$(own_memory_group)"/rtrack-* ]] && [ ! -e "$(cat cage)" ] && rm cage
}

# bats test_tags=group
@test "rtrack-run --max-memory: a control group stops growth between two samples" {
	may_make_group || skip "no right to make a memory control group here"
	status=0
	"$RUN" --interval 3600 --max-memory 64M $(caged $(eats 300)) 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	was_caged
	grep -qx 'rtrack-run: the kernel killed a process at 80 MiB, more than --max-memory, 64 MiB: .*' err
	[ "$(said '[.killed_by, .limits.reached, .exit_signal] | @csv')" = '"limit","memory",9' ]
	# If the kernel kills one of several processes, rtrack-run ends the others.
	rm -r "$RTRACK_SPOOL"
	status=0
	"$RUN" --interval 3600 --max-memory 64M $(caged sh -c) "$(eats 300); sleep 1000" 2>err || status=$?
	[ "$status" = 124 ]
	was_caged
}

@test "rtrack-run: without a limit, run.json contains no limits" {
	"$RUN" true
	[ "$(said '[.killed_by, has("limits")] | @csv')" = ',false' ]
}

# bats test_tags=group
@test "rtrack-run --retry-on-oom: each retry gets the recommended, larger limit" {
	status=0
	printf 'import sys\nfor line in sys.stdin: print(line, end="")\nx = bytearray(150 << 20)\nimport time\ntime.sleep(1)\n' >job.py
	printf 'one\ntwo\n' >in
	"$RUN" --interval 0.05 --max-memory 64M --retry-on-oom 4 python3 -u job.py <in >out 2>err || status=$?
	cat err
	[ "$status" = 0 ]
	# Standard input is a file, which each attempt reads from its beginning.
	[ "$(tail -n 2 out)" = "$(cat in)" ]
	mapfile -t runs < <(ls -d "$RTRACK_SPOOL"/*)
	[ "${#runs[@]}" -ge 2 ]
	[ "$(jq -r .job "${runs[@]/%//run.json}" | sort -u)" = job.py ]
	[ "$(grep -c 'running it again with' err)" = $((${#runs[@]} - 1)) ]
	grep -qE '^rtrack-run: the command needs more than 64 MiB: running it again with [0-9]+ MiB \(1 of 4\)$' err
	# Each attempt has a larger limit than the attempt before.
	jq -s -e 'sort_by(.limits.attempt) | [.[].limits.attempt] == [range(1; length + 1)]
		and ([.[].limits.memory_mib] | . == (sort | unique))
		and ([.[:-1][].killed_by] | all(. == "limit")) and (last | .status == "finished")' "${runs[@]/%//run.json}"
}

@test "rtrack-run --retry-on-oom: without rtrack-report the limit doubles" {
	mkdir bin
	cp "$RUN"* "$BUILD/librtrack.so" bin
	status=0
	PATH=/usr/bin:/bin bin/rtrack-run --interval 0.05 --max-memory 32M --retry-on-oom 1 $(eats 150) 2>err || status=$?
	cat err
	[ "$status" = 124 ]
	grep -qx 'rtrack-run: the command needs more than 32 MiB: running it again with 64 MiB (1 of 1)' err
	[ "$(find "$RTRACK_SPOOL" -name run.json | wc -l)" = 2 ]
}

@test "rtrack-run --retry-on-oom: other failures and a time limit are not retried" {
	status=0
	"$RUN" --max-memory 100M --retry-on-oom 3 sh -c 'echo x; kill -9 $$' >out 2>err || status=$?
	[ "$status" = 137 ]
	status=0
	"$RUN" --max-memory 10G --max-seconds 2 --retry-on-oom 3 sh -c 'echo x; sleep 1000' >>out 2>err || status=$?
	[ "$status" = 124 ]
	[ "$(cat out)" = "$(printf 'x\nx')" ]
}

@test "rtrack-report: show, the page and recommend name the limit that ended a run" {
	"$RUN" --interval 0.05 --max-memory 100M $(eats 200) 2>err || true
	"$BUILD/rtrack-report" show --short | grep -q 'out of memory, ended by --max-memory (100 MiB) after'
	"$BUILD/rtrack-report" html -o page.html
	grep -q 'Out of memory at its limit of <strong>100 MiB</strong> <span>(--max-memory)</span>\.' page.html
	grep -q '<p>Ended after <strong>' page.html
	"$BUILD/rtrack-report" recommend --offline --format json >next.json
	jq -e '.basis.deaths == 1 and .basis.by == "death" and .resources.memory >= 208' next.json
	rm -r "$RTRACK_SPOOL"
	"$RUN" --interval 0.05 --max-seconds 0.3 $(eats 20) 2>err || true
	"$BUILD/rtrack-report" show --short | grep -q 'ended by --max-seconds (300 ms) after'
	# The run had enough memory. The next run needs at least its duration.
	"$BUILD/rtrack-report" recommend --offline --format json >next.json
	jq -e '.basis.deaths == 0 and ([.notes[] | select(startswith("rtrack-run ended this run after 300 ms"))] | length == 1)' next.json
}

# bats test_tags=group
@test "rtrack-run --max-memory: without a record, says that the limit has no effect" {
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

@test "rtrack-run --max-memory: memory that forks share with their parent counts once" {
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
		RTRACK_INTERVAL=$interval "$RUN" --max-memory 350M python3 family.py >out 2>err || status=$?
		cat err
		[ "$status" = 0 ]
		[ ! -s err ]
	done
}
