#!/usr/bin/env bats
# Tests of memory peaks between two ticks: the peak of the largest process is exact to the MiB, however short it is.

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

setup() {
	TOUCH=$(victim touch)
	export RTRACK_INTERVAL=3600
}

@test "a child that reaches 1 GB for 30 ms between two samples has a peak of 1 GB" {
	[ "$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)" -gt 1500 ] || skip "not 1.5 GB of memory free"
	exact_both_ways sh -c '"$0" 1024 30; true' "$TOUCH"
	near "$(kernel preload peak_mib)" 1025 4
}

@test "a job of twenty children of 300 MB, one at a time, has a peak of 300 MB" {
	exact_both_ways sh -c 'i=0; while [ $i -lt 20 ]; do "$0" 300 50; i=$((i + 1)); done' "$TOUCH"
	near "$(kernel preload peak_mib)" 301 4
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(column "$run/exit.csv" peak_rss_mib | awk '$1 > 300 && $1 < 305' | wc -l)" = 20 ]
		# The children run one at a time, so the job's peak is that of one child and the shell.
		near "$(total "$run" peak_memory_mib)" 302 8
	done
}

@test "a job's peak is between its largest process and the sum of parallel processes" {
	for way in preload launcher; do
		accounted $way sh -c '"$0" 200 300 & "$0" 100 300 & wait' "$TOUCH"
		peak_is_the_kernels $way
		at_most=$(total "$run" peak_memory_at_most_mib)
		near "$at_most" 305 12
		at_least=$(total "$run" peak_memory_at_least_mib)
		awk -v least="$at_least" -v most="$at_most" 'BEGIN { exit !(least <= most) }'
	done
}

@test "a process that ends by _exit, or a fork without exec, keeps its peak" {
	exact_both_ways "$(victim die)" parent 3 _exit 0.01 120
	near "$(kernel preload peak_mib)" 121 4
}

@test "the peak of a killed child is known from the kernel's account of its parent" {
	exact_both_ways "$(victim die)" parent 3 kill 0.01 120
	near "$(kernel preload peak_mib)" 121 4
}

# make_tiny: sets TINY to a static program of a few pages (tests/victims/work/tiny.c), or skips the test.
make_tiny() {
	[ "$(uname -m)" = x86_64 ] || skip "the program is x86-64's own"
	TINY=$(victim tiny "${CC:-cc}" -static -nostdlib -fno-stack-protector -fno-pie -no-pie -fno-tree-loop-distribute-patterns)
}

@test "a static program of a few pages has memory, although the kernel counts 0" {
	make_tiny
	export RTRACK_INTERVAL=0.05
	"$BUILD/rtrack-run" "$TINY" 400 0
	[ "$(total "$(only_run)" peak_memory_mib | awk '{ print ($1 >= 0.004 && $1 < 0.3) }')" = 1 ]
	[ "$(column "$(only_run)/process.csv" memory_mib | awk '$1 > 0' | wc -l)" -ge 1 ]
}

@test "the upper bound of the peak includes a static child without a record" {
	local static others run
	need libc6-dev
	static=$(victim touch "${CC:-cc}" -static)
	need python3
	# Another process starts programs all the time, so pids do not show how many processes the job started.
	timeout 60 sh -c 'while :; do /bin/true; done' 3>&- &
	others=$!
	for way in preload launcher; do
		one_way $way sh -c '"$1" 20 1000 & i=0; while [ $i -lt 16 ]; do /bin/true; i=$((i + 1)); done; "$0" 20 1; wait' "$static" "$TOUCH"
		run=$(run_of $way)
		[ "$(json tracker.births_known "$run/run.json")" != 1 ]
		[ "$(total "$run" processes)" -lt 19 ]
		at_least "$(total "$run" peak_memory_at_most_mib)" 41
		rm -r "$(spool_of $way)"
		one_way $way python3 -c 'import resource, subprocess
for _ in range(16): subprocess.run(["/bin/true"], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt)'
		run=$(run_of $way)
		# The rows of the children have all but one or two of the page faults that the kernel counted.
		faults=$(cat "$BATS_TEST_TMPDIR/$way.out")
		[ "$(column "$run/exit.csv" children_minor_faults | sort -n | tail -1)" = "$faults" ]
		near "$(paste -d ' ' <(column "$run/exit.csv" pid) <(column "$run/exit.csv" minor_faults) |
			awk -v root="$(json pid "$run/run.json")" '$1 != root { sum += $2 } END { print sum + 0 }')" "$faults" 16
	done
	kill $others
}

# For so few pages, and for a process that is ending, /proc/PID/stat reports zero.
@test "a tiny program has its own peak, not the one of its predecessor or child" {
	make_tiny
	export RTRACK_INTERVAL=0.1
	for way in preload launcher; do
		RTRACK_MEMORY=rss accounted $way perl -e '$held = "a" x 100e6; select undef, undef, undef, 0.5; exec @ARGV' "$TINY" 1000 0
		at_least 5 "$(column "$run/process.csv" rss_mib | tail -n 2 | head -n 1)"
		at_least "$(column "$run/process.csv" rss_mib | sort -g | tail -n 1)" 95
		rm -rf "$run"
		accounted $way sh -c '(setsid "$0" 500 100 &); sleep 1.5; :' "$TINY"
		at_least "$(awk -F, -v self='"self"' '$16 != self { print $7 }' "$run/exit.csv" | sort -g | tail -n 1)" 99
		at_least "$(total "$run" peak_process_memory_mib)" 99
		rm -rf "$run"
	done
	accounted launcher "$TINY" 200 0 "$(command -v perl)" -e '$held = "a" x 100e6; select undef, undef, undef, 0.3'
	at_least 5 "$(awk -F, -v pid="$(json pid "$run/run.json")" '$2 == pid { print $7 }' "$run/exit.csv")"
}

# A fork lives while its parent writes to all of the memory that they share.
@test "the peak includes pages that only a fork keeps because its parent wrote to them" {
	cat >"$BATS_TEST_TMPDIR/keeps.py" <<-'END'
		import os
		data = bytearray(300 << 20)
		def write(value):
		    for i in range(0, len(data), 4096):
		        data[i] = value
		write(1)
		pipe = os.pipe()
		if os.fork() == 0:
		    os.read(pipe[0], 1)
		    os._exit(0)
		write(2)
		os.write(pipe[1], b"x")
		os.wait()
	END
	for way in preload launcher; do
		if may_make_group; then memory_group 1000000; fi
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		one_way $way python3 "$BATS_TEST_TMPDIR/keeps.py"
		WAYS_PREFIX=()
		run=$(run_of $way)
		truth=600
		[ -z "${GROUP:-}" ] || truth=$(group_peak_mib)
		remove_group
		near "$(total "$run" peak_memory_mib)" "$truth" 16 0.05
		at_least "$(total "$run" peak_memory_at_most_mib)" 600
		[ "$(total "$run" exact_memory)" = false ]
	done
}

@test "show does not call a peak inexact if the peak is also its upper bound" {
	for way in preload launcher; do
		one_way $way sh -c '"$0" 200 300 & "$0" 100 300 & wait' "$TOUCH"
		run=$(run_of $way)
		[ "$(total "$run" exact_memory)" = false ]
		near "$(total "$run" peak_memory_mib)" "$(total "$run" peak_memory_at_most_mib)" 0 0.01
		fails grep -q "^Not exact" <<<"$("$BUILD/rtrack-report" show -v "$run")"
		rm -r "$(spool_of $way)"
	done
}
