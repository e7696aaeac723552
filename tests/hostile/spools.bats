#!/usr/bin/env bats
# Tests of a spool that becomes unwritable while a job runs. The job is not affected. How the job ended is unknown, because
# even a job that ends normally cannot leave a record.

load ../lib/helper
load ../lib/runs

JOB='echo begin; read -r x <go; echo end; exit 7'

setup() {
	cd "$BATS_TEST_TMPDIR"
	mkfifo go
	mkdir -m 700 spool
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1
}

teardown() {
	cd /
	if mountpoint -q "$BATS_TEST_TMPDIR/spool"; then
		umount "$BATS_TEST_TMPDIR/spool"
	fi
}

# job_while COMMAND…: runs the job below "${tracked[@]}", and the command when the job has rows. The job must end as usual.
job_while() {
	"${tracked[@]}" sh -c "$JOB" >out 2>err 3>&- &
	until [ "$(cat spool/2*/process.csv 2>/dev/null | wc -l)" -gt 1 ]; do
		sleep 0.05
	done
	"$@"
	echo >go
	local status=0
	wait $! || status=$?
	[ $status = 7 ]
	[ "$(cat out err)" = begin$'\n'end ]
}

# says_unknown [WORD…]: checks that reports print an unknown status. The WORDs run each command as another user.
says_unknown() {
	"$@" "$BUILD/rtrack-report" list --format json | jq -e '.[0] | [.status, .exit_code, .exit_signal] == ["unknown", null, null]'
	[[ $("$@" "$BUILD/rtrack-report" show -v | head -n 1) == 'sh ended with an unknown status after '* ]]
}

close_spool() {
	chmod 400 spool/2*/* spool/2*/.[a-z]*
	chmod 500 spool spool/2*
}

@test "if the spool becomes read-only by its mode, the job's status is unknown" {
	as_other_user
	for way in "env LD_PRELOAD=$BUILD/librtrack.so" "$BUILD/rtrack-run"; do
		# shellcheck disable=SC2206
		tracked=("${as[@]}" $way)
		job_while close_spool
		says_unknown "${as[@]}"
		chmod 700 spool spool/2*
		rm -r spool/2*
	done
}

@test "a job's status stays unknown if its spool becomes writable again" {
	as_other_user
	for way in "env LD_PRELOAD=$BUILD/librtrack.so" "$BUILD/rtrack-run"; do
		# shellcheck disable=SC2206
		tracked=("${as[@]}" $way)
		job_while close_spool
		chmod 700 spool spool/2*
		chmod 600 spool/2*/* spool/2*/.[a-z]*
		# A new run completes runs of killed jobs, but not this run.
		old=$(echo spool/2*)
		"${as[@]}" "$BUILD/rtrack-run" sleep 0.3
		grep -q '"status": "running"' "$old/run.json"
		find spool -mindepth 1 -maxdepth 1 ! -path "$old" -exec rm -r {} +
		# The first report records the status.
		says_unknown "${as[@]}"
		grep -q '"status": "unknown"' "$old/run.json"
		says_unknown "${as[@]}"
		[ ! -e "/dev/shm/rtrack-$(id -u)/${old#*/}.parted" ]
		rm -r spool/2*
	done
}

disk_fails() {
	# The journal of the disk has no later changes.
	sync -f spool
	mount -o remount,abort spool
}

# bats test_tags=root
@test "if the disk of the spool fails while a job runs, the job's status is unknown" {
	as_root "mount a file system"
	need mkfs.ext4
	for way in preload "$BUILD/rtrack-run"; do
		tracked=("$way")
		truncate -s 16M image
		mkfs.ext4 -q -F image
		mount -o loop,errors=remount-ro image spool || skip "no loop device here"
		chmod 700 spool
		job_while disk_fails
		fails touch spool/file
		says_unknown
		umount spool
		mount -o loop image spool
		says_unknown
		umount spool
	done
}
