#!/usr/bin/env bats
# Tests of notes, files that help a process with an empty environment find its run (docs/spool.md). In these tests, the
# runs end without removing their notes.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

NOTES=/dev/shm/rtrack-$(id -u)
# a pid that no process has
UNUSED=$((5000000 + BASHPID))

setup() {
	[ -d /dev/shm ] || skip "no /dev/shm here"
	[ -e /proc/self/ns/pid ] || skip "no /proc here"
	mkdir -p "$NOTES" && chmod 700 "$NOTES"
}

teardown() {
	rm -f "$NOTES"/$UNUSED?
}

look() {
	"$BUILD/rtrack-report" list >/dev/null 2>&1 || [ $? = 1 ]
}

# note DIGIT DIRECTORY: makes a note of a run in DIRECTORY and prints the note's path.
note() {
	ln -s "12345:$2" "$NOTES/$UNUSED$1"
	printf '%s\n' "$NOTES/$UNUSED$1"
}

# run_in NAMESPACE: makes a run directory whose pids belong to that PID namespace, and prints its path.
run_in() {
	mkdir -p "$BATS_TEST_TMPDIR/$1"
	echo "$1" >"$BATS_TEST_TMPDIR/$1/.lock"
	printf '%s\n' "$BATS_TEST_TMPDIR/$1"
}

@test "the pid note of a killed run stays until a report completes the run" {
	export RTRACK_INTERVAL=0.1
	LD_PRELOAD=$LIBRARY sleep 300 3>&- &
	root=$!
	deadline=$((SECONDS + 60))
	until [ -L "$NOTES/$root" ]; do
		[ $SECONDS -lt $deadline ]
		read -rt 0.02 <> <(:) || true
	done
	run=$(only_run)
	[[ $(readlink "$NOTES/$root") == *" $(readlink /proc/self/ns/pid | tr -dc 0-9):$run" ]]
	look
	[ -L "$NOTES/$root" ]
	kill -KILL $root
	wait $root || true
	deadline=$((SECONDS + 60))
	until [ ! -L "$NOTES/$root" ]; do
		[ $SECONDS -lt $deadline ]
		look
	done
	[ "$(json status "$run/run.json")" = killed ]
}

@test "the pid note of a run that may be alive elsewhere is kept" {
	own=$(readlink /proc/self/ns/pid | tr -dc 0-9)
	own_note=$(note 1 "$(run_in "$own")")
	other_note=$(note 2 "$(run_in "1$own")")
	over_note=$(note 3 "$BATS_TEST_TMPDIR")
	unseen_note=$(note 4 "$BATS_TEST_TMPDIR/nothing")
	old_note=$(note 5 "$BATS_TEST_TMPDIR/nothing")
	touch -h -d '2 days ago' "$old_note"
	look
	[ ! -L "$own_note" ]
	[ -L "$other_note" ]
	[ ! -L "$over_note" ]
	[ -L "$unseen_note" ]
	[ ! -L "$old_note" ]
}

@test "a pid note from another PID namespace is kept even if its run is missing" {
	own=$(readlink /proc/self/ns/pid | tr -dc 0-9)
	ln -s "12345 $own:$BATS_TEST_TMPDIR/nothing" "$NOTES/${UNUSED}1"
	ln -s "12345 1$own:$BATS_TEST_TMPDIR/nothing" "$NOTES/${UNUSED}2"
	ln -s "$(awk '{ print $22 }' /proc/$$/stat) $own:$BATS_TEST_TMPDIR/nothing" "$NOTES/$$" 2>/dev/null || skip "$$ has a note"
	look
	[ ! -L "$NOTES/${UNUSED}1" ]
	[ -L "$NOTES/${UNUSED}2" ]
	[ -L "$NOTES/$$" ]
	rm -f "$NOTES/$$"
}

@test "a pid note is removed if its pid now belongs to another process" {
	ln -s "1:$(run_in "$(readlink /proc/self/ns/pid | tr -dc 0-9)")" "$NOTES/$$" 2>/dev/null || skip "$$ has a note"
	[ -L "$NOTES/$$" ]
	look
	[ ! -L "$NOTES/$$" ]
}

@test "other files in the folder of pid notes are kept" {
	touch "$NOTES/${UNUSED}6"
	ln -s nowhere "$NOTES/${UNUSED}7"
	ln -s 12345:relative "$NOTES/${UNUSED}8"
	look
	[ -e "$NOTES/${UNUSED}6" ]
	[ -L "$NOTES/${UNUSED}7" ]
	[ -L "$NOTES/${UNUSED}8" ]
}

# bats test_tags=root
@test "processes with equal pids in different PID namespaces have separate runs" {
	as_root "make a PID namespace"
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no right to make a pid namespace here"
	# shellcheck disable=SC2016 # they are the inner shell's
	seq 60 | xargs -P 3 -I{} unshare --pid --fork --mount-proc sh -c '
		RTRACK_SPOOL=$0/spool-{} LD_PRELOAD=$1 sh -c "i=0; while [ \$i -lt 5000 ]; do i=\$((i + 1)); done; (sort /etc/passwd; exit 0) >/dev/null; exit 0"
		true' "$BATS_TEST_TMPDIR" "$LIBRARY" 3>&-
	for i in $(seq 60); do
		[ "$(ls "$BATS_TEST_TMPDIR/spool-$i" | wc -l)" = 1 ]
	done
}
