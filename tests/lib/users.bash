# Makes runs of other users, for tests in which root reads their files. Root is the administrator. `mallory` and `alice`
# are user IDs without any rights.
MALLORY=61001
ALICE=61002

# make_users: sets SHARED to a directory with a spool for each user, which anyone can search, and SECRET to a file that
# only root can read.
make_users() {
	as_root "write files of several users"
	SHARED=$(mktemp -d /tmp/rtrack-hostile-XXXXXX)
	chmod 755 "$SHARED"
	SECRET=$SHARED/secret
	printf 'TOP-SECRET-LINE\n' >"$SECRET"
	chmod 600 "$SECRET"
	touch -d '2026-11-20' "$SECRET"
	install -d -m 755 -o $MALLORY -g $MALLORY "$SHARED/mallory"
	install -d -m 700 -o $ALICE -g $ALICE "$SHARED/alice"
	install -d -m 700 "$SHARED/root"
}

# A file that loads this one may define a setup of its own.
setup() {
	make_users
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	cd /
	[ -z "${SHARED:-}" ] || rm -rf "$SHARED"
}

# run_of USER ID [STATUS [JOB [SECOND]]]: makes a run of that user in its spool, and sets `run` to its directory.
run_of() {
	run=$(RTRACK_SPOOL=$SHARED/$1 make_run "${@:2}")
	case $1 in
	mallory) chown -R $MALLORY:$MALLORY "$run" ;;
	alice) chown -R $ALICE:$ALICE "$run" ;;
	esac
}

# as_user UID COMMAND…: runs a command as that user.
as_user() {
	setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"
}

# edit FILTER FILE: applies a jq filter to a file, which keeps its owner.
edit() {
	jq "$1" "$2" >"$BATS_TEST_TMPDIR/edited"
	cat "$BATS_TEST_TMPDIR/edited" >"$2"
}

# never_waits COMMAND…: runs rtrack-report, which must not wait for another process. Its output is in $output.
never_waits() {
	run timeout -k 5 60 "$BUILD/rtrack-report" "$@" </dev/null
	[ "$status" -ne 124 ] && [ "$status" -ne 137 ]
}
