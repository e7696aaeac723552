#!/usr/bin/env bats
# Peaks that no tick sees: the largest process is exact to the MiB, however short its peak.

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	TOUCH=$(victim touch)
	export RTRACK_INTERVAL=3600
}

@test "a child that reaches 1 GB for 30 ms between two ticks has that peak" {
	[ "$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)" -gt 1500 ] || skip "not 1.5 GB of memory free"
	exact_both_ways sh -c '"$0" 1024 30; true' "$TOUCH"
	near "$(kernel preload peak_mib)" 1025 4
}

@test "twenty children in turn at 300 MB for 50 ms have that peak each" {
	exact_both_ways sh -c 'i=0; while [ $i -lt 20 ]; do "$0" 300 50; i=$((i + 1)); done' "$TOUCH"
	near "$(kernel preload peak_mib)" 301 4
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(column "$run/exit.csv" peak_rss_mib | awk '$1 > 300 && $1 < 305' | wc -l)" = 20 ]
		# One at a time: the tree was never larger than one of them and the shell.
		near "$(total "$run" peak_memory_mib)" 302 8
	done
}

@test "the tree's peak is at least that of the largest process, at most the sum of all that lived at once" {
	for way in preload launcher; do
		accounted $way sh -c '"$0" 200 300 & "$0" 100 300 & wait' "$TOUCH"
		peak_is_the_kernels $way
		at_most=$(total "$run" peak_memory_at_most_mib)
		near "$at_most" 305 12
		at_least=$(total "$run" peak_memory_at_least_mib)
		awk -v least="$at_least" -v most="$at_most" 'BEGIN { exit !(least <= most) }'
	done
}

@test "a peak is kept when the process ends by _exit, and when it is forked and runs no other program" {
	exact_both_ways "$(victim die)" parent 3 _exit 0.01 120
	near "$(kernel preload peak_mib)" 121 4
}

@test "the peak of a killed child is in the run's largest process, by its parent's account" {
	exact_both_ways "$(victim die)" parent 3 kill 0.01 120
	near "$(kernel preload peak_mib)" 121 4
}

@test "a static program of a few pages has memory, though the kernel's quick count says none" {
	[ "$(uname -m)" = x86_64 ] || skip "the program is x86-64's own"
	cd "$BATS_TEST_TMPDIR"
	cat >tiny.c <<-'END'
		void _start(void)
		{
			struct { long seconds, ns; } time = {0, 400000000};
			long result;
			__asm__ volatile("syscall" : "=a"(result) : "a"(35), "D"(&time), "S"(0) : "rcx", "r11", "memory");
			__asm__ volatile("syscall" : : "a"(60), "D"(0) : "rcx", "r11");
		}
	END
	cc -O1 -static -nostdlib -nostartfiles -o tiny tiny.c
	export RTRACK_INTERVAL=0.05
	"$BUILD/rtrack-run" ./tiny
	[ "$(total "$(only_run)" peak_memory_mib | awk '{ print ($1 >= 0.004 && $1 < 0.3) }')" = 1 ]
	[ "$(column "$(only_run)/process.csv" memory_mib | awk '$1 > 0' | wc -l)" -ge 1 ]
}
