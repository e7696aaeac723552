#!/usr/bin/env bats
# Tests that memory that many processes share counts once, not once for each process
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/groups

teardown() {
	remove_group
	remove_cpu_group
}

setup() {
	SHARE=$(victim share)
	[ "$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)" -gt 1500 ] || skip "not 1.5 GB of memory free"
}

# while_all_lived: prints the middle value of the rows in which all processes of the victim lived. In the first of these
# rows, some processes have only just been forked. In the last one, the root may have freed part of the memory.
while_all_lived() {
	paste -d' ' <(column "$run/process.csv" members) <(column "$run/process.csv" "$1") |
		awk '$1 >= 4 { rows[++count] = $2 } END { print rows[int((count + 1) / 2)] }'
}

@test "four processes that share 500 MB have 500 MB in all, not 2,000" {
	export RTRACK_INTERVAL=2
	for way in preload launcher; do
		accounted $way "$SHARE" map 4 500 6 2
		near "$(while_all_lived memory_mib)" 502 12 0.04
		near "$(while_all_lived rss_mib)" 2005 12 0.04
		peak_is_the_kernels $way
	done
}

@test "four forks of a process with 500 MB have 500 MB in all, not 2,000" {
	export RTRACK_INTERVAL=0.2
	for way in preload launcher; do
		accounted $way "$SHARE" copy 4 500 2
		near "$(total "$run" peak_memory_mib)" 502 12 0.04
		near "$(while_all_lived memory_mib)" 502 12 0.04
		near "$(while_all_lived rss_mib)" 2005 12 0.04
		peak_is_the_kernels $way
	done
}

# family: sets `family` to the pids of the root and its children, and fails unless there are FORKS children.
family() {
	root=$(json pid "$(only_run)/run.json")
	family=($root $(cat "/proc/$root/task/$root/children"))
	[ ${#family[@]} = "$FORKS" ]
}

# third_row: sets `memory` to the job's memory in the third full tick. If all processes exist before the first tick, the
# first row comes less than an interval after the start, and is skipped.
third_row() {
	memory=$(paste -d' ' <(column "$run/process.csv" members) <(column "$run/process.csv" memory_mib) \
		<(column "$run/process.csv" timestamp) |
		awk -v all="$FORKS" -v begin="$(json start_time "$run/run.json")" -v tick="${RTRACK_INTERVAL:-1}" '
			$1 == all && ($3 - begin >= tick || rows) && ++rows == 3 { print $2 }')
	[ -n "$memory" ]
}

# wide_tree FORKS MIB: under rtrack-run, compares the memory in the third tick with the sum of the kernel's PSS of each
# process.
wide_tree() {
	export FORKS=$1
	cd "$BATS_TEST_TMPDIR"
	"$BUILD/rtrack-run" "$SHARE" copy "$FORKS" "$2" 600 3>&- &
	wait_for family 2>/dev/null
	run=$(only_run)
	wait_for third_row
	truth=$(awk '$1 == "Pss:" { sum += $2 } END { print sum / 1024 }' $(printf "/proc/%s/smaps_rollup " "${family[@]}"))
	kill "$root"
	wait || true
	near "$memory" "$truth" 0 0.2
}

@test "memory of 400 forks is within 20 % of the kernel's PSS by the third sample" {
	RTRACK_INTERVAL=0.5 wide_tree 400 40
}

# processes_allowed: prints how many processes may be forked here, at most 10,000: half of the free pids, and no more
# than fit into free memory at 0.3 MiB each, including the kernel's part.
processes_allowed() {
	local allowed=10000 limit
	for limit in "$(ulimit -u)" $((($(cat /proc/sys/kernel/pid_max) - $(ls -d /proc/[0-9]* 2>/dev/null | wc -l)) / 2)) \
		$(($(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo) * 3)) \
		"$(cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2>/dev/null | grep '^[0-9]' | sort -n | head -n 1)"; do
		case $limit in
		*[!0-9]* | '') ;;
		*) [ "$limit" -ge "$allowed" ] || allowed=$limit ;;
		esac
	done
	echo "$allowed"
}

# tests/unit/sampler/memory.c checks that reading these forks stays within the time budget.
@test "memory of 10,000 forks is within 20 % of the kernel's PSS by the third sample" {
	allowed=$(processes_allowed)
	[ "$allowed" -ge 1000 ] || skip "only $allowed processes are allowed here"
	[ "$allowed" -eq 10000 ] || echo "# $allowed forks: no more are allowed here" >&3
	RTRACK_INTERVAL=1 wide_tree "$allowed" 2
}

# share_slowly WAY: six workers fill 200 MiB of shared memory in at least two seconds.
share_slowly() {
	one_way $1 python3 -c '
import mmap, os, time
size = 200 << 20
shared = mmap.mmap(-1, size)
for _ in range(6):
    if os.fork() == 0:
        for at in range(0, size, 1 << 20):
            shared[at:at + (1 << 20)] = b"x" * (1 << 20)
            time.sleep(0.01)
        os._exit(0)
for _ in range(6):
    os.wait()'
	run=$(run_of $1)
}

@test "memory shared by workers never exceeds the memory of their control group" {
	need python3
	export RTRACK_INTERVAL=0.1
	for way in preload launcher; do
		memory_group 1000
		WAYS_PREFIX=("${GROUP_PREFIX[@]}")
		sampled_in_time 0.5 share_slowly $way
		# File pages of python3 are charged to the group that read them first. The 20 MiB allow for these.
		most=$(($(group_peak_mib) + 20))
		remove_group
		column "$run/process.csv" memory_mib | awk -v group="$most" '$1 > most { most = $1 } END { print most, group; exit !(most > 200 && most <= group) }'
	done
}

@test "RTRACK_MEMORY=rss counts shared memory once for each process" {
	export RTRACK_INTERVAL=0.2 RTRACK_MEMORY=rss
	sampled_in_time 0.5 accounted launcher "$SHARE" map 4 500 1
	near "$(total "$run" peak_memory_mib)" 2005 12 0.04
	"$BUILD/rtrack-report" stats "$run" | grep '^Memory of the job (RSS)'
	rm -rf "$(spool_of launcher)"
	RTRACK_MEMORY=pss
	accounted launcher "$SHARE" map 4 500 1
	"$BUILD/rtrack-report" stats "$run" | grep '^Memory of the job (PSS)'
}

@test "memory that a child of vfork shares with its parent counts once" {
	cat >"$BATS_TEST_TMPDIR/lodger.c" <<-'END'
		#include <stdlib.h>
		#include <string.h>
		#include <sys/wait.h>
		#include <unistd.h>

		int main(void)
		{
			char *memory = malloc(100 << 20);
			memset(memory, 1, 100 << 20);
			for (int i = 0; i < 3; i++) {
				if (vfork() == 0) {
					usleep(200000); /* what is sampled meanwhile */
					execl("/bin/true", "true", (char *)0);
					_exit(1);
				}
				wait(NULL);
			}
			return memory[4096] - 1;
		}
	END
	${CC:-cc} -o "$BATS_TEST_TMPDIR/lodger" "$BATS_TEST_TMPDIR/lodger.c"
	export RTRACK_INTERVAL=0.02
	for way in preload launcher; do
		accounted $way "$BATS_TEST_TMPDIR/lodger"
		near "$(total "$run" peak_memory_mib)" 101 3 0.03
	done
}

# bats test_tags=group,root
@test "the request includes tmpfs files, which count against the memory limit" {
	as_root "see that a control group is the run's own"
	memory_group 256
	cpu_group
	[ -n "$CPU_GROUP" ] || skip "no control group for CPU time can be made here"
	WAYS_PREFIX=("${GROUP_PREFIX[@]}")
	[ -e "$GROUP/memory.max" ] || WAYS_PREFIX+=("${CPU_PREFIX[@]}") # In version 2 the same group counts both.
	export RTRACK_INTERVAL=0.1
	for way in preload launcher; do
		one_way $way sh -c 'head -c 100M /dev/zero >"$0"; sleep 0.5; rm "$0"' "/dev/shm/rtrack-test-$$"
		run=$(run_of $way)
		[ "$(json tracker.cgroup_shared "$run/run.json")" = 0 ]
		at_least 20 "$(total "$run" peak_memory_mib)"
		near "$(column "$run/system.csv" cgroup_kept_mib | sort -n | tail -1)" 105 6
		at_least "$("$BUILD/rtrack-report" recommend --offline --format json "$run" | jq .resources.memory)" 100
	done
}

@test "memory of a process whose main thread ended is in its rows" {
	export RTRACK_INTERVAL=0.1
	for way in preload launcher; do
		one_way $way "$(victim headless)" 300 1000
		run=$(run_of $way)
		near "$(column "$run/process.csv" memory_mib | sort -n | tail -1)" 301 12
		near "$(column "$run/process.csv" rss_mib | sort -n | tail -1)" 302 12
		near "$(column "$run/member.csv" memory_mib | sort -n | tail -1)" 301 12
	done
}

# of_large FILE: prints the traced calls from the period in which the program was large.
of_large() {
	awk -v since="$since" -v until="$until" '{ for (i = 1; i <= 2; i++) if ($i ~ /^[0-9]+\.[0-9]+$/ && $i > since + 0.02 && $i < until) print }' "$1"
}

@test "reading a large process's memory does not stall it" {
	[ "$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)" -gt 1500 ] || skip "not 1.5 GB of memory free"
	need strace
	strace -o /dev/null true 2>/dev/null || skip "no process may be traced here"
	cd "$BATS_TEST_TMPDIR"
	${CC:-cc} -o stall "$PROJECT/bench/stall.c" -lpthread
	export RTRACK_INTERVAL=0.1
	for way in "$BUILD/rtrack-run" "env LD_PRELOAD=$BUILD/librtrack.so"; do
		strace -f -qq -ttt -e trace=openat -e signal=none -o calls $way ./stall 300 2 >said
		read -r since until _ <said
		of_large calls >large
		[ "$(grep -c '/status"' large)" -ge 1 ]
		[ "$(grep -c smaps large)" = 0 ]
		[ "$(grep -c pagemap large)" -le 2 ]
		at_least "$(column "$(only_run)/process.csv" memory_mib | sort -n | tail -n 1)" 300
		rm -rf "$RTRACK_SPOOL"
		strace -f -qq -ttt -e trace=openat -e signal=none -o calls $way "$SHARE" copy 3 300 1
		grep -q pagemap calls
		near "$(column "$(only_run)/process.csv" memory_mib | sort -n | tail -n 1)" 302 12 0.04
		rm -rf "$RTRACK_SPOOL"
	done
}
