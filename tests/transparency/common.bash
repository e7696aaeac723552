# Functions shared by the suites. scripts/transparency sets these variables: WAY (bare, preload or launcher), LIBRARY,
# LAUNCHER, WORK (a directory of the suite that is kept), HERE (this directory), SOURCE (the project) and SHORT (`yes`
# with --short). Each unit begins in an empty directory.

# tracked COMMAND...: runs a command in the way WAY, as the root of the run. AS is put before the tracker, for example a
# command that changes the user.
AS=()
tracked() {
	case $WAY in
	preload) "${AS[@]}" env LD_PRELOAD="$LIBRARY" "$@" ;;
	launcher) "${AS[@]}" "$LAUNCHER" -- "$@" ;;
	*) "${AS[@]}" "$@" ;;
	esac
}

# until_true COMMAND...: waits until the command succeeds, for at most a minute.
until_true() {
	local tries=600
	until "$@" >/dev/null 2>&1; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

# skip REASON: ends `prepare` if the suite cannot run.
skip() {
	printf '%s\n' "$*"
	exit 1
}

needs() {
	local program
	for program; do
		command -v "$program" >/dev/null || skip "there is no $program"
	done
}

# result TEST RESULT: prints one line for the comparison.
result() {
	printf '%s\t%s\n' "$1" "$2"
}

# same TEST COMMAND...: the result is the output and the exit status of the command.
same() {
	local test=$1 text status=0
	shift
	text=$("$@" 2>&1) || status=$?
	printf '%s: status %d\n%s\n' "$test" "$status" "${text//$'\t'/ }"
	result "$test" "ok, status $status, $(printf '%s' "$text" | cksum | cut -d ' ' -f 1)"
}

# source_of PACKAGE [DIRECTORY]: puts the unpacked source of a Debian package into `source` or DIRECTORY of WORK. It is
# fetched once, without patches, from the addresses that apt already uses, with source packages enabled.
source_of() {
	local file directory=$WORK/${2:-source}
	[ ! -e "$directory/done" ] || return 0
	needs apt-get tar
	rm -rf "$directory" "$WORK/apt"
	mkdir -p "$directory" "$WORK/apt/lists/partial" "$WORK/apt/sources"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/{debian,ubuntu}.sources; do
		# The security archive lacks the sources of some of its packages, so it is left out.
		[ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$file" |
			awk -v RS= -v ORS='\n\n' '!/Suites:.*security/' >"$WORK/apt/sources/${file##*/}"
	done
	(
		cd "$WORK/apt" || exit 1
		set -- -q -o Dir::Etc::sourcelist=- -o "Dir::Etc::sourceparts=$WORK/apt/sources" \
			-o "Dir::State::lists=$WORK/apt/lists" -o APT::Sandbox::User=root "$1"
		package=${!#}
		set -- "${@:1:$#-1}"
		apt-get "$@" update && apt-get "$@" source --download-only "$package"
	) >"$WORK/apt/log" 2>&1 || skip "apt-get source $1 failed: $(tail -n 1 "$WORK/apt/log")"
	tar -xf "$(find "$WORK/apt" -maxdepth 1 -name '*.orig.tar.*' ! -name '*.asc')" -C "$directory" --strip-components=1 ||
		skip "the source of $1 cannot be unpacked"
	rm -rf "$WORK/apt"
	touch "$directory/done"
}

# tap NAME: reads TAP, and prints each test by its number, because the names contain pids and depend on the order of
# hashes.
tap() {
	awk -v name="$1" '
		/^1\.\.0/ { print name "\tskipped" }
		/^(not )?ok/ {
			outcome = /^not/ ? "failed" : tolower($0) ~ /# *skip/ ? "skipped" : "ok"
			printf "%s %d\t%s\n", name, ++count, outcome
		}'
}
