#!/usr/bin/env bats
# Tests that the usage of a process is in the totals, however it ends, and whether it is reaped or not

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	DIE=$(victim die)
	export RTRACK_INTERVAL=0.1
}

teardown() {
	remove_cpu_group
}

@test "a child that ends by SIGKILL, SIGSEGV, abort or _exit is in the totals" {
	ulimit -c 0
	for end in kill segv abort _exit; do
		rm -rf "$BATS_TEST_TMPDIR"/spool-*
		exact_both_ways "$DIE" parent 1 "$end" 0.3 64
		at_least "$(kernel preload cpu)" 0.3
		near "$(kernel preload peak_mib)" 65 4
	done
}

has_sampler_rows() {
	[ "$(cat "$RTRACK_SPOOL"/*/exit.csv 2>/dev/null | grep -c '"sampler",1,')" -ge "$1" ]
}

@test "the sampler reads killed children before they are reaped" {
	mkfifo "$BATS_TEST_TMPDIR/gate"
	cpu_group # Without a control group, the library alone cannot know what the killed processes left.
	for way in "env LD_PRELOAD=$LIBRARY" "$BUILD/rtrack-run"; do
		rm -rf "$RTRACK_SPOOL"
		# shellcheck disable=SC2086 # some are two words
		timeout 100 "${CPU_PREFIX[@]}" $way "$DIE" late 3 kill 0.2 32 "$BATS_TEST_TMPDIR/gate" 3>&- &
		wait_for has_sampler_rows 3
		: >"$BATS_TEST_TMPDIR/gate"
		wait $!
		run=$(only_run)
		is_over "$run"
		[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
		[ "$(total "$run" exact_cpu)" = true ] || { [ -z "$CPU_GROUP" ] && [ "$way" != "$BUILD/rtrack-run" ]; }
		near "$(total "$run" cpu_seconds)" 0.6 0.03 0.02
		near "$(grep '"sampler"' "$run/exit.csv" | awk -F, '{ sum += $5 + $6 } END { print sum }')" 0.6 0.02 0.02
	done
}

@test "killed children that live only between two samples are counted" {
	export RTRACK_INTERVAL=3600
	exact_both_ways "$DIE" parent 20 kill 0.02 8
	at_least "$(kernel preload cpu)" 0.4
}

@test "five programs that exec each other are all counted, with the largest peak" {
	for way in preload launcher; do
		accounted $way "$DIE" chain 5 0.1 16 150
		cpu_is_the_kernels $way
		at_least "$(kernel $way cpu)" 0.5
		peak_is_the_kernels $way
		near "$(kernel $way peak_mib)" 151 5
		[ "$(total "$run" processes)" = 1 ]
	done
}

@test "children of a parent that ignores SIGCHLD are in the totals" {
	for way in preload launcher; do
		accounted $way "$DIE" ignore 4 _exit 0.15 32
		# The kernel adds their CPU time to no account, so the expected value is what they measured by their own
		# clocks.
		near "$(total "$run" cpu_seconds)" 0.6 0.04 0.02
		near "$(largest_process "$run")" 33 3
		[ "$(column "$run/exit.csv" exact | sort -u)" = 1 ]
		# It is unknown whether all children were seen.
		[ "$(total "$run" exact_cpu)" = false ]
	done
}

@test "if SIGCHLD is ignored, killed children are counted or reported as missing" {
	for way in preload launcher; do
		accounted $way "$DIE" ignore 4 kill 0.3 32
		cpu=$(total "$run" cpu_seconds)
		at_least 1.3 "$cpu"
		missing=$(sum_of "$run/exit.csv" missing_cpu)
		at_least "$(awk "BEGIN { print $cpu + $missing }")" 1.2
		near "$cpu" 1.2 0.9
		[ "$(total "$run" exact)" = false ]
	done
}

@test "a child of a parent that never waits is in the totals" {
	for end in _exit kill; do
		rm -rf "$BATS_TEST_TMPDIR"/spool-*
		exact_both_ways "$DIE" orphan 3 "$end" 0.2 32
		at_least "$(kernel preload cpu)" 0.6
	done
}

# was_told STATUS WORDS: every report names that outcome of a preloaded root that did not record its end.
was_told() {
	[ "$("$BUILD/rtrack-report" stats --format json | jq -r .run.status)" = "$1" ]
	"$BUILD/rtrack-report" show --format json | jq -e --arg outcome "$1" '.ended.outcome == $outcome and .run.exit_code == null'
	"$BUILD/rtrack-report" show -v | head -n 1 | grep -qF "$2"
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html"
	grep -qiE "<p class=\"(error )?lead\">$2 <strong>" "$BATS_TEST_TMPDIR/page.html"
	"$BUILD/rtrack-report" list | grep -qF " $1 "
}

@test "after a preloaded job exits by a direct system call, its status is unknown" {
	local status=0
	preload "$(victim by_itself)" || status=$?
	[ $status -eq 4 ]
	was_told unknown 'ended with an unknown status after'
	# A later run in the spool may write "killed" into run.json, although no report saw a kill.
	run=$(only_run)
	sed -i 's/"status": ".*",/"status": "killed",/' "$run/run.json"
	was_told unknown 'ended with an unknown status after'
	# This root executes a program without the library. The process that takes over sampling may see its end.
	rm -r "$RTRACK_SPOOL"
	preload env -i sh -c 'exit 0'
	told() {
		[ "$("$BUILD/rtrack-report" stats --format json | jq -r .run.status)" != running ]
	}
	wait_for told
	case $("$BUILD/rtrack-report" stats --format json | jq -r .run.status) in
	unknown) was_told unknown 'ended with an unknown status after' ;;
	*) [ "$("$BUILD/rtrack-report" stats --format json | jq -c '[.run.status, .run.exit_code]')" = '["finished",0]' ] ;;
	esac
	# For a program that always records a normal end, a missing record means a kill.
	rm -r "$RTRACK_SPOOL"
	preload sh -c 'kill -9 $$' || true
	was_told killed 'killed by an unseen signal after'
	# rtrack-run sees every end.
	rm -r "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" "$(victim by_itself)" killed || true
	[ "$("$BUILD/rtrack-report" stats --format json | jq -c '[.run.status, .run.exit_signal]')" = '["killed",9]' ]
}

@test "if a file size limit prevents the last record, the status is unknown" {
	preload sh -c 'ulimit -f 1; seq 30000 | sort >/dev/null'
	was_told unknown 'ended with an unknown status after'
}

@test "the status of a Go program that is linked with cgo is unknown" {
	need go
	cd "$BATS_TEST_TMPDIR"
	mkdir program
	printf 'module program\n\ngo 1.17\n' >program/go.mod
	printf 'package main\n\n// int abs(int);\nimport "C"\nimport "os"\n\nfunc main() { os.Exit(int(C.abs(-4))) }\n' >program/main.go
	(cd program && GOFLAGS=-mod=mod GOCACHE="$PWD/../cache" CGO_ENABLED=1 go build -o ../with_cgo .)
	local status=0
	preload ./with_cgo || status=$?
	[ $status -eq 4 ]
	was_told unknown 'ended with an unknown status after'
}

@test "a job killed right after exec was recorded counts as killed" {
	WAYS_PREFIX=(perl -e 'my $b = "b" x (60 << 20); system @ARGV; exit($? >> 8 || $? & 127)')
	one_way preload sh -c 'exec perl -e "kill 9, \$\$"'
	grep -q '"self",0' "$(run_of preload)/exit.csv"
	RTRACK_SPOOL=$(spool_of preload) was_told killed 'killed by an unseen signal after'
}

# parted '[STATUS,CODE,SIGNAL]' COMMAND…: tracks a preloaded root that executes a program without the library. The
# reported status must be the given one or unknown, and the figures must be right. $heard counts the known statuses. If
# the process that takes over sampling waits for a CPU, it may miss the end.
parted() {
	local told=$1
	shift
	rm -rf "$(spool_of preload)"
	accounted preload "$@"
	claims_hold preload
	at_least "$(total "$run" cpu_seconds)" 0.2
	"$BUILD/rtrack-report" stats --format json "$run" | jq -c '.run | [.status, .exit_code, .exit_signal]' | tee told
	grep -qxF -e "$told" -e '["unknown",null,null]' told
	[ "$(RTRACK_SPOOL=$(spool_of preload) "$BUILD/rtrack-report" list --format json | jq -r '.[0].status')" = "$(jq -r '.[0]' told)" ]
	heard=$((heard + $(grep -cxF -e "$told" told || true)))
}

@test "a job that executes a program without the library is followed to its end" {
	cd "$BATS_TEST_TMPDIR"
	local static burn heard=0
	burn=$(victim burn)
	need libc6-dev
	static=$(victim burn "${CC:-cc}" -static)
	mkdir programs
	ln -s "$static" programs/burn-static
	# The script's interpreter also gets the script's name, 1, as its number of processes.
	printf '#! %s 0.4\n' "$static" >1
	chmod +x 1
	for i in 1 2 3; do
		parted '["finished",0,null]' sh -c 'exec ./1'
		PATH=$PWD/nowhere:$PWD/programs:$PATH parted '["finished",0,null]' perl -e 'exec @ARGV' burn-static 0.4
		parted '["finished",0,null]' sh -c '"$1" 0.1; exec "$0" 0.4' "$static" "$burn"
		parted '["failed",3,null]' bash -c 'unset LD_PRELOAD; exec sh -c "\"\$0\" 0.4; exit 3" "$0"' "$burn"
		parted '["killed",null,9]' sh -c '("$1" 0.3; kill -9 $$) & exec "$0" 60' "$static" "$burn"
	done
	[ "$heard" -ge 5 ]
}

@test "after exec of an untracked program, only a job that was killed counts as killed" {
	cd "$BATS_TEST_TMPDIR"
	local burn heard=0
	burn=$(victim burn)
	for i in 1 2 3; do
		RTRACK_EXCLUDE='timeout,bur*' parted '["finished",0,null]' bash -c '"$0" 0.4' "$burn"
		RTRACK_EXCLUDE=timeout parted '["failed",3,null]' sh -c 'exec timeout 60 sh -c "\"\$0\" 0.4; exit 3" "$0"' "$burn"
		parted '["finished",0,null]' sh -c 'RTRACK=off exec "$0" 0.4' "$burn"
	done
	[ "$heard" -ge 3 ]
}

@test "the status of a static program run by execl, execlp, execle or execvpe is known" {
	cd "$BATS_TEST_TMPDIR"
	local static becomes how heard=0
	becomes=$(victim becomes)
	need libc6-dev
	static=$(victim burn "${CC:-cc}" -static)
	for how in execl execlp execle execvpe; do
		parted '["finished",0,null]' "$becomes" $how "$static" 0.4
	done
	[ "$heard" -ge 3 ]
}

@test "execl and its relatives pass on all arguments and the environment" {
	cd "$BATS_TEST_TMPDIR"
	local becomes how
	becomes=$(victim becomes)
	for how in execl execlp execle "execle few"; do
		"$becomes" "$how" many x >bare 2>&1
		for way in preload "$BUILD/rtrack-run"; do
			$way "$becomes" "$how" many x >tracked 2>&1
			cmp bare tracked
		done
	done
	grep . bare
	fails "$becomes" execl /nowhere/at/all x 2>bare
	fails preload "$becomes" execl /nowhere/at/all x 2>tracked
	cmp bare tracked
}

@test "if the first process is a subreaper, the status after an exec is unknown" {
	cd "$BATS_TEST_TMPDIR"
	local static python
	need libc6-dev
	static=$(victim burn "${CC:-cc}" -static)
	# If python3 is a script, another process may already have taken over sampling before it executes Python.
	need python3
	python=$(PATH=/usr/bin:/bin:$PATH command -v python3)
	preload "$python" -c 'import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])' "$static" 0.01
	was_told unknown 'ended with an unknown status after'
}

@test "after exec of an excluded program through a link, the status is unknown" {
	cd "$BATS_TEST_TMPDIR"
	cp "$(command -v sh)" other
	ln -s other link
	local status=0
	RTRACK_EXCLUDE=other preload bash -c 'exec ./link -c "exit 3"' || status=$?
	[ $status -eq 3 ]
	was_told unknown 'ended with an unknown status after'
	[ "$(total "$(only_run)" exact)" = false ]
	[ "$(total "$(only_run)" missing_cpu_seconds_at_most)" = null ]
	# A root that executes a program with the library and is killed counts as killed.
	rm -rf "$RTRACK_SPOOL"
	fails preload bash -c 'exec sh -c "kill -9 \$\$"'
	[ "$("$BUILD/rtrack-report" stats --format json | jq -r .run.status)" = killed ]
}

@test "a job killed after a failed exec counts as killed in every report" {
	local python
	need python3
	python=$(PATH=/usr/bin:/bin:$PATH command -v python3)
	fails preload "$python" -c 'import os, signal, time
for path in "/nowhere/at/all", "/nowhere/else":
    try:
        os.execv(path, [path])
    except OSError:
        pass
time.sleep(1.5)
os.kill(os.getpid(), signal.SIGKILL)'
	for _ in 1 2 3; do
		[ "$("$BUILD/rtrack-report" stats --format json | jq -r .run.status)" = killed ]
		sleep 0.2
	done
	grep -q '"status": "killed"' "$(only_run)/run.json"
}

# bats test_tags=root
@test "a job that gave up its rights and then exits is not reported as killed" {
	need python3
	as_root "give up rights"
	for way in 'os.setgid(65534); os.setuid(65534)' 'ctypes.CDLL(None).unshare(0x10000000)' 'os.chroot("/usr")' \
		'ctypes.CDLL("libc.so.6").setuid(65534)'; do
		for _ in {1..10}; do
			LD_PRELOAD=$LIBRARY RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool python3 -c "import ctypes, os; $way; os._exit(3)" || true
		done
	done
	for run in "$BATS_TEST_TMPDIR"/spool/*; do
		[[ $("$BUILD/rtrack-report" stats --format json "$run" | jq -r .run.status) =~ ^(failed|unknown|running)$ ]]
	done
}

@test "a job without a free descriptor at its end is not reported as killed" {
	for limit in 1 2 3; do
		rm -rf "$(spool_of preload)"
		# The loop is long enough for the sampling thread to start.
		one_way preload sh -c "i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done; ulimit -n $limit; exit 4"
		case $("$BUILD/rtrack-report" stats --format json "$(run_of preload)" | sed -n 's/.*"status":[[:space:]]*"\([a-z]*\)".*/\1/p' | head -n 1) in
		failed | unknown) ;;
		*) return 1 ;;
		esac
	done
}

said_to_be() {
	[ "$("$BUILD/rtrack-report" list --format json | jq -r '.[0].status')" = "$1" ]
}

@test "a stopped job counts as running until its processes are gone" {
	local way pids
	for way in "env LD_PRELOAD=$LIBRARY" "$BUILD/rtrack-run"; do
		rm -rf "$RTRACK_SPOOL"
		# shellcheck disable=SC2086 # some are two words
		$way sleep 600 3>&- &
		wait_for said_to_be running
		pids=($! $(cat /proc/$!/task/$!/children))
		kill -STOP "${pids[@]}"
		touch -d '1 hour ago' "$RTRACK_SPOOL"/*/*
		said_to_be running
		kill -KILL "${pids[@]}"
		wait
		said_to_be killed
	done
}
