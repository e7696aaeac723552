# What every test needs: where the sources and the programs are, and how to look into a run's directory.
PROJECT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${BUILD:-$(cd "$PROJECT/build" && pwd)}
export RTRACK_SPOOL="$BATS_TEST_TMPDIR/spool"
# No test asks a server outside: nothing listens there. And none sees what another was told.
export RTRACK_KEEPER_URL=http://127.0.0.1:1
export XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache"

# Where a machine has a GPU or a counter of energy, rtrack-gpu would be one process more in the kernel's account of each job,
# and its CPU time after the last row in no record. tests/gpu looks at it.
has_meters() {
	[ -e /dev/nvidiactl ] || [ -e /dev/dri/renderD128 ] || [ -r /sys/class/powercap/intel-rapl:0/energy_uj ]
}
if has_meters; then
	export RTRACK_GPU=off
fi

preload() {
	LD_PRELOAD="$BUILD/librtrack.so" "$@"
}

# The one run in the spool.
only_run() {
	local runs=("$RTRACK_SPOOL"/*/)
	[ ${#runs[@]} -eq 1 ] && [ -d "${runs[0]}" ] || { echo "not one run: ${runs[*]}"; return 1; }
	printf '%s\n' "${runs[0]%/}"
}

# answer COMMAND…: leaves in $ANSWER what a script of ours printed. Where it ends with 77, this machine cannot have what was
# asked for, and the test is skipped; where it ends with another status than 0, the test fails.
answer() {
	local status=0
	ANSWER=$("$@" 2>&1) || status=$?
	[ "$status" != 77 ] || skip "$ANSWER"
	[ "$status" = 0 ] || printf '%s\n' "$ANSWER"
	return "$status"
}

# need NAME…: fails the test unless each is installed: a command, a header, a module or a package that a row of
# scripts/dependencies names. Skips the test where this release has no such package.
need() {
	answer "$PROJECT/scripts/dependencies" --has "$@"
}

# venv NAME PACKAGE… or venv NAME -r FILE: sets PYTHON to the interpreter of an environment with packages of PyPI. Skips
# the test where PyPI cannot be reached.
venv() {
	answer "$PROJECT/scripts/venv" "$@" && PYTHON=$ANSWER
}

# jars NAME GROUP:ARTIFACT:VERSION: sets JARS to a folder of jars of Maven Central. Skips the test where that cannot be
# reached.
jars() {
	answer "$PROJECT/scripts/jars" "$@" && JARS=$ANSWER
}

# third_party: sees that $BUILD/third_party has the sources of libraries. Skips the test where apt's servers cannot be
# reached.
third_party() {
	need patch xz
	answer "$PROJECT/packages/sources" "$BUILD/third_party"
}

# Tests of signals: make gives its recipes signals 32 and 33 ignored, and the thread sanitizer takes them for itself.
not_with_threads_sanitized() {
	[ "${SANITIZER:-}" != thread ] || skip "the thread sanitizer has signals of its own"
}

# Tests of what qemu-user answers otherwise than a processor and its kernel (packages/guest): not_in_qemu WHAT
not_in_qemu() {
	[ -z "${GUEST:-}" ] || skip "qemu-user: $1"
}

# For tests with the tag "root", which scripts/tests runs as root: as_root WHAT skips elsewhere, as only root can do WHAT.
as_root() {
	[ "$(id -u)" = 0 ] || skip "only root can $1"
}

# fails COMMAND…: bats does not notice that a command behind a "!" succeeds.
fails() {
	if "$@"; then
		return 1
	fi
}

json() {
	jq -r ".$1" "$2"
}

column() {
	awk -F, -v name="\"$2\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; next } { print $n }' "$1"
}

# sampled_in_time SECONDS COMMAND…: runs the command, which leaves a run's directory in $run; anew, four times at most, if a
# row came later than that after the one before it: what is sampled while a machine stands still says nothing of a job.
sampled_in_time() {
	local attempt
	for attempt in 1 2 3 4 5; do
		[ $attempt = 1 ] || rm -rf "$run"
		"${@:2}"
		! column "$run/process.csv" timestamp | awk -v most="$1" 'NR > 1 && $1 > last + most { late = 1 } { last = $1 } END { exit !late }' || continue
		return
	done
}
