#!/usr/bin/env bats
# The largest process of a run: images that exec replaced, children that say nothing of themselves.

load ../lib/helper
load ../lib/jobs

# totals.peak_memory_mib of both ways of tracking a command is what the command itself printed, in KiB, as its peak.
has_printed_peak() {
	local way
	export RTRACK_INTERVAL=3600
	for way in preload launcher; do
		one_way $way "$@"
		peak_mib=$(awk '{ print $1 / 1024; exit }' "$way.out")
		echo "$way: $peak_mib, $(total "$(run_of $way)" peak_memory_mib)"
		near "$(total "$(run_of $way)" peak_memory_mib)" "$peak_mib" 1
	done
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	touch=$(victim touch)
	static=$(victim touch "${CC:-cc}" -static)
	printf 'open my $status, "/proc/self/status"; /VmHWM:\s*(\d+)/ and print "$1\\n" for <$status>;' >peak.pl
}

@test "the peak of an image that exec replaced is the process'" {
	has_printed_peak perl -e '$| = 1; my $x = "x" x (200 << 20); do "./peak.pl"; exec "sleep", "0.01"'
}

@test "the peak of an image between two others is the process'" {
	has_printed_peak sh -c 'exec perl -e "\$| = 1; my \$x = q(x) x (150 << 20); do q(./peak.pl); exec qw(sh -c), q(exec true)"; :'
}

@test "the peak of a static child between two ticks is the run's" {
	has_printed_peak sh -c '"$0" 180 20; true' "$static"
}

@test "the peak of the largest of several children is the run's" {
	has_printed_peak sh -c '"$0" 120 1; sh -c "$1 30 1 >/dev/null"; true' "$touch" "$static"
}
