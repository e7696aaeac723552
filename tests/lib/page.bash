# Pages in a browser: tests/page/make_run.py makes runs without a job, and tests/page/check.mjs drives headless Chromium
# and prints problems.
PROJECT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# needs_module NAME: fails unless this npm module is installed. Only the tests need it.
needs_module() {
	[ -d "$PROJECT/node_modules/$1" ] || {
		echo "$1 is missing: run npm ci in $PROJECT"
		return 1
	}
}

need_browser() {
	[ -n "${CHROMIUM:-}" ] || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || need chromium
}

# browse CHECK[,CHECK]… FILE [TEXT]: runs checks of check.mjs on a page.
browse() {
	need_browser
	needs_module playwright-core
	ask_browser "$1" "$(realpath "$2")" "${@:3}"
}

# valid FILE…: fails unless the files are valid HTML.
valid() {
	needs_module html-validate
	ask_browser valid "$@"
}

# ask_browser ARGUMENT…: calls check.mjs. A single process of it serves all tests of a file.
ask_browser() {
	local socket=$BATS_FILE_TMPDIR/browser wrong
	if [ ! -e "$socket.pid" ]; then
		node "$PROJECT/tests/page/check.mjs" serve "$socket" >"$socket.log" 2>&1 </dev/null 3>&- &
		echo $! >"$socket.pid"
	fi
	until [ -S "$socket" ]; do
		kill -0 "$(cat "$socket.pid")" || { cat "$socket.log"; return 1; }
		sleep 0.05
	done
	wrong=$(printf '%s\0' "$@" | curl -sS --unix-socket "$socket" --data-binary @- http://browser/) || { cat "$socket.log"; return 1; }
	[ -z "$wrong" ] || { printf '%s\n' "$wrong"; return 1; }
}

# close_browser: a test file with its own teardown_file calls this function there.
close_browser() {
	[ ! -e "$BATS_FILE_TMPDIR/browser.pid" ] || kill "$(cat "$BATS_FILE_TMPDIR/browser.pid")"
}

teardown_file() {
	close_browser
}

# made_run NAME [OPTION of make_run.py]…: makes a run in the spool that ended long ago.
made_run() {
	local run="$RTRACK_SPOOL/$1"
	python3 "$PROJECT/tests/page/make_run.py" "$run" --job "$1.R" "${@:2}"
	touch -d 2026-11-21T03:00:00Z "$run"/*
}
