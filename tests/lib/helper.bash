# Common to all tests: the paths of sources and programs, and functions that read a run's directory
PROJECT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
BUILD=${BUILD:-$(cd "$PROJECT/build" && pwd)}
export RTRACK_SPOOL="$BATS_TEST_TMPDIR/spool"
export TZ=UTC
# Nothing listens on this port, so no test contacts a real server. No test sees the cache of another test.
export RTRACK_KEEPER_URL=http://127.0.0.1:1
export XDG_CACHE_HOME="$BATS_TEST_TMPDIR/cache"

# On a machine with a GPU or an energy counter, the kernel's account of each job would include one more process,
# rtrack-gpu. Its CPU time after the last row would be in no record. Only tests/gpu tests it.
has_meters() {
	[ -e /dev/nvidiactl ] || [ -e /dev/dri/renderD128 ] || [ -r /sys/class/powercap/intel-rapl:0/energy_uj ]
}
if has_meters; then
	export RTRACK_GPU=off
fi

preload() {
	LD_PRELOAD="$BUILD/librtrack.so" "$@"
}

# only_run: prints the only run in the spool.
only_run() {
	local runs=("$RTRACK_SPOOL"/*/)
	[ ${#runs[@]} -eq 1 ] && [ -d "${runs[0]}" ] || { echo "not one run: ${runs[*]}"; return 1; }
	printf '%s\n' "${runs[0]%/}"
}

# answer COMMAND…: sets $ANSWER to the output of one of our scripts. Status 77 means that this machine lacks something,
# and skips the test. Any other status except 0 fails the test.
answer() {
	local status=0
	ANSWER=$("$@" 2>&1) || status=$?
	[ "$status" != 77 ] || skip "$ANSWER"
	[ "$status" = 0 ] || printf '%s\n' "$ANSWER"
	return "$status"
}

# need NAME…: fails the test unless each NAME is installed: a command, a header, a module or a package in a row of
# scripts/dependencies. Skips the test if this release has no such package.
need() {
	answer "$PROJECT/scripts/dependencies" --has "$@"
}

# venv NAME PACKAGE… or venv NAME -r FILE: sets PYTHON to the interpreter of an environment with PyPI packages. Skips the
# test if PyPI cannot be reached.
venv() {
	answer "$PROJECT/scripts/venv" "$@" && PYTHON=$ANSWER
}

# jars NAME GROUP:ARTIFACT:VERSION: sets JARS to a folder of jars from Maven Central. Skips the test if Maven Central
# cannot be reached.
jars() {
	answer "$PROJECT/scripts/jars" "$@" && JARS=$ANSWER
}

# third_party: makes sure that $BUILD/third_party has the sources of libraries. Skips the test if apt's servers cannot
# be reached.
third_party() {
	need patch xz
	answer "$PROJECT/packages/sources" "$BUILD/third_party"
}

# without_libcurl FOLDER: builds rtrack-report without libcurl in FOLDER, from the objects of the build under test. It starts
# several times as fast, because libcurl loads 32 other libraries.
without_libcurl() {
	mkdir "$1"
	# All files except one are unchanged.
	cp -Rp "$BUILD"/{obj,pic,page.c,more.c} "$1"
	(
		unset MAKEFLAGS MAKELEVEL MFLAGS
		make -s -C "$PROJECT" BUILD="$1" CURL=no "$1/flags"
		touch -d '-1 year' "$1/flags"
		make -s -C "$PROJECT" BUILD="$1" CURL=no "$1/rtrack-report"
	)
}

# not_with_threads_sanitized: skips tests of signals under the thread sanitizer, which uses signals itself. Under make,
# recipes ignore signals 32 and 33.
not_with_threads_sanitized() {
	[ "${SANITIZER:-}" != thread ] || skip "the thread sanitizer has signals of its own"
}

# not_in_qemu WHAT: skips a test where qemu-user behaves differently from a real kernel (packages/guest).
not_in_qemu() {
	[ -z "${GUEST:-}" ] || skip "qemu-user: $1"
}

is_first_pid_namespace() {
	[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ]
}

# in_first_pid_namespace WHY: skips a test in other PID namespaces, where the kernel does not let it do what it tests.
in_first_pid_namespace() {
	is_first_pid_namespace || skip "not in the first PID namespace: $1"
}

# as_root WHAT: skips the test unless it runs as root, because only root can do WHAT. Such tests have the tag "root",
# and scripts/tests runs them as root.
as_root() {
	[ "$(id -u)" = 0 ] || skip "only root can $1"
}

# fails COMMAND…: succeeds if the command fails. bats ignores the status of a command after "!".
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

# sampled_in_time SECONDS COMMAND…: runs a command that sets $run to a run's directory. If a row came more than SECONDS
# after the row before it, the machine was stalled, and its samples prove nothing. Then the command runs again, at most
# four times.
sampled_in_time() {
	local attempt
	for attempt in 1 2 3 4 5; do
		[ $attempt = 1 ] || rm -rf "$run"
		"${@:2}"
		! column "$run/process.csv" timestamp | awk -v most="$1" 'NR > 1 && $1 > last + most { late = 1 } { last = $1 } END { exit !late }' || continue
		return
	done
}
