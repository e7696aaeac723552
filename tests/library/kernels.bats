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

# without "LACK…" COMMAND…: with all of these lacking: CALL or CALL=ERRNO is refused, a path, as a glob, is not there.
without() {
	local words=() hidden='' lack
	local -
	set -f
	for lack in $1; do
		case $lack in
		/*) hidden=$hidden${hidden:+|}$lack ;;
		*=*) words+=("$refuse" "${lack%=*}" "${lack#*=}") ;;
		*) words+=("$refuse" "$lack" "$ENOSYS") ;;
		esac
	done
	shift
	[ -z "$hidden" ] || words=("$conceal" "@($hidden)" "${words[@]}")
	"${words[@]}" "$@"
}

# holds "LACK…": a job of three processes that burn 0.3 s, of which the last is killed, by both ways of tracking.
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

@test "kernels that lack any two calls or files, or forbid the calls, drawn by a seed: the same" {
	"$conceal" '/no/such' true || skip "no filter can ask here"
	bare
	# SEED=…, PAIRS=… in the environment have others.
	local lacks=($newer tid_address '/proc/pressure*' '/proc/*/smaps_rollup' '/proc/self/cgroup' '/sys/fs/cgroup*') pair one two errors=(38 1)
	RANDOM=${SEED:-17}
	for ((pair = 0; pair < ${PAIRS:-6}; pair++)); do
		one=$((RANDOM % ${#lacks[@]}))
		two=$(((one + 1 + RANDOM % (${#lacks[@]} - 1)) % ${#lacks[@]}))
		chosen=''
		for lack in "${lacks[one]}" "${lacks[two]}"; do
			case $lack in
			/*) ;;
			tid_address) lack=$lack=22 ;;
			*) lack=$lack=${errors[RANDOM % 2]} ;;
			esac
			chosen="$chosen $lack"
		done
		echo "pair $pair:$chosen"
		holds "$chosen"
	done
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
		jq -e '.totals | .cpu_seconds >= 0.29 and .cpu_seconds <= 0.6 and (.exact_cpu or .missing_cpu_seconds_at_most > 0)' said.$way ||
			{ jq -c .totals said.$way; return 1; }
	done
}

@test "a kernel that does not say where a thread's id is: a main thread that ends alone, by no function, ends the process" {
	ends=$(victim ends)
	ALLOWED_SECONDS=20
	for WAYS_PREFIX in '' "$refuse tid_address 22"; do
		WAYS_PREFIX=($WAYS_PREFIX)
		same_every_way "$ends" unseen_exit 5
		bare_status_is 5
		[ "$(json exit_code "$(run_of preload)/run.json")" = 5 ]
		rm -rf "$(spool_of preload)" "$(spool_of launcher)"
	done
}

@test "a kernel without /proc/pressure: those columns are empty, and the rest is there" {
	[ -e /proc/pressure/cpu ] || skip "this kernel has none either"
	absent '/proc/pressure*'
	for way in launcher library; do
		run=$(RTRACK_SPOOL=$PWD/$way only_run)
		for name in psi_cpu psi_memory psi_io; do
			[ -z "$(column "$run/system.csv" $name | tr -d '\n')" ]
		done
		[ -n "$(column "$run/system.csv" cpu_usage | tr -d '\n')" ]
	done
}

@test "a kernel without smaps_rollup (before 4.14): memory is what is resident at most, and the doctor says why" {
	absent '/proc/*/smaps_rollup'
	for way in launcher library; do
		run=$(RTRACK_SPOOL=$PWD/$way only_run)
		# Forks add what they do not share, as far as it was counted page by page.
		paste <(column "$run/member.csv" memory_mib) <(column "$run/member.csv" rss_mib) | awk '$1 > $2 { exit 1 }'
		[ -n "$(column "$run/member.csv" rss_mib | tr -d '\n')" ]
		jq -e '.totals.peak_memory_mib > 0' said.$way
	done
	"$conceal" '/proc/*/smaps_rollup' "$BUILD/rtrack-report" doctor >said || true
	grep -q 'smaps_rollup: No such file' said || { cat said; false; }
}

@test "a system without control groups, and one with groups that tell nothing: the record is less by what they tell" {
	for glob in '/proc/self/cgroup' '/sys/fs/cgroup*'; do
		absent "$glob"
		for way in launcher library; do
			run=$(RTRACK_SPOOL=$PWD/$way only_run)
			[ -z "$(column "$run/system.csv" cgroup_memory_mib | tr -d '\n')" ]
			[ -n "$(column "$run/system.csv" memory_used_mib | tr -d '\n')" ]
		done
	done
}

# grouped COMMANDS: a job in mounts that these have changed, by both ways of tracking. Its CPU time is right; whether more
# could be missing depends on what the group is shared with.
grouped() {
	local way
	for way in launcher library; do
		export RTRACK_SPOOL=$PWD/$way
		rm -rf "$RTRACK_SPOOL"
		set -- "$1" "$BUILD/rtrack-run"
		[ $way = launcher ] || set -- "$1" env LD_PRELOAD="$LIBRARY"
		unshare -m --propagation private sh -ec "$1"'; shift; exec "$@"' - "$@" "$burn" 0.3 3
		"$BUILD/rtrack-report" show --format json >said.$way
		jq -e '.totals | .cpu_seconds >= 0.29 and .cpu_seconds <= 0.6 and (.exact_cpu or .missing_cpu_seconds_at_most > 0)' said.$way ||
			{ jq -c .totals said.$way; return 1; }
	done
}

# group_memory_is known or unknown: whether each row of system.csv has the group's memory, both ways.
group_memory_is() {
	local way
	for way in launcher library; do
		run=$(RTRACK_SPOOL=$PWD/$way only_run)
		[ -n "$(column "$run/system.csv" memory_used_mib | tr -d '\n')" ]
		case $1 in
		known) column "$run/system.csv" cgroup_memory_mib | awk '$1 == "" || $1 <= 0 { exit 1 } END { exit NR == 0 }' ;;
		unknown) [ -z "$(column "$run/system.csv" cgroup_memory_mib | tr -d '\n')" ] ;;
		esac || { echo "$way: not $1"; column "$run/system.csv" cgroup_memory_mib; return 1; }
	done
}

# bats test_tags=root
@test "control groups of version 1, of both, of version 2 without the memory and of none: the record has what they tell" {
	as_root "make a mount namespace"
	unshare -m --propagation private true 2>/dev/null || skip "no mounts of our own can be made here"
	[ -e /sys/fs/cgroup/memory/memory.usage_in_bytes ] || skip "the memory is not with version 1 here; make check-groups has version 2"
	# Wherever they are: another root (a chroot, a container's) may show the same groups at a place of its own.
	away='umount -a -t cgroup,cgroup2'
	grouped 'umount /sys/fs/cgroup/unified 2>/dev/null || :'
	group_memory_is known
	grouped 'mountpoint -q /sys/fs/cgroup/unified || { mkdir -p /sys/fs/cgroup/unified; mount -t cgroup2 none /sys/fs/cgroup/unified; }'
	group_memory_is known
	grouped "$away; mount -t cgroup2 none /sys/fs/cgroup"
	group_memory_is unknown
	grouped "$away; umount /sys/fs/cgroup"
	group_memory_is unknown
}
