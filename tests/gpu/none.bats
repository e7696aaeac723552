#!/usr/bin/env bats
# Where there is no GPU and no energy counter: nothing is started, nothing is asked.

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	[ ! -e /dev/nvidiactl ] && [ ! -e /dev/dri/renderD128 ] && [ ! -r /sys/class/powercap/intel-rapl:0/energy_uj ] ||
		skip "this machine has a GPU or an energy counter"
	strace -o /dev/null true 2>/dev/null || skip "tracing is not allowed here"
	export RTRACK_INTERVAL=0.1
}

@test "without a GPU a tick makes not one system call more than with RTRACK_GPU=off, both ways" {
	for way in preload launcher; do
		for gpu in on off; do
			tracker=("$BUILD/rtrack-run")
			[ $way = launcher ] || tracker=(env "LD_PRELOAD=$LIBRARY")
			RTRACK_GPU=$gpu RTRACK_SPOOL=$PWD/$way-$gpu strace -f -o calls-$way-$gpu "${tracker[@]}" sleep 1.5
			# The calls that name a file; what is read of other processes may have such a name in it.
			grep -E '(openat|access|faccessat2?|execve|unlinkat)\(' calls-$way-$gpu |
				grep -oE '\.gpu"|rtrack-gpu|renderD128|nvidiactl|energy_uj' | sort | uniq -c >asked-$way-$gpu || :
			grep -c 'execve(' calls-$way-$gpu >started-$way-$gpu
		done
		cmp started-$way-on started-$way-off
		[ ! -s asked-$way-off ]
		# Three looks, at the start, and none at the ten ticks and more.
		[ "$(awk '{ sum += $1 } END { print sum }' asked-$way-on)" = 3 ]
		fails grep -E 'rtrack-gpu|\.gpu' asked-$way-on
		[ "$(wc -l <"$(echo "$PWD/$way-on"/*/process.csv)")" -ge 10 ]
	done
}
