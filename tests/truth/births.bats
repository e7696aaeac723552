#!/usr/bin/env bats
# Tests of the recorded start times of processes. Other processes record most of them (preload/start_rows.h), and they
# must equal the kernel's.

load ../lib/helper
load ../lib/jobs
load ../lib/exact

# births_are_the_kernels RUN FILE: each line of FILE, "pid start" from the kernel, is a row of start.csv, and no pid has
# two start times.
births_are_the_kernels() {
	local run=$1 said=$2
	awk -F, 'FNR == NR { split($0, cell, " "); start[cell[1]] = cell[2]; asked++; next }
		FNR > 1 {
			if ($2 in start && start[$2] != $3) { print "pid " $2 " began at " start[$2] ", not at " $3; bad = 1 }
			if ($2 in seen && seen[$2] != $3) { print "pid " $2 " has two starts"; bad = 1 }
			found += $2 in start && !($2 in seen)
			seen[$2] = $3
		}
		END { if (found != asked) { print asked " were asked for, " found " are there"; bad = 1 } exit bad }' \
		"$said" "$run/start.csv"
}

@test "recorded start times of sequential and parallel programs equal the kernel's" {
	cat >"$BATS_TEST_TMPDIR/job" <<-'END'
		one() { for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do cat /proc/self/stat; done; }
		one; one & one & one; wait
		sh -c 'sh -c "cat /proc/self/stat"; cat /proc/self/stat; exec cat /proc/self/stat'
		(read -r line; exec cat /proc/self/stat) <"$1"
		exit 0
	END
	mkfifo "$BATS_TEST_TMPDIR/pipe"
	for way in preload launcher; do
		{ sleep 0.3; echo go; } >"$BATS_TEST_TMPDIR/pipe" &
		one_way $way sh "$BATS_TEST_TMPDIR/job" "$BATS_TEST_TMPDIR/pipe"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/$way.out")" = 84 ]
		sed 's/^\([0-9]*\) (.*) /\1 /' "$BATS_TEST_TMPDIR/$way.out" | cut -d' ' -f1,21 >"$BATS_TEST_TMPDIR/said"
		births_are_the_kernels "$(run_of $way)" "$BATS_TEST_TMPDIR/said"
	done
}

@test "a program is named after its real file, and a script after its interpreter" {
	cp "$(type -P true)" "$BATS_TEST_TMPDIR/one"
	mkdir "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	cp "$(type -P true)" "$BATS_TEST_TMPDIR/a/two"
	ln -s a "$BATS_TEST_TMPDIR/c"
	ln -s ../c/two "$BATS_TEST_TMPDIR/b/three"
	printf '#!%s\n:\n' "$(type -P bash)" >"$BATS_TEST_TMPDIR/a/script"
	chmod +x "$BATS_TEST_TMPDIR/a/script"
	place=$(realpath "$BATS_TEST_TMPDIR")
	for way in preload launcher; do
		(cd "$BATS_TEST_TMPDIR" && one_way $way sh -c 'for i in 1 2 3; do ./one; "$0/one"; c/two; "$0/c/two"; "$0/b/three"; a/script; "$0/c/script"; done; exit 0' "$BATS_TEST_TMPDIR")
		column "$(run_of $way)/start.csv" exe | tr -d '"' | sort | uniq -c | awk '{ print $1, $2 }' >"$BATS_TEST_TMPDIR/seen"
		grep -qx "6 $place/one" "$BATS_TEST_TMPDIR/seen"
		grep -qx "9 $place/a/two" "$BATS_TEST_TMPDIR/seen"
		grep -qx "6 $(realpath "$(type -P bash)")" "$BATS_TEST_TMPDIR/seen"
	done
}

@test "a process created by a direct system call is recorded with its real start time" {
	cat >"$BATS_TEST_TMPDIR/job.py" <<-'END'
		import ctypes, os
		libc = ctypes.CDLL(None)

		def bare_fork(number):
		    if number == 0 and hasattr(libc, "_Fork"):
		        return libc._Fork()
		    return libc.syscall(number or clone, 17, 0, 0, 0, 0)

		def say():
		    with open("/proc/self/stat") as file:
		        fields = file.read().rsplit(")", 1)[1].split()
		    os.write(1, b"%d %d\n" % (os.getpid(), int(fields[19])))

		clone = {"x86_64": 56}.get(os.uname().machine, 220)
		for number in (clone, 0) * 4:
		    child = bare_fork(number)
		    if child == 0:
		        sum(i * i for i in range(600000))
		        say()
		        if os.fork() == 0:
		            say()
		            sum(i * i for i in range(100000))
		        os._exit(1)
		    os.waitpid(child, 0)
	END
	export RTRACK_INTERVAL=0.01
	for way in preload launcher; do
		accounted $way "$(PATH=/usr/bin:/bin:$PATH command -v python3)" "$BATS_TEST_TMPDIR/job.py"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/$way.out")" = 16 ]
		births_are_the_kernels "$run" "$BATS_TEST_TMPDIR/$way.out"
		claims_hold $way
	done
}
