#!/usr/bin/env bats
# Kernels that lack what newer ones have: each call that we make and Linux 4.18 has not is refused as that kernel would,
# by a filter, one at a time and all together. The host is as ever, and the record is right, or less and said to be.

load ../lib/helper
load ../lib/jobs

ENOSYS=38
newer='clone3 pidfd_open pidfd_send_signal close_range futex_waitv kcmp'

setup() {
	cd "$BATS_TEST_TMPDIR"
	burn=$(victim burn)
	refuse=$(victim refuse)
	conceal=$(victim conceal)
	"$refuse" kcmp $ENOSYS true || skip "no filter can be set here"
	export RTRACK_INTERVAL=0.1
}

# without CALLS COMMAND…: with all of these calls refused.
without() {
	local words=() call
	for call in $1; do
		words+=("$refuse" "$call" "$ENOSYS")
	done
	shift
	"${words[@]}" "$@"
}

# holds CALLS: a job of three processes that burn 0.3 s, of which the last is killed, by both ways of tracking.
holds() {
	local way status
	for way in launcher library; do
		export RTRACK_SPOOL=$PWD/$way
		rm -rf "$RTRACK_SPOOL"
		status=0
		if [ $way = launcher ]; then
			without "$1" "$BUILD/rtrack-run" "$burn" 0.3 3 kill >out 2>err || status=$?
		else
			without "$1" env LD_PRELOAD="$LIBRARY" "$burn" 0.3 3 kill >out 2>err || status=$?
		fi
		[ "$status" = "$expected" ] || { echo "$way without $1: status $status"; return 1; }
		cmp out expected.out && cmp err expected.err
		"$BUILD/rtrack-report" show --format json >said
		jq -e '.totals.cpu_seconds >= 0.29 or .totals.exact_cpu == false' said >/dev/null ||
			{ echo "$way without $1: $(jq -c .totals said)"; return 1; }
		jq -e '.totals.cpu_seconds <= 0.6' said >/dev/null || { echo "$way without $1: $(jq -c .totals said)"; return 1; }
	done
}

bare() {
	expected=0
	"$burn" 0.3 3 kill >expected.out 2>expected.err || expected=$?
}

@test "kernels that lack one call: the host is as ever, and the record right or less" {
	bare
	for call in $newer; do
		holds "$call"
	done
}

@test "a kernel of 4.18, which lacks all of them: the same" {
	bare
	holds "$newer"
}

@test "a kernel without /proc/pressure: those columns are empty, and the rest is there" {
	[ "$(id -u)" = 0 ] && [ -d /proc/pressure ] || skip "it cannot be hidden here"
	unshare -m sh -c 'mount -t tmpfs none /proc/pressure && exec "$@"' - "$BUILD/rtrack-run" "$burn" 0.3
	run=$(only_run)
	[ -z "$(column "$run/system.csv" psi_memory | tr -d '\n')" ]
	[ -n "$(column "$run/system.csv" cpu_usage | tr -d '\n')" ]
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29' >/dev/null
}

# absent GLOB: the same job where files of that name are not there, by both ways of tracking; leaves `said` of each.
absent() {
	local way
	"$conceal" '/no/such' true || skip "no filter can ask here"
	expected=0
	"$burn" 0.3 3 >expected.out 2>expected.err || expected=$?
	for way in launcher library; do
		export RTRACK_SPOOL=$PWD/$way
		rm -rf "$RTRACK_SPOOL"
		status=0
		if [ $way = launcher ]; then
			"$conceal" "$1" "$BUILD/rtrack-run" "$burn" 0.3 3 >out 2>err || status=$?
		else
			"$conceal" "$1" env LD_PRELOAD="$LIBRARY" "$burn" 0.3 3 >out 2>err || status=$?
		fi
		[ "$status" = "$expected" ]
		cmp out expected.out && cmp err expected.err
		"$BUILD/rtrack-report" show --format json >said.$way
		jq -e '.totals.cpu_seconds >= 0.29 and .totals.cpu_seconds <= 0.6 and .totals.exact_cpu' said.$way ||
			{ jq -c .totals said.$way; return 1; }
	done
}

@test "a kernel without smaps_rollup (before 4.14): memory is what is resident, what is in swap unknown, and the doctor says why" {
	absent '/proc/*/smaps_rollup'
	for way in launcher library; do
		run=$(RTRACK_SPOOL=$PWD/$way only_run)
		[ "$(column "$run/member.csv" memory_mib)" = "$(column "$run/member.csv" rss_mib)" ]
		[ -n "$(column "$run/member.csv" rss_mib | tr -d '\n')" ]
		[ -z "$(column "$run/member.csv" swap_mib | tr -d '\n')" ]
		jq -e '.totals.peak_memory_mib > 0' said.$way
	done
	"$conceal" '/proc/*/smaps_rollup' "$BUILD/rtrack-report" doctor >said || true
	grep -q 'smaps_rollup: No such file' said || { cat said; false; }
}

@test "a system without control groups, and one whose groups tell nothing: the record is less by what they tell" {
	for glob in '/proc/self/cgroup' '/sys/fs/cgroup*'; do
		absent "$glob"
		for way in launcher library; do
			run=$(RTRACK_SPOOL=$PWD/$way only_run)
			[ -z "$(column "$run/system.csv" cgroup_memory_mib | tr -d '\n')" ]
			[ -n "$(column "$run/system.csv" memory_used_mib | tr -d '\n')" ]
		done
	done
}
