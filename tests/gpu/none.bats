#!/usr/bin/env bats
# Without a GPU and an energy counter nothing is started and nothing is read.

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	has_meters && skip "this machine has a GPU or an energy counter"
	need strace
	strace -o /dev/null true 2>/dev/null || skip "tracing is not allowed here"
	# Reading memory page by page is skipped on a busy machine, so ticks would differ. RSS avoids this.
	export RTRACK_INTERVAL=0.1 RTRACK_MEMORY=rss
}

# no_more_calls WITH WITHOUT: the ticks in the strace file WITH make no call, by name and file, that those in WITHOUT do
# not make. A tick is the work of a thread between two waits in which it writes a row of process.csv. Some ticks do more
# than others, because a process gets a row now and then. Therefore the calls common to all ticks of WITH must be within
# the calls of one tick of WITHOUT.
no_more_calls() {
	python3 - "$1" "$2" <<-'END'
		import collections, re, sys

		WAITS = {"futex_waitv", "futex", "ppoll", "poll", "pselect6", "epoll_pwait", "clock_nanosleep", "rt_sigtimedwait"}

		def file_of(name, line):
		    """By strace -y a descriptor has its path; a name stands behind the directory that it is in."""
		    held = re.search(r"\(\d+<([^>]*)>", line)
		    named = re.search(r'"([^"]*)"', line) if re.search(r"at\d?$", name) else None
		    path = "/".join(found[1] for found in (held, named) if found)
		    path = re.sub(r"/\d{8}T\d{6}Z-[^/]*", "/RUN", path)
		    return re.sub(r"\d+", "N", path[path.find("/RUN") :] if "/RUN" in path else path)

		def ticks_of(path):
		    current, ticks = collections.defaultdict(collections.Counter), []
		    for line in open(path, errors="replace"):
		        call = re.match(r"(\d+) +(\w+)\(", line)
		        if not call:
		            continue
		        thread, name = call.groups()
		        if name not in WAITS:
		            current[thread][name, file_of(name, line)] += 1
		            continue
		        if current[thread]["write", "/RUN/process.csv"]:
		            ticks.append(current[thread])
		        current[thread] = collections.Counter()
		    # The first tick opens the files that later ticks have open, and the last one ends the run.
		    assert len(ticks) >= 8, len(ticks)
		    return ticks[2:-1]

		on, off = map(ticks_of, sys.argv[1:])
		calls = set().union(*on, *off)
		for name, file in sorted(calls):
		    with_gpus, without = [[tick[name, file] for tick in ticks] for ticks in (on, off)]
		    assert min(with_gpus) <= max(without), (name, file, with_gpus, without)
		    assert not re.search("gpu|nvidia|/dri|drm|powercap", file, re.I), (name, file)
		# These calls are in every tick, so the names were parsed correctly.
		assert ("pread64", "/proc/stat") in calls and ("clock_gettime", "") in calls, calls
	END
}

# looks_at WAY GPU: traces a run that ends after enough ticks, each of which writes a row. One process waits for the
# ticks and starts no other, because ticks would list those.
looks_at() {
	local tracker=("$BUILD/rtrack-run")
	[ "$1" = launcher ] || tracker=(env "LD_PRELOAD=$LIBRARY")
	RTRACK_GPU=$2 RTRACK_SPOOL=$PWD/$1-$2 strace -f -y -o "calls-$1-$2" "${tracker[@]}" perl -e '
		sub rows {
			my $count = 0;
			for (glob $ARGV[0]) {
				open my $file, "<", $_ or next;
				$count++ while <$file>;
			}
			return $count;
		}
		my $enough = rows() + 14;
		select undef, undef, undef, 0.1 while rows() < $enough;
	' "$PWD/$1-$2/*/process.csv"
}

@test "without a GPU a tick makes no system call more than with RTRACK_GPU=off" {
	for way in preload launcher; do
		for gpu in on off; do
			looks_at $way $gpu
			# These calls name a file. Data read about other processes may contain such a name.
			grep -E '(openat|access|faccessat2?|execve|unlinkat)\(' calls-$way-$gpu |
				grep -oE '\.gpu"|rtrack-gpu|renderD128|nvidiactl|energy_uj' | sort | uniq -c >asked-$way-$gpu || :
			grep -c 'execve(' calls-$way-$gpu >started-$way-$gpu
		done
		cmp started-$way-on started-$way-off
		[ ! -s asked-$way-off ]
		# There are three probes at the start, and none in the ticks.
		[ "$(awk '{ sum += $1 } END { print sum }' asked-$way-on)" = 3 ]
		fails grep -E 'rtrack-gpu|\.gpu' asked-$way-on
		if ! no_more_calls calls-$way-on calls-$way-off; then
			# If other programs start processes during only one of the two traces, its ticks list them. In this case both are
			# traced again.
			for gpu in on off; do
				looks_at $way $gpu
			done
			no_more_calls calls-$way-on calls-$way-off
		fi
	done
}
