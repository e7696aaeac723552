#!/usr/bin/env bats
# rtrack-report discover: what this machine is, and in which cloud. (What clouds answer: tests/unit/report/cloud.c.)
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# The firmware of the machine that the tests run on may name a cloud: no service answers for it then.
export RTRACK_METADATA_URL=http://127.0.0.1:1

# network COMMAND… prints the addresses that the command connects or sends to.
network() {
	# No sanitizer can look for leaks in a program that is traced.
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 \
		strace -qq -f -e trace=connect,sendto,sendmsg,sendmmsg -o "$BATS_TEST_TMPDIR/trace" "$@" >/dev/null
	sed -n 's/.*sin6\?_addr[a-z_]*[(=]*[^"]*"\([^"]*\)".*/\1/p' "$BATS_TEST_TMPDIR/trace" | sort -u
}

@test "rtrack-report discover: the machine as the kernel has it" {
	[ "$(report_value .server.vcpus discover)" -le "$(nproc --all)" ]
	[ "$(report_value '.server.memory_mib | floor' discover)" = "$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)" ]
	[ "$(report_value .server.kernel discover)" = "\"$(uname -r)\"" ]
	[ "$(report_value .server.architecture discover)" = "\"${GUEST:-$(uname -m)}\"" ]
	[ "$(report_value '.server.gpu_count == (.server.gpu_names | length)' discover)" = true ]
}

@test "rtrack-report discover: the CPUs that it may use" {
	one=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	[ "$(taskset -c "$one" "$BUILD/rtrack-report" discover --format json | jq '.server.vcpus <= 1')" = true ]
}

@test "rtrack-report discover: text says what JSON says" {
	report discover --cloud off
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -qE "^Kernel +$(uname -r)$" <<<"$output"
	grep -q '^Cloud  ' <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

# Stands in for nvidia-smi, by what its help says of its lines; no GPU was at hand.
driver() {
	mkdir -p "$BATS_TEST_TMPDIR/driver"
	{
		echo '#!/bin/sh'
		echo '[ "$*" = "--query-gpu=name,memory.total --format=csv,noheader,nounits" ] || exit 2'
		cat
	} >"$BATS_TEST_TMPDIR/driver/nvidia-smi"
	chmod +x "$BATS_TEST_TMPDIR/driver/nvidia-smi"
	PATH=$BATS_TEST_TMPDIR/driver:$PATH
}

@test "rtrack-report discover: NVIDIA's GPUs, by the program of their driver" {
	before=$(report_value .server.gpu_count discover)
	driver <<-'END'
		echo 'NVIDIA T4, 15360'
		echo 'Unable to determine the device handle for GPU 0000:0B:00.0: GPU is lost.'
		echo 'NVIDIA T4, 15360'
	END
	[ "$(report_value '.server | [.gpu_count, .gpu_names, .gpu_name, .gpu_memory_mib]' discover)" = \
		'[2,["NVIDIA T4","NVIDIA T4"],"NVIDIA T4",30720]' ]
	report discover
	grep -qE '^GPU memory +30' <<<"$output"
	driver <<<"echo 'NVIDIA GB10, [N/A]'"
	[ "$(report_value '.server | [.gpu_count, .gpu_name, .gpu_memory_mib]' discover)" = '[1,"NVIDIA GB10",null]' ]
	driver <<<"echo 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.'; exit 9"
	[ "$(report_value .server.gpu_count discover)" -le "$before" ]
}

@test "rtrack-report discover: a cloud has four keys, unknown or not" {
	[ "$(report_value '.cloud | keys_unsorted' discover)" = '["vendor","instance_type","region","discovery_time"]' ]
	[ "$(report_value '.cloud | [.vendor, .instance_type, .region] | map(type) | unique' discover)" = '["string"]' ]
}

@test "rtrack-report discover: the allocation is judged by the latest run of this host" {
	[ "$(report_value .server.allocation discover)" = null ]
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	[ "$(report_value .server.allocation discover)" = null ]
	sed -i "s/compute-7\"/$(hostname)\"/" "$run/run.json"
	[ "$(report_value .server.allocation discover)" = '"shared"' ]
	awk 'BEGIN { print "\"timestamp\",\"cpu_usage\",\"memory_used_mib\""
		for (i = 1; i <= 4; i++) printf "%d,1.5,200\n", 1795226400 + i }' >"$run/system.csv"
	[ "$(report_value .server.allocation discover)" = '"dedicated"' ]
}

@test "rtrack-report discover: no packet leaves a machine that is in no cloud, or when none may" {
	need strace
	strace -qq true 2>/dev/null || skip "strace may not trace here"
	[ -z "$(network "$BUILD/rtrack-report" discover --cloud off)" ]
	[ "$(report_value .cloud.vendor discover --cloud off)" = '"unknown"' ] || skip "this machine's firmware names a cloud"
	[ -z "$(network "$BUILD/rtrack-report" discover)" ]
	# The same look sees packets where there are some.
	[ "$(network "$BUILD/rtrack-report" discover --cloud probe)" = 127.0.0.1 ]
}

@test "rtrack-report discover: a metadata service that is not there, or an address that is none, is no error" {
	for url in http://127.0.0.1:1 http:// nonsense file:///etc/passwd "$(printf 'http://127.0.0.1:1/%0600d' 0)"; do
		RTRACK_METADATA_URL=$url report discover --cloud probe --format json
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[ "$(jq -r .cloud.region <<<"$output")" = unknown ]
	done
}

@test "rtrack-report html: says whether the run had its machine for itself" {
	make_run 20261121T020000Z-compute-7-10-0001
	"$BUILD/rtrack-report" html -o - | grep -q '<dt>Allocation</dt><dd>shared</dd>'
}

# quota COMMAND… runs it where a control group allows half a CPU.
quota() {
	local group
	if [ -d /sys/fs/cgroup/cpu ]; then
		group=/sys/fs/cgroup/cpu/rtrack-test-$$
		mkdir "$group" && echo 50000 >"$group/cpu.cfs_quota_us"
	else
		group=/sys/fs/cgroup/rtrack-test-$$
		mkdir "$group" && echo "50000 100000" >"$group/cpu.max"
	fi
	# shellcheck disable=SC2016 # for the shell within
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"
}

teardown() {
	rmdir /sys/fs/cgroup/rtrack-test-$$ /sys/fs/cgroup/cpu/rtrack-test-$$ 2>/dev/null || true
}

# bats test_tags=group,root
@test "the CPUs that a quota allows: discover and run.json agree" {
	as_root "make a control group with a quota"
	quota true 2>/dev/null || skip "no control group can be made here"
	teardown
	[ "$(quota "$BUILD/rtrack-report" discover --format json | jq .server.vcpus)" = 0.5 ]
	teardown
	quota "$BUILD/rtrack-run" true
	[ "$(jq .server.vcpus "$(only_run)/run.json")" = 0.5 ]
}
