#!/usr/bin/env bats
# Tests of a real NVIDIA GPU under known loads. Expected values come from nvidia-smi at the same time. Run by make
# check-gpu.
# bats file_tags=alone

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/driver

setup() {
	[ -e /dev/nvidiactl ] || skip "no NVIDIA device is here"
	nvidia-smi >/dev/null 2>&1 || skip "the driver of this device has no nvidia-smi"
	python3 -c 'import ctypes; ctypes.CDLL("libcuda.so.1")' 2>/dev/null || skip "the driver of this device has no libcuda.so.1"
	cd "$BATS_TEST_TMPDIR"
}

# loaded PERCENT MIB [WAY]: tracks the load for 20 s, and writes the output of nvidia-smi for GPU 0 to ./smi each
# second.
loaded() {
	local way=${3:-launched}
	rm -rf "$RTRACK_SPOOL"
	nvidia-smi --id=0 --query-gpu=utilization.gpu,memory.used,power.draw --format=csv,noheader,nounits --loop=1 >smi &
	smi=$!
	"$way" python3 "$PROJECT/tests/gpu/load.py" "$1" "$2" 20
	kill $smi
	run=$(only_run)
	[ -z "${KEEP:-}" ] || { cp -r "$run" "$KEEP/$1-$2-$way" && cp smi "$KEEP/$1-$2-$way.smi"; }
}

launched() {
	"$BUILD/rtrack-run" "$@"
}

# mean: prints the mean of the numbers on stdin, without the first three and the last, during which the load starts and
# stops.
mean() {
	awk '{ value[NR] = $1 } END { for (i = 4; i < NR; i++) { sum += value[i]; n++ } print (n > 0 ? sum / n : "none") }'
}

# within A B AMOUNT PART: A and B differ by at most AMOUNT, or by at most the fraction PART of B.
within() {
	echo "ours $1, theirs $2"
	[[ $1 =~ ^[0-9] && $2 =~ ^[0-9] ]]
	awk -v a="$1" -v b="$2" -v amount="$3" -v part="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(d <= amount || d <= part * b) }'
}

of_device_0() {
	awk -F, -v name="\"$1\"" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; next } $2 == 0 { print $n }' "$run/gpu.csv"
}

# power_of_energy: prints the mean power in W: the recorded energy divided by the duration of its rows.
power_of_energy() {
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "\"energy_wh\"") n = i; next } $2 == 0 { print $1, $n }' "$run/gpu.csv" |
		awk -F, 'NR > 3 { energy += $2; seconds += $1 - before } { before = $1 } END { print energy * 3600 / seconds }'
}

same_as_nvidia_smi() {
	within "$(of_device_0 gpu_usage | awk '{ print 100 * $1 }' | mean)" "$(cut -d, -f1 smi | mean)" 3 0
	within "$(of_device_0 job_gpu_usage | awk '{ print 100 * $1 }' | mean)" "$(cut -d, -f1 smi | mean)" 3 0
	within "$(of_device_0 gpu_vram_mib | mean)" "$(cut -d, -f2 smi | mean)" 1 0.01
	within "$(of_device_0 power_w | mean)" "$(cut -d, -f3 smi | mean)" 2 0.02
	within "$(power_of_energy)" "$(cut -d, -f3 smi | mean)" 3 0.03
}

@test "real GPU: usage at 0, 50 and 100 % load matches nvidia-smi" {
	for percent in 0 50 100; do
		loaded $percent 256
		same_as_nvidia_smi
	done
}

@test "real GPU: a process that uses 8 GB of GPU memory has 8 GB in its rows" {
	loaded 10 8192
	same_as_nvidia_smi
	column "$run/process.csv" gpu_vram_mib | sort -n | tail -1 | awk '{ exit !($1 >= 8192 && $1 < 9200) }'
}

@test "real GPU: usage and energy under LD_PRELOAD match nvidia-smi" {
	loaded 50 256 preload
	same_as_nvidia_smi
}

# bats test_tags=root
@test "real GPU: in its own PID namespace, a job has correct or unknown GPU usage" {
	as_root "make a PID namespace"
	unshare --pid --fork --mount-proc true || skip "no PID namespace can be made here"
	"$BUILD/rtrack-run" unshare --pid --fork --mount-proc python3 "$PROJECT/tests/gpu/load.py" 100 500 8
	run=$(only_run)
	[ "$(of_device_0 gpu_usage | tail -3 | head -1 | cut -c1-3)" = 0.9 ] || [ "$(of_device_0 gpu_usage | tail -3 | head -1)" = 1.0000 ]
	shared=$(of_device_0 job_gpu_vram_mib | tail -3 | head -1)
	[ -z "$shared" ] || awk -v mib="$shared" 'BEGIN { exit !(mib >= 500 && mib < 1500) }'
}

@test "real GPU: the usage of two processes that share a GPU is recorded separately" {
	"$BUILD/rtrack-run" sh -c 'python3 "$0" 50 500 15 & python3 "$0" 50 1500 15; wait' "$PROJECT/tests/gpu/load.py"
	run=$(only_run)
	[ "$(awk -F, 'NR > 1 && $11 > 400 { print $2 }' "$run/member.csv" | sort -u | wc -l)" = 2 ]
}
