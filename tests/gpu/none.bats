#!/usr/bin/env bats
# Where there is no GPU and no energy counter: nothing is started, nothing is asked.

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	has_meters && skip "this machine has a GPU or an energy counter"
	need strace
	strace -o /dev/null true 2>/dev/null || skip "tracing is not allowed here"
	# To read memory by pages is left out where a machine is busy.
	export RTRACK_INTERVAL=0.1 RTRACK_MEMORY=rss
}

# no_more_calls WITH WITHOUT: whether the ticks that strace wrote down in the one file make no call that those in the
# other do not make, by its name and its file. A tick is what a thread does between two waits, if it writes a row of
# process.csv in it. Some have more to do than others (a process has a row now and then), so what every tick does must be
# within what one of the others does.
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
		    # The first open what the others have open, the last one ends the run.
		    assert len(ticks) >= 8, len(ticks)
		    return ticks[2:-1]

		on, off = map(ticks_of, sys.argv[1:])
		calls = set().union(*on, *off)
		for name, file in sorted(calls):
		    with_gpus, without = [[tick[name, file] for tick in ticks] for ticks in (on, off)]
		    assert min(with_gpus) <= max(without), (name, file, with_gpus, without)
		    assert not re.search("gpu|nvidia|/dri|drm|powercap", file, re.I), (name, file)
		# What every tick does is among them, so that names are read as they are meant.
		assert ("pread64", "/proc/stat") in calls and ("clock_gettime", "") in calls, calls
	END
}

# looks_at WAY GPU: a run that ends once it has had enough ticks, each of which writes a row. It waits for them in one
# process that starts no other, as ticks would list those.
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

@test "without a GPU a tick makes not one system call more than with RTRACK_GPU=off, both ways" {
	for way in preload launcher; do
		for gpu in on off; do
			looks_at $way $gpu
			# The calls that name a file; what is read of other processes may have such a name in it.
			grep -E '(openat|access|faccessat2?|execve|unlinkat)\(' calls-$way-$gpu |
				grep -oE '\.gpu"|rtrack-gpu|renderD128|nvidiactl|energy_uj' | sort | uniq -c >asked-$way-$gpu || :
			grep -c 'execve(' calls-$way-$gpu >started-$way-$gpu
		done
		cmp started-$way-on started-$way-off
		[ ! -s asked-$way-off ]
		# Three looks, at the start, and none at the ticks.
		[ "$(awk '{ sum += $1 } END { print sum }' asked-$way-on)" = 3 ]
		fails grep -E 'rtrack-gpu|\.gpu' asked-$way-on
		if ! no_more_calls calls-$way-on calls-$way-off; then
			# Where others start processes in one of the two only, its ticks list them: once more, then.
			for gpu in on off; do
				looks_at $way $gpu
			done
			no_more_calls calls-$way-on calls-$way-off
		fi
	done
}
