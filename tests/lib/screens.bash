# A terminal of a given size, made by tmux, to check what a user of rtrack-report would see

# soon COMMAND…: fails unless the command succeeds within a minute.
soon() {
	for _ in {1..1200}; do
		! "$@" || return 0
		sleep 0.05
	done
	echo "not within a minute: $*"
	screen
	return 1
}

# Each terminal has its own tmux server, because an earlier server that was asked to end may still exist.
TERMINALS=0

terminal() {
	command tmux -S "$BATS_TEST_TMPDIR/tmux-$TERMINALS" -f /dev/null "$@"
}

screen() {
	terminal capture-pane -p 2>/dev/null || true
}

# The locale must support the characters that the terminal shows.
shows() {
	screen | LC_ALL=C.UTF-8 grep -qE -- "$1"
}

# open_terminal COLUMNS ROWS ARG…: runs rtrack-report on a terminal, and records its status and the terminal's modes. LOCALE
# sets its locale.
open_terminal() {
	local columns=$1 rows=$2
	shift 2
	need tmux
	TERMINALS=$((TERMINALS + 1))
	# As for a user, a shell with job control gives the terminal to the program.
	cat >"$BATS_TEST_TMPDIR/session" <<-END
		set -m
		trap : INT
		cd "$BATS_TEST_TMPDIR"
		stty -g >before
		sh -c 'echo \$\$ >pid; exec "$BUILD/rtrack-report" $*'
		echo \$? >status
		stty -g >after
		mv status ended
		cat
	END
	LC_ALL=C.UTF-8 terminal new-session -d -x "$columns" -y "$rows" "LC_ALL=${LOCALE:-C.UTF-8} bash '$BATS_TEST_TMPDIR/session'" 3>&-
}

# given_back STATUS: fails unless the program ended with that status and restored the terminal.
given_back() {
	soon test -s "$BATS_TEST_TMPDIR/ended"
	[ "$(cat "$BATS_TEST_TMPDIR/ended")" = "$1" ] || { cat "$BATS_TEST_TMPDIR/ended"; return 1; }
	cmp "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	[ "$(terminal display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}

close_terminal() {
	terminal kill-server 2>/dev/null || true
}
