#!/usr/bin/env bats
# Tests of the largest process of a run, which may be a program that exec replaced or a child without a record

load ../lib/helper
load ../lib/jobs
load ../lib/exact

# has_printed_peak COMMAND…: peak_process_memory_mib of the run equals the peak in KiB that the command prints, both
# ways.
has_printed_peak() {
	local way
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way "$@"
		peak_mib=$(awk '{ print $1 / 1024; exit }' "$way.out")
		echo "$way: $peak_mib, $(total "$(run_of $way)" peak_process_memory_mib)"
		near "$(total "$(run_of $way)" peak_process_memory_mib)" "$peak_mib" 1
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	touch=$(victim touch)
	static=$(victim touch "${CC:-cc}" -static)
	printf 'open my $status, "/proc/self/status"; /VmHWM:\s*(\d+)/ and print "$1\\n" for <$status>;' >peak.pl
}

@test "a process keeps the peak of a program that exec replaced" {
	has_printed_peak perl -e '$| = 1; my $x = "x" x (200 << 20); do "./peak.pl"; exec "sleep", "0.01"'
}

@test "a process keeps the peak of a program between two execs" {
	has_printed_peak sh -c 'exec perl -e "\$| = 1; my \$x = q(x) x (150 << 20); do q(./peak.pl); exec qw(sh -c), q(exec true)"; :'
}

@test "the peak of a static child between two samples is the peak of the run" {
	has_printed_peak sh -c '"$0" 180 20; true' "$static"
}

@test "the peak of the largest child is the peak of the run" {
	has_printed_peak sh -c '"$0" 120 1; sh -c "$1 30 1 >/dev/null"; true' "$touch" "$static"
}

@test "a fork that grows before its exec has its own peak" {
	has_printed_peak sh -c 'perl -e "\$| = 1; fork and exit; my \$x = q(x) x (150 << 20); do q(./peak.pl); exec qw(sleep 0.2)"; sleep 1; true'
}

@test "a small child of a large parent does not get the parent's peak" {
	for way in preload launcher; do
		one_way $way perl -e 'my $x = "x" x (150 << 20); system "sleep 0.01; true" for 1 .. 3'
		[ "$(total "$(run_of $way)" exact_memory)" = true ]
		# Until its exec, a fork may have as much memory as its parent.
		at_least 650 "$(total "$(run_of $way)" peak_memory_at_most_mib)"
	done
}

@test "the upper bound of memory includes a program after a larger one in its process" {
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way perl -e 'my $b = "b" x (200 << 20); system qw(perl -e), q(my $x = "x" x (100 << 20); exec qw(sleep 0.01))'
		# perl holds each string twice.
		at_least "$(total "$(run_of $way)" peak_memory_at_most_mib)" 590
	done
}

@test "memory of the process that starts the job is not counted for the job" {
	WAYS_PREFIX=(perl -e 'my $b = "b" x (300 << 20); system @ARGV; exit($? >> 8 || $? & 127)')
	has_printed_peak perl -e '$| = 1; my $x = "x" x (100 << 20); do "./peak.pl"; exec "sleep", "0.01"'
	rm -r "$(spool_of preload)" "$(spool_of launcher)"
	# The static program does not load the library, and has no row.
	one_way launcher "$static" 150 20
	near "$(total "$(run_of launcher)" peak_process_memory_mib)" "$(awk '{ print $1 / 1024; exit }' launcher.out)" 1
	rm -r "$(spool_of launcher)"
	export RTRACK_INTERVAL=1
	for way in preload launcher; do
		one_way $way sh -c 'sleep 0.5; kill -KILL $$'
		at_least 30 "$(total "$(run_of $way)" peak_memory_mib)"
	done
}

@test "a small job that executes a smaller program excludes the peak of its parent" {
	WAYS_PREFIX=(perl -e 'my $b = "b" x (300 << 20); system @ARGV; exit($? >> 8 || $? & 127)')
	has_printed_peak perl -e '$| = 1; my $x = "x" x (4 << 20); do "./peak.pl"; exec "sleep", "0.01"'
	for way in preload launcher; do
		at_least "$(total "$(run_of $way)" peak_memory_at_most_mib)" "$(awk '{ print $1 / 1024 - 1; exit }' $way.out)"
	done
}

@test "an exec that searches several folders of PATH is recorded once" {
	WAYS_PREFIX=(perl -e 'my $b = "b" x (100 << 20); system @ARGV; exit($? >> 8 || $? & 127)')
	one_way preload env PATH="$(printf '/nowhere/%s:' {1..40})$PATH" sh -c 'exec sh -c "exec sleep 0.01"'
	# env and each shell have one row. So has sleep, which ended.
	[ "$(column "$(run_of preload)/exit.csv" exact | tr '\n' ' ')" = '0 0 0 1 ' ]
}

@test "an orphan's peak that may come from its parent is not called exact" {
	need python3
	export RTRACK_INTERVAL=0.05
	# sleep lives until a tick has read it.
	one_way launcher sh -c 'python3 -c "
import os, subprocess
b = bytearray(100 << 20)
print(subprocess.Popen([\"sleep\", \"60\"], stdout=2, start_new_session=True).pid, flush=True)" >pid
		until grep -qs ",$(cat pid)," "$RTRACK_SPOOL"/*/member.csv; do sleep 0.01; done
		kill "$(cat pid)"; while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.01; done'
	run=$(run_of launcher)
	awk -F, -v pid="$(cat pid)" '$2 == pid && $16 == "\"launcher\"" { found = $24 == 0 && $18 > 100 } END { exit !found }' "$run/exit.csv" || { cat "$run/exit.csv"; false; }
	[ "$(total "$run" exact_memory)" = false ]
}

@test "the peak of a program counts if one of its threads replaced it by exec" {
	headless=$(victim headless)
	WAYS_PREFIX=(perl -e 'my $b = "b" x (300 << 20); system @ARGV; exit($? >> 8 || $? & 127)')
	has_printed_peak "$headless" 100 20 "$(command -v sleep)" 0.01
	for way in preload launcher; do
		[ "$(total "$(run_of $way)" exact_memory)" = true ]
	done
}
