#!/usr/bin/env bats
# Test that, without a GPU and an energy counter, rtrack starts no helper and reads no GPU files

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	has_meters && skip "this machine has a GPU or an energy counter"
	need strace
	strace -o /dev/null true 2>/dev/null || skip "tracing is not allowed here"
	# On a busy machine, rtrack skips the slow reading of memory, so ticks would differ. RTRACK_MEMORY=rss avoids
	# this.
	export RTRACK_INTERVAL=0.1 RTRACK_MEMORY=rss
}

# no_more_calls WITH WITHOUT: compares the system calls in two strace files, by name and file. A tick is the work of a
# thread between two waits in which it writes a row of process.csv. Some ticks make more calls than others, because a
# process gets a row now and then. Therefore the calls that are in all ticks of WITH must be among the calls of one tick
# of WITHOUT.
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
		    # The first tick opens files that later ticks keep open, and the last tick ends the run.
		    assert len(ticks) >= 8, len(ticks)
		    return ticks[2:-1]

		on, off = map(ticks_of, sys.argv[1:])
		calls = set().union(*on, *off)
		for name, file in sorted(calls):
		    with_gpus, without = [[tick[name, file] for tick in ticks] for ticks in (on, off)]
		    assert min(with_gpus) <= max(without), (name, file, with_gpus, without)
		    assert not re.search("gpu|nvidia|/dri|drm|powercap", file, re.I), (name, file)
		# These calls are in every tick, so this check shows that the names were parsed.
		assert ("pread64", "/proc/stat") in calls and ("clock_gettime", "") in calls, calls
	END
}

# looks_at WAY GPU: traces a run that ends after enough ticks, each of which writes a row. The job is one process that
# waits, because ticks would list the processes that it starts.
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

@test "without a GPU, sampling makes no more system calls than with RTRACK_GPU=off" {
	for way in preload launcher; do
		for gpu in on off; do
			looks_at $way $gpu
			# Only these calls name a file. Data that other calls read may also contain such a name.
			grep -E '(openat|access|faccessat2?|execve|unlinkat)\(' calls-$way-$gpu |
				grep -oE '\.gpu"|rtrack-gpu|renderD128|nvidiactl|energy_uj' | sort | uniq -c >asked-$way-$gpu || :
			grep -c 'execve(' calls-$way-$gpu >started-$way-$gpu
		done
		cmp started-$way-on started-$way-off
		[ ! -s asked-$way-off ]
		# Three probes are at the start, and none are in the ticks.
		[ "$(awk '{ sum += $1 } END { print sum }' asked-$way-on)" = 3 ]
		fails grep -E 'rtrack-gpu|\.gpu' asked-$way-on
		if ! no_more_calls calls-$way-on calls-$way-off; then
			# If other programs start processes during only one of the two traces, only its ticks list these
			# processes. In this case both traces are repeated.
			for gpu in on off; do
				looks_at $way $gpu
			done
			no_more_calls calls-$way-on calls-$way-off
		fi
	done
}
