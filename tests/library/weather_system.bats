#!/usr/bin/env bats
# Tests of systems in bad shape: full and read-only file systems, no /proc, small limits. The tests use their own mount
# namespaces.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs

JOB='echo to stdout; echo to stderr >&2; seq 1 100 | sort -n | tail -1; (exit 2); sleep 0.2; sh -c "exit 7"'

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkdir spool
	chmod 700 spool
	SPOOL_FOR_ALL=$PWD/spool
	ACCOUNTED=1
	export RTRACK_INTERVAL=0.001
}

same_job() {
	same_every_way "${JOB_SHELL:-bash}" -c "${1:-$JOB}"
	bare_status_is 7
	bare_says 100
	records_hold
}

@test "a disk that is full before the job starts: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs -o size=4k,mode=700 none '$SPOOL_FOR_ALL' &&
		head -c 4096 /dev/zero >'$SPOOL_FOR_ALL/full'"
	same_job
}

@test "a disk that fills up while the job runs: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs -o size=64k,mode=700 none '$SPOOL_FOR_ALL'"
	same_job
}

@test "a disk without a free inode: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs -o nr_inodes=4,mode=700 none '$SPOOL_FOR_ALL'"
	same_job
}

@test "a read-only file system: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs -o ro,mode=700 none '$SPOOL_FOR_ALL'"
	same_job
}

@test "a file system unmounted lazily during the job: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs -o mode=700 none '$SPOOL_FOR_ALL'"
	same_job 'umount -l "$RTRACK_SPOOL"; '"$JOB"
}

@test "no /sys: the job runs as if untracked, and usage of all processors is recorded" {
	in_own_mounts "mount -t tmpfs none /sys"
	same_job
	[ "$(nproc)" -gt 1 ] || skip "there is one processor only"
	RTRACK_INTERVAL=0.2 one_way launcher sh -c 'for i in 1 2 3; do timeout 1 sh -c "while :; do :; done" & done; wait'
	column "$(ls -d kept/2* | tail -n 1)/system.csv" cpu_usage | awk '$1 > most { most = $1 } END { print most; exit !(most > 1.2) }'
}

@test "no /proc: the job runs as if untracked" {
	in_own_mounts "mount -t tmpfs none /proc"
	same_job
}

@test "no /proc: totals are not called exact if the first process is unknown" {
	in_own_mounts "mount -t tmpfs none /proc"
	for command in "$(victim burn "${CC:-cc}" -static) 0.3" 'seq 900000 | sort | md5sum'; do
		rm -rf kept/2* spool/2*
		JOB="echo 100; $command; exit 7"
		JOB_SHELL=sh same_job
		rm -rf kept/2* spool/2*
		same_job
	done
}

@test "a /proc that disappears while the job runs: the job runs as if untracked" {
	in_own_mounts true
	same_job 'mount -t tmpfs none /proc; '"$JOB"
}

# bats test_tags=root
@test "a /proc of another PID namespace: the job runs as if untracked" {
	as_root "make a PID namespace"
	in_own_mounts true
	WAYS_PREFIX=(unshare --fork --pid --mount --propagation private)
	"${WAYS_PREFIX[@]}" true || skip "no right to make a pid namespace here"
	same_job
}

# bats test_tags=root
@test "a /proc that hides other users' processes: the job runs as if untracked" {
	as_root "mount such a /proc, and be another user on it"
	in_own_mounts "mount -t proc -o hidepid=invisible proc /proc"
	WAYS_PREFIX+=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	"${WAYS_PREFIX[@]}" test -r "$LIBRARY" -a ! -e /proc/1 2>/dev/null || skip "nothing can be hidden here"
	SPOOL_FOR_ALL=/var/tmp/rtrack-hidden-$$
	same_job
	[ "$("${WAYS_PREFIX[@]}" sh -c 'cat "$0"/*/process.csv | wc -l' "$SPOOL_FOR_ALL")" -gt 4 ]
	rm -rf "$SPOOL_FOR_ALL"
}

@test "a limit on file sizes: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'ulimit -f 4; exec "$@"' sh)
	same_job
}

@test "a limit on file sizes that prevents records: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'ulimit -f 4; exec "$@"' sh)
	same_job 'for i in $(seq 100); do /bin/echo $i; done; exit 7'
	for run in "$SPOOL_FOR_ALL"/2*; do
		[ "$(wc -c <"$run/exit.csv")" -gt 1500 ]
		# The missing exit records are reported, although the sampler's own rows were short enough.
		[ -k "$run/exit.csv" ]
		[ "$(total "$run" exact)" = false ]
		"$BUILD/rtrack-report" show -v "$run" | grep -q '^Missing  *records that could not be written'
	done
}

@test "a limit on open files: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'ulimit -n 12; exec "$@"' sh)
	same_job
}

@test "a small stack: the job runs as if untracked" {
	# The environment is on the stack, and the kernel shifts its place by up to 8 KiB. With the environment of bats,
	# about one in a hundred untracked jobs exceeds 24 KiB.
	for kilobytes in 128 24; do
		WAYS_PREFIX=(env -i "PATH=$PATH" "RTRACK_SPOOL=$SPOOL_FOR_ALL" RTRACK_INTERVAL=0.001 sh -c "ulimit -s $kilobytes; exec \"\$@\"" sh)
		same_job
		[ -n "$(ls "$SPOOL_FOR_ALL")" ]
		rm -r "${SPOOL_FOR_ALL:?}"/*
	done
}

@test "an unlimited stack: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'ulimit -s unlimited 2>/dev/null; exec "$@"' sh)
	same_job
}

@test "a limit on memory: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'ulimit -v 12000; exec "$@"' sh)
	same_job
}

@test "a removed working directory: the job runs as if untracked" {
	WAYS_PREFIX=(sh -c 'mkdir gone && cd gone && rmdir ../gone && exec "$@"' sh)
	same_every_way sh -c 'echo here; /bin/pwd; exit 7'
	bare_status_is 7
	records_hold
}
