# What scripts/tests gives bats as the setup of a suite: at the end of each file tests/lib/possible.py looks at the runs that
# its tests made and left. Where figures are impossible on purpose, the spool has a file .impossible, which says why.
#
# Programs of another machine, or under a sanitizer, take many times as long, and print the same; there nothing is checked.

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
	"$python" "$project/tests/lib/possible.py" --report "$report" --runs 3 --known "$project/tests/lib/possible.known" \
		--below "$BATS_RUN_TMPDIR"
}
