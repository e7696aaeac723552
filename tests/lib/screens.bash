# A terminal of a given size to look at, that of tmux: what a person would see of rtrack-report.

# soon COMMAND…: within a minute it succeeds.
soon() {
	for _ in {1..1200}; do
		! "$@" || return 0
		sleep 0.05
	done
	echo "not within a minute: $*"
	screen
	return 1
}

# Each terminal has a server of its own: one that was told to end may still be there.
TERMINALS=0

terminal() {
	command tmux -S "$BATS_TEST_TMPDIR/tmux-$TERMINALS" -f /dev/null "$@"
}

screen() {
	terminal capture-pane -p 2>/dev/null || true
}

# In a locale that knows the characters which the terminal shows.
shows() {
	screen | LC_ALL=C.UTF-8 grep -qE -- "$1"
}

# open_terminal COLUMNS ROWS ARG…: rtrack-report on a terminal, and what it leaves behind. LOCALE is its own one.
open_terminal() {
	local columns=$1 rows=$2
	shift 2
	need tmux
	TERMINALS=$((TERMINALS + 1))
	# A shell with job control gives the program the terminal as a person's does.
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

# given_back STATUS: it ended so, and the terminal is what it was.
given_back() {
	soon test -s "$BATS_TEST_TMPDIR/ended"
	[ "$(cat "$BATS_TEST_TMPDIR/ended")" = "$1" ] || { cat "$BATS_TEST_TMPDIR/ended"; return 1; }
	cmp "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/after"
	[ "$(terminal display-message -p '#{alternate_on} #{cursor_flag}')" = "0 1" ]
}

close_terminal() {
	terminal kill-server 2>/dev/null || true
}
