#!/usr/bin/env bats
# Tests of the epilog for Slurm. It runs as root in directories that users can write to, and gives them no file of root.
# bats file_tags=root

load ../lib/helper
load ../lib/users

setup() {
	make_users
	install -d -m 755 "$SHARED/local"
	install -d -m 700 -o nobody "$SHARED/local/nobody"
	mkdir -m 1777 "$SHARED/shared"
	export RTRACK_LOCAL=$SHARED/local RTRACK_SHARED=$SHARED/shared RTRACK_REPORT=/bin/true SLURM_JOB_USER=nobody SLURM_JOB_ID=7
}

@test "Slurm epilog: makes a directory that belongs to the user" {
	sh "$PROJECT/integrations/slurm/epilog"
	[ "$(stat -c '%U %a' "$SHARED/shared/nobody")" = 'nobody 700' ]
}

@test "Slurm epilog: root's directory keeps its owner even if a link to it appears" {
	mkdir "$SHARED/target"
	before=$(stat -c '%u %a' "$SHARED/target")
	setpriv --reuid nobody --regid nogroup --clear-groups sh -c '
		while [ ! -e "$0/stop" ]; do
			ln -sfn /missing "$0/nobody"
			ln -sfn "$1" "$0/nobody"
		done' "$SHARED/shared" "$SHARED/target" 3>&- &
	for _ in {1..40}; do
		sh "$PROJECT/integrations/slurm/epilog"
	done
	touch "$SHARED/shared/stop"
	wait
	[ "$(stat -c '%u %a' "$SHARED/target")" = "$before" ]
}

@test "Slurm epilog: root makes the user's directory where only root can write" {
	chmod 755 "$SHARED/shared"
	sh "$PROJECT/integrations/slurm/epilog"
	[ "$(stat -c '%U %a' "$SHARED/shared/nobody")" = 'nobody 700' ]
}

# run_of JOB STATUS: makes a run of nobody in the local directory.
run_of() {
	local run=$SHARED/local/nobody/20261121T020000Z-n1-10-000$1
	mkdir "$run"
	printf '{\n"status": "%s",\n"labels": {"slurm_job_id": "%s"}\n}\n' "$2" "$1" >"$run/run.json"
	chown -R nobody "$run"
}

@test "Slurm epilog: moves what an earlier epilog could not move, and leaves jobs that still run" {
	install -d -m 500 -o nobody "$SHARED/shared/nobody"
	run_of 7 finished
	run_of 8 running
	run_of 9 finished
	run sh "$PROJECT/integrations/slurm/epilog"
	[ "$status" = 0 ]
	[ "$output" = "rtrack: runs stay in $SHARED/local/nobody, because 2 of them cannot be copied to $SHARED/shared/nobody; the next job of the user tries again" ]
	chmod 700 "$SHARED/shared/nobody"
	run env SLURM_JOB_ID=10 sh "$PROJECT/integrations/slurm/epilog"
	[ -z "$output" ]
	[ "$(ls -A "$SHARED/shared/nobody" | tr '\n' ' ')" = '20261121T020000Z-n1-10-0007 20261121T020000Z-n1-10-0009 ' ]
	[ "$(ls -A "$SHARED/local/nobody")" = 20261121T020000Z-n1-10-0008 ]
}

@test "Slurm epilog: without the shared directory, prints one line and keeps the runs" {
	rmdir "$SHARED/shared"
	run sh "$PROJECT/integrations/slurm/epilog"
	[ "$status" = 0 ]
	[ "$output" = "rtrack: runs stay in $SHARED/local/nobody, because $SHARED/shared/nobody cannot be made" ]
}
