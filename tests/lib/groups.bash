# A memory control group of the test's own, in which the kernel kills for lack of memory. Version 1 as well as 2.

# Makes one with so many MiB; $GROUP_PREFIX runs a command in it. Skips the test where none can be made.
memory_group() {
	local root own
	if [ -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]; then
		root=/sys/fs/cgroup/memory
		GROUP=$root/rtrack-test-$$-$BATS_TEST_NUMBER
		mkdir "$GROUP" 2>/dev/null || skip "no right to make a memory control group here"
		echo $(($1 << 20)) >"$GROUP/memory.limit_in_bytes"
		echo $(($1 << 20)) >"$GROUP/memory.memsw.limit_in_bytes" 2>/dev/null || true
	else
		own=$(sed -n 's/^0:://p' /proc/self/cgroup)
		root=/sys/fs/cgroup$own
		GROUP=${root%/}/rtrack-test-$$-$BATS_TEST_NUMBER
		mkdir "$GROUP" 2>/dev/null && [ -e "$GROUP/memory.max" ] || skip "no right to make a memory control group here"
		echo $(($1 << 20)) >"$GROUP/memory.max"
		echo 0 >"$GROUP/memory.swap.max" 2>/dev/null || true
	fi
	GROUP_PREFIX=(sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$GROUP")
}

# To be called at the end of each test, whether it made a group or not.
remove_group() {
	[ -z "${GROUP:-}" ] || rmdir "$GROUP" 2>/dev/null || true
}
