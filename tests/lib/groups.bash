# Makes a memory control group for a test, in which the kernel kills processes above the limit. Versions 1 and 2 both
# work.

# own_memory_group: prints the test's own memory control group, or nothing if there is none. A group of version 2 that
# limits its children may contain no process. Therefore scripts/as-user puts the test into a child group named "inside".
own_memory_group() {
	if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
		echo "/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)"
	else
		sed -n 's|^0::|/sys/fs/cgroup|; T; s|/$||; s|/inside$||; p' /proc/self/cgroup
	fi
}

# may_make_group: the test may make a control group there that can limit memory.
may_make_group() {
	local made
	made=$(own_memory_group)/rtrack-may-$$
	mkdir "$made" 2>/dev/null || return 1
	[ -e "$made/memory.limit_in_bytes" ] || [ -e "$made/memory.max" ] || { rmdir "$made"; return 1; }
	rmdir "$made"
}

# memory_group MIB: makes a control group with that limit. $GROUP_PREFIX runs a command in it. Skips the test if no
# group can be made.
memory_group() {
	may_make_group || skip "no right to make a memory control group here"
	GROUP=$(own_memory_group)/rtrack-test-$$-$BATS_TEST_NUMBER
	mkdir "$GROUP"
	if [ -e "$GROUP/memory.limit_in_bytes" ]; then
		echo $(($1 << 20)) >"$GROUP/memory.limit_in_bytes"
		echo $(($1 << 20)) >"$GROUP/memory.memsw.limit_in_bytes" 2>/dev/null || true
	else
		echo $(($1 << 20)) >"$GROUP/memory.max"
		echo 0 >"$GROUP/memory.swap.max" 2>/dev/null || true
	fi
	GROUP_PREFIX=(sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$GROUP")
}

# cpu_group: makes a control group that accounts CPU time. Sets $CPU_GROUP to its directory, or to an empty string if no
# group can be made here. $CPU_PREFIX runs a command in it. A group of version 1 lists no processes of outer PID
# namespaces, so rtrack cannot know there whether the group is the run's own.
cpu_group() {
	local own root=/sys/fs/cgroup/cpuacct
	CPU_GROUP= CPU_PREFIX=()
	[ ! -e $root/cpuacct.usage ] || is_first_pid_namespace || return 0
	if [ ! -e $root/cpuacct.usage ]; then
		own=$(sed -n 's/^0:://p' /proc/self/cgroup)
		root=/sys/fs/cgroup${own%/}
	fi
	CPU_GROUP=$root/rtrack-test-cpu-$$-$BATS_TEST_NUMBER
	mkdir "$CPU_GROUP" 2>/dev/null && [ -w "$CPU_GROUP/cgroup.procs" ] || CPU_GROUP=
	[ -z "$CPU_GROUP" ] || CPU_PREFIX=(sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$CPU_GROUP")
}

remove_cpu_group() {
	local tries=100
	# A process that was killed in the group may still be ending.
	until [ ! -d "${CPU_GROUP:-}" ] || rmdir "$CPU_GROUP" 2>/dev/null || [ $((tries--)) -eq 0 ]; do sleep 0.05; done
}

# group_peak_mib: prints the peak memory of memory_group's group, in MiB.
group_peak_mib() {
	local bytes
	bytes=$(cat "$GROUP/memory.peak" "$GROUP/memory.max_usage_in_bytes" 2>/dev/null) || [ "$bytes" ]
	echo $(((bytes >> 20) + 1))
}

# remove_group: to be called at the end of each test, whether it made a group or not.
remove_group() {
	local tries=100
	# A process that was killed in the group may still be ending.
	until [ -z "${GROUP:-}" ] || rmdir "$GROUP" 2>/dev/null || [ $((tries--)) -eq 0 ]; do sleep 0.05; done
	GROUP=
}
