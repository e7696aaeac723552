# Runs a job untracked ("bare"), under LD_PRELOAD and under rtrack-run, and compares what a user would see.
# A tracker must first of all change nothing: exit status, stdout and stderr must be the same bytes each way. Each way
# has its own spool, so that tests can then check its run. WAYS_PREFIX is put before all three commands, for example to
# close descriptors or to enter a namespace. If a test sets SPOOL_FOR_ALL, all ways use that one directory.

LIBRARY=$BUILD/librtrack.so
WAYS_PREFIX=()
# If set, all ways run under tests/victims/work/account.c, for records_hold.
ACCOUNTED=
ALLOWED_SECONDS=120

# victim NAME [COMPILER [FLAG…]]: builds NAME.c of tests/victims if necessary, and prints the program's path.
victim() {
	local name=$1 compiler=${2:-${CC:-cc}} source program
	source=$(echo "$PROJECT"/tests/victims/*/"$1.c")
	shift $(($# > 1 ? 2 : 1))
	program=$BUILD/victims/$name-$(printf '%s' "$compiler$*" | tr -c 'A-Za-z0-9\n' _)
	if [ ! "$program" -nt "$source" ]; then
		mkdir -p "$BUILD/victims"
		$compiler -std=gnu11 -O2 "$@" -o "$program.$$" "$source" -lpthread
		[ ! -e "$program.$$.guest" ] || mv "$program.$$.guest" "$program.guest"
		mv "$program.$$" "$program"
	fi
	printf '%s\n' "$program"
}

# spool_of WAY: prints the spool of this way (preload or launcher).
spool_of() {
	printf '%s\n' "${SPOOL_FOR_ALL:-$BATS_TEST_TMPDIR/spool-$1}"
}

# run_of WAY: prints the directory of the only run of this way. Fails if there is none or more than one.
run_of() {
	RTRACK_SPOOL=$(spool_of "$1") only_run
}

# one_way WAY COMMAND…: runs a command in one way (bare, preload or launcher). Writes WAY.out, WAY.err and WAY.status.
one_way() {
	local way=$1 status=0 tracker=() accountant=()
	shift
	case $way in
	preload) tracker=(env "LD_PRELOAD=${LIBRARIES:-$LIBRARY}") ;;
	launcher) tracker=("$BUILD/rtrack-run") ;;
	esac
	[ -z "$ACCOUNTED" ] || accountant=("$(victim account)" "$BATS_TEST_TMPDIR/$way.account")
	RTRACK_SPOOL=$(spool_of "$way") timeout -k 5 "$ALLOWED_SECONDS" "${accountant[@]}" "${WAYS_PREFIX[@]}" "${tracker[@]}" "$@" \
		>"$BATS_TEST_TMPDIR/$way.out" 2>"$BATS_TEST_TMPDIR/$way.err" </dev/null 3>&- || status=$?
	printf '%s\n' "$status" >"$BATS_TEST_TMPDIR/$way.status"
}

# looks_bare WAY: status, stdout and stderr of this way equal those of the untracked run.
looks_bare() {
	local part
	for part in status out err; do
		if ! cmp -s "$BATS_TEST_TMPDIR/bare.$part" "$BATS_TEST_TMPDIR/$1.$part"; then
			printf '%s of the %s run differs from the bare run:\n' "$part" "$1"
			diff "$BATS_TEST_TMPDIR/bare.$part" "$BATS_TEST_TMPDIR/$1.$part" | head -20
			return 1
		fi
	done
}

# same_every_way COMMAND…: runs a command all three ways and fails unless they behave the same.
same_every_way() {
	local way
	for way in bare preload launcher; do
		one_way "$way" "$@"
	done
	looks_bare preload
	looks_bare launcher
}

# await_end WAY: waits until the only run of this way has ended.
await_end() {
	local run deadline=$((SECONDS + 60))
	run=$(run_of "$1")
	while [ "$(json status "$run/run.json")" = running ] || [ -e "$run/.lock" ]; do
		[ $SECONDS -lt $deadline ]
		read -rt 0.02 <> <(:) || true
	done
}

# records_hold: fails unless the records of the tracked ways of same_every_way are right, or marked as incomplete
# (tests/lib/record.py). ACCOUNTED must be set. Records in separate mounts are read from the place to which
# in_own_mounts copied them.
records_hold() {
	need python3
	python3 "$PROJECT/tests/lib/record.py" "$BUILD/rtrack-report" "$(cat "$BATS_TEST_TMPDIR/bare.status")" \
		"$BATS_TEST_TMPDIR" "$(spool_of preload)" "$(spool_of launcher)" "$BATS_TEST_TMPDIR/kept"
}

# both_beside COMMAND...: runs a command both tracked ways in parallel, so that a command that sleeps takes its time
# only once.
both_beside() {
	one_way preload "$@" &
	local first=$!
	one_way launcher "$@" &
	wait "$first" $!
}

# bare_status_is STATUS, bare_says REGEX: check the status and output of the untracked run of same_every_way, so that
# the test does not compare three failures.
bare_status_is() {
	[ "$(cat "$BATS_TEST_TMPDIR/bare.status")" = "$1" ]
}

bare_says() {
	cat "$BATS_TEST_TMPDIR/bare.out" "$BATS_TEST_TMPDIR/bare.err" | grep -qe "$1"
}

# total RUN KEY: prints one figure of `rtrack-report stats`.
total() {
	"$BUILD/rtrack-report" stats --format json "$1" | sed -n "s/.*\"$2\":[[:space:]]*\([^,}]*\).*/\1/p" | head -1
}

sum_of() {
	column "$1" "$2" | awk '{ sum += $1 } END { printf "%.6f\n", sum }'
}

# near A B ABSOLUTE [RELATIVE]: |A - B| is at most ABSOLUTE + RELATIVE x B.
near() {
	awk -v a="$1" -v b="$2" -v absolute="$3" -v relative="${4:-0}" 'BEGIN {
		difference = a > b ? a - b : b - a
		allowed = absolute + relative * b
		if (a == "" || b == "" || difference > allowed) {
			printf "%s is not within %s of %s\n", a, allowed, b
			exit 1
		}
	}'
}

rows_in() {
	column "$1" timestamp | wc -l
}

# command_of RUN: prints the arguments of run.json's command as JSON strings, one per line.
command_of() {
	sed -n '/"command": \[/,/\]/{s/^ *\(".*"\),*$/\1/p}' "$1/run.json" | sed '/^"command"/d'
}

# starts_with_text RUN TEXT: prints the number of start.csv rows that contain a text.
starts_with_text() {
	grep -cF -e "$2" "$1/start.csv" || true
}

# in_own_mounts SETUP: puts each of the three ways into its own mount namespace, in which root has first run SETUP (sh).
in_own_mounts() {
	local flags
	for flags in -m -rm; do
		if unshare $flags mount -t tmpfs none /mnt 2>/dev/null; then
			# The spool may be in a mount that ends with the namespace, so it is copied.
			mkdir -p "$BATS_TEST_TMPDIR/kept"
			WAYS_PREFIX=(unshare $flags --propagation private sh -c "$1"' && { "$@"; code=$?
				cp -r "$RTRACK_SPOOL"/2* "'"$BATS_TEST_TMPDIR"'/kept" 2>/dev/null; exit $code; }' sh)
			return
		fi
	done
	skip "no right to make a mount namespace here"
}

# waited RUN: prints the part of a run's time, 0 to 1, in which some task of the machine waited for a CPU.
waited() {
	column "$1/system.csv" psi_cpu | awk '{ sum += $1 } END { print NR ? sum / NR / 100 : 0 }'
}

# every_tick RUN FILE INTERVAL: fails unless FILE has a row for every tick of the run. On a busy machine a late row may
# cover several ticks. Therefore the part of missing rows may be as large as the part of the time in which the machine
# was busy.
every_tick() {
	awk -v rows="$(rows_in "$1/$2")" -v seconds="$(total "$1" wall_seconds)" -v interval="$3" -v waited="$(waited "$1")" 'BEGIN {
		expected = seconds / interval
		if (rows <= expected + 2 && rows >= (1 - waited) * expected - 2) exit 0
		printf "%d rows, not %.1f; tasks waited %s of the time\n", rows, expected, waited
		exit 1
	}'
}
