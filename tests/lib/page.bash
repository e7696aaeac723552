# Pages in a browser: tests/page/make_run.py makes runs that never ran, tests/page/check.mjs drives headless Chromium
# and says what is wrong.
PROJECT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)

# What npm has for the tests only.
needs_module() {
	[ -d "$PROJECT/node_modules/$1" ] || {
		echo "$1 is missing: run npm ci in $PROJECT"
		return 1
	}
}

# browse CHECK[,CHECK]… FILE [TEXT]
browse() {
	[ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null || command -v chromium-browser >/dev/null ||
		command -v google-chrome >/dev/null || skip "chromium is not installed (scripts/check installs it)"
	needs_module playwright-core
	node "$PROJECT/tests/page/check.mjs" "$@"
}

# valid FILE…: they are HTML as it should be.
valid() {
	needs_module html-validate
	(cd "$PROJECT" && node_modules/.bin/html-validate "$@")
}

# made_run NAME [option of make_run.py]… leaves a run in the spool, long over.
made_run() {
	local run="$RTRACK_SPOOL/$1"
	python3 "$PROJECT/tests/page/make_run.py" "$run" --job "$1.R" "${@:2}"
	touch -d 2026-11-21T03:00:00Z "$run"/*
}
