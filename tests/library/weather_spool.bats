#!/usr/bin/env bats
# Tests of spools that cannot be written. The job must be unchanged. rtrack-run prints nothing, because its command line
# is valid.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

# a job with children of every kind, output on both streams, and its own status
JOB='echo to stdout; echo to stderr >&2; seq 1 100 | sort -n | tail -1; (exit 2); sleep 0.1; sh -c "exit 7"'

setup() {
	cd "$BATS_TEST_TMPDIR"
	ACCOUNTED=1
	export RTRACK_INTERVAL=0.01
}

same_job() {
	same_every_way bash -c "$JOB"
	bare_status_is 7
	bare_says 100
	records_hold
}

@test "a spool that is a file: the job runs as if untracked, and the file is unchanged" {
	SPOOL_FOR_ALL=$PWD/file
	echo precious >file
	same_job
	[ "$(cat file)" = precious ]
}

@test "a spool below a file: the job runs as if untracked" {
	echo precious >file
	SPOOL_FOR_ALL=$PWD/file/below/it
	same_job
	[ "$(cat file)" = precious ]
}

@test "a spool below /proc: the job runs as if untracked" {
	SPOOL_FOR_ALL=/proc/rtrack-cannot-be-here
	same_job
}

@test "a spool without write permission: the job runs as if untracked" {
	mkdir closed
	chmod 500 closed
	if [ "$(id -u)" = 0 ]; then
		[ -r "$BUILD/librtrack.so" ] && setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$BUILD/librtrack.so" ||
			skip "another user cannot read the library here"
		WAYS_PREFIX=(setpriv --reuid 65534 --regid 65534 --clear-groups)
		chmod 711 .
	fi
	SPOOL_FOR_ALL=$PWD/closed/spool
	same_job
	[ -z "$(ls -A closed)" ]
}

@test "a spool that group or others can write to is refused" {
	mkdir shared
	chmod 777 shared
	SPOOL_FOR_ALL=$PWD/shared
	same_job
	[ -z "$(ls -A shared)" ]
}

# bats test_tags=root
@test "nothing is written if the spool is another user's link to another user's folder" {
	as_root "make another user's link"
	mkdir theirs
	ln -s theirs link
	chown 65534 theirs
	chown -h 65534 link
	SPOOL_FOR_ALL=$PWD/link
	same_job
	[ -z "$(ls -A theirs)" ]
}

# bats test_tags=root
@test "nothing is written if the spool is another user's link to our own folder" {
	as_root "make another user's link"
	mkdir -m 700 ours
	ln -s ours link
	SPOOL_FOR_ALL=$PWD/link
	same_job
	[ -n "$(ls -A ours)" ]
	rm -r ours/*
	chown -h 65534 link
	same_job
	[ -z "$(ls -A ours)" ]
}

# bats test_tags=root
@test "nothing is written to a spool in a folder that another user can write to" {
	as_root "write to another user's directory"
	mkdir -m 755 theirs
	chown 65534 theirs
	SPOOL_FOR_ALL=$PWD/theirs
	same_job
	[ -z "$(ls -A theirs)" ]
}

# bats test_tags=root
@test "nothing is written to a spool in another user's sticky folder" {
	as_root "make another user's directory"
	mkdir -m 1777 theirs
	chown 65534 theirs
	SPOOL_FOR_ALL=$PWD/theirs
	same_job
	[ -z "$(ls -A theirs)" ]
	# A sticky directory is used if it belongs to root or to the user.
	chown 0 theirs
	same_job
	[ -n "$(ls -A theirs)" ]
}

@test "a dangling link as a spool: the job runs as if untracked" {
	ln -s nowhere/at/all link
	SPOOL_FOR_ALL=$PWD/link
	same_job
}

@test "a spool path of 5000 bytes: the job runs as if untracked" {
	SPOOL_FOR_ALL=$PWD/$(printf 'x%.0s' $(seq 1 200))
	SPOOL_FOR_ALL=$SPOOL_FOR_ALL/$(printf 'long-name/%.0s' $(seq 1 500))
	same_job
}

@test "a spool that the job removes while it runs: the job runs as if untracked" {
	same_every_way bash -c 'rm -rf "$RTRACK_SPOOL"; '"$JOB"
	bare_status_is 7
	records_hold
}

# If a new file appeared meanwhile, rm -r of a run would fail with "Directory not empty".
@test "no file is added to a run after its job started" {
	local names='cd "$RTRACK_SPOOL"/2*'
	for way in preload launcher; do
		one_way $way bash -c "$names"'; ls -A; exec 3>&2 2>/dev/null; sleep 1.3 & (sleep 0.2); bash -c "kill -9 \$\$"; wait; ls -A >&3'
		grep -q run.json $way.out
		diff $way.out $way.err
	done
}

@test "if the run directory is moved away, the job runs as if untracked" {
	same_every_way bash -c 'mkdir -p "$RTRACK_SPOOL"; mv "$RTRACK_SPOOL" "$RTRACK_SPOOL-moved"; '"$JOB"
	bare_status_is 7
	records_hold
}

@test "if the job replaces run files with directories, the job runs as if untracked" {
	same_every_way bash -c 'for run in "$RTRACK_SPOOL"/*/; do
		[ -e "$run/run.json" ] && rm -f "$run"/* && mkdir "$run/run.json" "$run/process.csv" "$run/system.csv"
	done; '"$JOB"
	bare_status_is 7
	records_hold
}

@test "if tables become links, nothing is written to the targets of the links" {
	echo precious >precious
	export PRECIOUS=$PWD/precious
	same_every_way bash -c 'for run in "$RTRACK_SPOOL"/*/; do
		[ -e "$run/run.json" ] && for table in start exit mark; do ln -sf "$PRECIOUS" "$run/$table.csv"; done
	done; '"$JOB"
	bare_status_is 7
	records_hold
	[ -L "$(echo "$(spool_of preload)"/2*/start.csv)" ]
	[ "$(cat precious)" = precious ]
}

@test "files of a run that become a pipe without a reader do not block the job" {
	same_every_way bash -c 'for run in "$RTRACK_SPOOL"/*/; do
		[ -e "$run/run.json" ] && rm -f "$run"/* && for file in run.json process system member start exit; do
			mkfifo "$run/${file%.json}.csv"
		done
	done; '"$JOB"
	bare_status_is 7
	records_hold
}
