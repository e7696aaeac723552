#!/usr/bin/env bats
# Tests of rtrack-report discover, which describes the machine and its cloud. tests/unit/report/cloud.c has the answers
# of the clouds.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# The firmware of the test machine may name a cloud. No metadata service listens at this address.
export RTRACK_METADATA_URL=http://127.0.0.1:1

# network COMMAND...: prints the addresses to which the command connects or sends.
network() {
	# LeakSanitizer does not work in a traced program.
	ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 \
		strace -qq -f -e trace=connect,sendto,sendmsg,sendmmsg -o "$BATS_TEST_TMPDIR/trace" "$@" >/dev/null
	sed -n 's/.*sin6\?_addr[a-z_]*[(=]*[^"]*"\([^"]*\)".*/\1/p' "$BATS_TEST_TMPDIR/trace" | sort -u
}

@test "discover: prints the CPUs, memory and kernel that the kernel reports" {
	[ "$(report_value .server.vcpus discover)" -le "$(nproc --all)" ]
	[ "$(report_value '.server.memory_mib | floor' discover)" = "$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)" ]
	[ "$(report_value .server.kernel discover)" = "\"$(uname -r)\"" ]
	[ "$(report_value .server.architecture discover)" = "\"${GUEST:-$(uname -m)}\"" ]
	[ "$(report_value '.server.gpu_count == (.server.gpu_names | length)' discover)" = true ]
}

@test "discover: counts only the CPUs that the affinity mask allows" {
	one=$(taskset -pc $$ | sed 's/.*: *\([0-9]*\).*/\1/')
	[ "$(taskset -c "$one" "$BUILD/rtrack-report" discover --format json | jq '.server.vcpus <= 1')" = true ]
}

@test "discover: text and JSON agree" {
	report discover --cloud off
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -qE "^Kernel +$(uname -r)$" <<<"$output"
	grep -q '^Cloud  ' <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

# driver: installs a fake nvidia-smi from stdin. Its output follows the help text of nvidia-smi, because no GPU was
# available.
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

@test "discover: reads NVIDIA GPUs from nvidia-smi" {
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

@test "discover: JSON always has four keys of the cloud, known or unknown" {
	[ "$(report_value '.cloud | keys_unsorted' discover)" = '["vendor","instance_type","region","discovery_time"]' ]
	[ "$(report_value '.cloud | [.vendor, .instance_type, .region] | map(type) | unique' discover)" = '["string"]' ]
}

@test "discover: the latest run on this host shows whether the machine is shared" {
	[ "$(report_value .server.allocation discover)" = null ]
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	[ "$(report_value .server.allocation discover)" = null ]
	sed -i "s/compute-7\"/$(hostname)\"/" "$run/run.json"
	[ "$(report_value .server.allocation discover)" = '"shared"' ]
	awk 'BEGIN { print "\"timestamp\",\"cpu_usage\",\"memory_used_mib\""
		for (i = 1; i <= 4; i++) printf "%d,1.5,200\n", 1795226400 + i }' >"$run/system.csv"
	[ "$(report_value .server.allocation discover)" = '"dedicated"' ]
}

@test "discover: sends no packet outside a cloud or with --cloud off" {
	need strace
	strace -qq true 2>/dev/null || skip "strace may not trace here"
	[ -z "$(network "$BUILD/rtrack-report" discover --cloud off)" ]
	[ "$(report_value .cloud.vendor discover --cloud off)" = '"unknown"' ] || skip "this machine's firmware names a cloud"
	[ -z "$(network "$BUILD/rtrack-report" discover)" ]
	# If packets are sent, the same trace shows them.
	[ "$(network "$BUILD/rtrack-report" discover --cloud probe)" = 127.0.0.1 ]
}

@test "discover: works without a metadata service and with a bad address" {
	for url in http://127.0.0.1:1 http:// nonsense file:///etc/passwd "$(printf 'http://127.0.0.1:1/%0600d' 0)"; do
		RTRACK_METADATA_URL=$url report discover --cloud probe --format json
		[ "$status" -eq 0 ]
		[ -z "$stderr" ]
		[ "$(jq -r .cloud.region <<<"$output")" = unknown ]
	done
}

@test "html: says whether the run shared its machine" {
	make_run 20261121T020000Z-compute-7-10-0001
	"$BUILD/rtrack-report" html -o - | grep -q '<dt>Allocation</dt><dd>shared</dd>'
}

# quota COMMAND...: runs the command in a control group with a quota of half a CPU.
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
@test "a CPU quota is the same in discover and in run.json" {
	as_root "make a control group with a quota"
	quota true 2>/dev/null || skip "no control group can be made here"
	teardown
	[ "$(quota "$BUILD/rtrack-report" discover --format json | jq .server.vcpus)" = 0.5 ]
	teardown
	quota "$BUILD/rtrack-run" true
	[ "$(jq .server.vcpus "$(only_run)/run.json")" = 0.5 ]
}
