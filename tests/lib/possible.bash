# The bats setup file that scripts/tests uses for each test file. At the end of a test file, tests/lib/possible.py
# checks the runs that its tests left. If figures are impossible on purpose, the spool has a file .impossible with the
# reason.
#
# Programs of another machine, or with a sanitizer, take many times as long to print the same figures. Therefore their
# runs are not checked.

setup_suite() {
	:
}

teardown_suite() {
	local project report=${BUILD:-build}/rtrack-report python
	project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
	case $report in
	"$project/build/"*/*) return ;;
	esac
	[ -x "$report" ] || return 0
	find "$BATS_RUN_TMPDIR" -name process.csv -print -quit 2>/dev/null | grep -q . || return 0
	python=$(command -p -v python3 || command -v python3) || return 0
	"$python" "$project/tests/lib/possible.py" --report "$report" --runs 3 --below "$BATS_RUN_TMPDIR"
}
