#!/usr/bin/env bats
# Tests of old kernels: a filter refuses each call that the tracker uses and that Linux 4.18 lacks, one at a time and
# all together. The host must be unchanged, and the record correct or marked as incomplete.

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

# without "LACK…" COMMAND…: runs COMMAND on a simulated kernel without each LACK. A LACK is a CALL or CALL=ERRNO that is
# refused, or a path pattern whose files do not exist.
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

# holds "LACK…": tracks, both ways, a job of three processes that use 0.3 s of CPU time in all. The last process is
# killed.
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

@test "on a kernel that lacks a newer system call, jobs and figures are unchanged" {
	bare
	for call in $newer; do
		holds "$call"
	done
}

@test "on a kernel like Linux 4.18, jobs are unchanged and figures are right" {
	bare
	holds "$newer"
}

@test "on a kernel that lacks any two system calls or files, no figure is wrong" {
	"$conceal" '/no/such' true || skip "no filter can ask here"
	bare
	# SEED and PAIRS in the environment select other random pairs.
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

# absent GLOB: tracks the same job, both ways, while files that match GLOB do not exist. The report is in said.launcher
# and said.library.
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

@test "if the kernel lacks PR_GET_TID_ADDRESS, a program ends with its last thread" {
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

@test "without /proc/pressure, only the columns of pressure are empty" {
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

@test "without smaps_rollup (before Linux 4.14), recorded memory never exceeds RSS" {
	absent '/proc/*/smaps_rollup'
	for way in launcher library; do
		run=$(RTRACK_SPOOL=$PWD/$way only_run)
		# Memory of forks also includes their private pages, if these were counted page by page.
		paste <(column "$run/member.csv" memory_mib) <(column "$run/member.csv" rss_mib) | awk '$1 > $2 { exit 1 }'
		[ -n "$(column "$run/member.csv" rss_mib | tr -d '\n')" ]
		jq -e '.totals.peak_memory_mib > 0' said.$way
	done
	"$conceal" '/proc/*/smaps_rollup' "$BUILD/rtrack-report" doctor >said || true
	grep -q 'smaps_rollup: No such file' said || { cat said; false; }
}

@test "without control groups, only the columns of control groups are empty" {
	for glob in '/proc/self/cgroup' '/sys/fs/cgroup*'; do
		absent "$glob"
		for way in launcher library; do
			run=$(RTRACK_SPOOL=$PWD/$way only_run)
			[ -z "$(column "$run/system.csv" cgroup_memory_mib | tr -d '\n')" ]
			[ -n "$(column "$run/system.csv" memory_used_mib | tr -d '\n')" ]
		done
	done
}

# grouped COMMANDS: tracks a job, both ways, after these commands changed its mounts. Its CPU time must be correct. The
# totals may be inexact if other processes use the control group.
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

# group_memory_is known|unknown: every row of system.csv has the control group's memory, or none has it, both ways.
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
@test "control groups of version 1, version 2, both or neither are all handled" {
	as_root "make a mount namespace"
	unshare -m --propagation private true 2>/dev/null || skip "no mounts of our own can be made here"
	[ -e /sys/fs/cgroup/memory/memory.usage_in_bytes ] || skip "the memory is not with version 1 here; make check-groups has version 2"
	# This unmounts control groups everywhere, because a chroot or container may mount them in other places.
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
