#!/usr/bin/env bats
# Tests of failures during a job: failing system calls of the library, full disks, and killed samplers, launchers and
# root processes (docs/hazards.md)

load ../lib/helper
load ../lib/jobs

JOB='echo to stdout; echo to stderr >&2; seq 1 100 | sort -n | tail -1; (exit 2); sleep 0.05; sh -c "exit 7"'

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_INTERVAL=0.001
}

same_job() {
	same_every_way sh -c "${1:-$JOB}"
	bare_status_is 7
	bare_says 100
}

# rows_are_whole DIRECTORY: fails unless each row of each table has as many cells as the header, and a newline.
rows_are_whole() {
	python3 - "$1" <<-'END'
		import csv, pathlib, sys
		files = sorted(pathlib.Path(sys.argv[1]).rglob("*.csv"))
		for path in files:
		    text = path.read_text()
		    rows = list(csv.reader(text.splitlines(keepends=True), strict=True))
		    if text and not text.endswith("\n") or any(len(row) != len(rows[0]) for row in rows):
		        sys.exit("%s has a torn row" % path)
		sys.exit(not files)
	END
}

@test "failures of the tracker's system calls do not change the job" {
	refuse=$(victim refuse)
	"$refuse" write 122 true || skip "no filter can be set here"
	# The numbers are EINTR, EAGAIN, ENOMEM, EMFILE, ENOSPC, EROFS and EDQUOT.
	for fault in 'write 4' 'write 11' 'write 28' 'write 122' 'append 4' 'append 24' 'append 30' 'create 24' 'create 122' \
		'directory 122' 'thread 11' 'thread 12' 'map 12'; do
		echo "$fault"
		WAYS_PREFIX=("$refuse" $fault)
		one_way bare sh -c "$JOB"
		bare_status_is 7
		one_way preload sh -c "$JOB"
		looks_bare preload
		# The command of rtrack-run cannot start without write, which its parent uses to release it through a
		# pipe.
		if [ "${fault% *}" != write ]; then
			one_way launcher sh -c "$JOB"
			looks_bare launcher
		fi
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
}

@test "incomplete writes of the tracker neither change the job nor leave partial rows" {
	[ "$(uname -m)" = x86_64 ] || skip "the tracer knows the registers of x86-64 only"
	shorten=$(victim shorten)
	"$shorten" 1 0 true || skip "no process can be traced here"
	# The processes run one after the other, so each one writes its rows before the sampler does. The library can
	# remove an incomplete row only at the end of the file.
	job='echo to stdout; seq 1 100 >numbers; tail -1 numbers; (exit 2); sleep 0.3; /bin/true; sh -c "exit 7"'
	export RTRACK_INTERVAL=0.1
	one_way bare sh -c "$job"
	bare_status_is 7
	bare_says 100
	runs=0
	for first in 0 3 7 8; do
		WAYS_PREFIX=("$shorten" 9 $first)
		for way in preload launcher; do
			echo "$way: each ninth write, the first is number $first"
			one_way $way sh -c "$job"
			looks_bare $way
			# Without a run there are no rows to check.
			if compgen -G "$(spool_of $way)/2*/start.csv" >/dev/null; then
				rows_are_whole "$(spool_of $way)"
				runs=$((runs + 1))
			fi
			rm -r "$(spool_of $way)"
		done
	done
	[ "$runs" -ge 4 ]
}

# Commands of a job that moves the run's directory away and calls put() with its old path
REPLACING='for run in "$RTRACK_SPOOL"/*/; do
		[ -e "$run/run.json" ] && mv "${run%/}" "$RTRACK_SPOOL/moved" && put "${run%/}"
	done; '

@test "if the run directory becomes a file, the job runs as if untracked" {
	same_job 'put() { echo precious >"$1"; }; '"$REPLACING$JOB"
	for way in preload launcher; do
		[ "$(cat "$(spool_of $way)"/2*)" = precious ]
	done
}

# bats test_tags=root
@test "nothing is written if another user's link replaces the run directory" {
	as_root "make another user's link"
	mkdir theirs
	for table in start exit process system member; do
		: >"theirs/$table.csv"
	done
	chown -R 65534 theirs
	export THEIRS=$PWD/theirs
	same_job 'put() { ln -s "$THEIRS" "$1" && chown -h 65534 "$1"; }; '"$REPLACING$JOB"
	[ -L "$(echo "$(spool_of preload)"/2*)" ]
	[ -z "$(cat theirs/*)" ]
}

@test "a disk that is full at times neither changes the job nor leaves partial rows" {
	in_own_mounts "mount -t tmpfs -o size=256k,mode=700 none '$PWD/spool'"
	mkdir -m 700 spool saved
	SPOOL_FOR_ALL=$PWD/spool
	same_every_way sh -c 'for i in 1 2 3 4 5 6 7 8; do
			for block in 100000 10000 1000 100 10 1; do
				while head -c $block /dev/zero >>"$RTRACK_SPOOL/rest" 2>/dev/null; do :; done
			done
			/bin/echo $i
			sleep 0.03
			rm "$RTRACK_SPOOL/rest"
			/bin/echo $i
			sleep 0.03
		done
		rm -rf "$1/last"; cp -r "$RTRACK_SPOOL" "$1/last"; exit 7' sh "$PWD/saved"
	bare_status_is 7
	rows_are_whole saved/last
}

keeper_lives() {
	grep -qsF "rtrack-keeper" "$1/cmdline"
}

@test "if the directory of a run is removed, sampling ends, and a daemon lives on" {
	RTRACK_INTERVAL=0.05
	one_way preload sh -c 'setsid sleep 300 >/dev/null 2>&1 & echo $!'
	daemon=$(cat preload.out)
	run=$(run_of preload)
	keeper=$(grep -lsaP "^rtrack-keeper\\x00\\Q$run\\E" /proc/[0-9]*/cmdline || true)
	keeper=${keeper%/cmdline}
	kill -0 "$daemon"
	keeper_lives "$keeper"
	rm -rf "$run"
	deadline=$((SECONDS + 60))
	while keeper_lives "$keeper"; do
		[ $SECONDS -lt $deadline ]
		read -rt 0.02 <> <(:) || true
	done
	kill "$daemon"
}

@test "200 SIGKILLs of jobs, samplers and rtrack-run at random times damage no file" {
	need python3
	timeout 300 python3 "$PROJECT/tests/lib/kills.py" "$BUILD" "$PWD/kills" 200 20261121
}
