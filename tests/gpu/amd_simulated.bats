#!/usr/bin/env bats
# Test of an AMD GPU, simulated by fake /sys and /proc trees that follow the kernel's documentation. No device is used.

load ../lib/helper
load ../lib/jobs
load ../lib/driver

setup() {
	cd "$BATS_TEST_TMPDIR"
	[ ! -e /dev/nvidiactl ] && [ ! -e /dev/dri/renderD128 ] || skip "this machine has a GPU"
	# The sampler starts an rtrack-gpu, which finds no device and ends. The test then starts another one with the
	# fake /sys and /proc.
	export RTRACK_NVML=/nowhere RTRACK_INTERVAL=0.2
}

make_card() {
	mkdir -p tree/sys/class/drm/card1 tree/sys/devices/0000:03:00.0/hwmon/hwmon4 tree/proc
	ln -s ../../../devices/0000:03:00.0 tree/sys/class/drm/card1/device
	cd tree/sys/devices/0000:03:00.0
	ln -s ../../bus/pci/drivers/amdgpu driver
	echo 0x1002 >vendor
	echo 0x740f >device
	echo 37 >gpu_busy_percent
	echo 17163091968 >mem_info_vram_total
	echo 1073741824 >mem_info_vram_used
	echo 93000000 >hwmon/hwmon4/power1_average
	echo 51000 >hwmon/hwmon4/temp1_input
	echo 1700000000 >hwmon/hwmon4/freq1_input
	cd "$BATS_TEST_TMPDIR"
}

# make_job writes a process that holds the GPU open and keeps an engine busy, until gpu.csv has enough rows.
make_job() {
	cat >job.sh <<-'END'
		own=tree/proc/$$
		mkdir -p "$own/fd" "$own/fdinfo"
		ln -s /dev/dri/renderD128 "$own/fd/5"
		busy=0
		until [ "$(cat "$RTRACK_SPOOL"/2*/gpu.csv 2>/dev/null | wc -l)" -gt 6 ]; do
			busy=$((busy + 1000000))
			printf 'drm-driver: amdgpu\ndrm-pdev: 0000:03:00.0\ndrm-client-id: 4\ndrm-memory-vram: 512 MiB\ndrm-engine-gfx: %d ns\n' $busy >"$own/new"
			mv "$own/new" "$own/fdinfo/5"
		done
	END
}

@test "simulated AMD: GPU usage is in the rows of the job, the machine and the process" {
	make_card
	make_job
	"$BUILD/rtrack-run" --job render sh job.sh &
	until [ -e "$RTRACK_SPOOL"/2*/start.csv ]; do sleep 0.02; done
	run=$(only_run)
	# A run has only one rtrack-gpu. The loop starts ours again while the sampler's rtrack-gpu still holds the lock.
	while [ ! -e "$run/gpu.csv" ] && kill -0 $!; do "$BUILD/rtrack-gpu" "$run" "" "" "$PWD/tree"; done
	wait $!
	[ "$(last_cell "$run/gpu.csv" name)" = '"amdgpu 1002:740f"' ]
	[ "$(last_cell "$run/gpu.csv" uuid)" = '"0000:03:00.0"' ]
	for cell in gpu_usage=0.3700 gpu_vram_mib=1024.000 job_gpu_vram_mib=512.000 power_w=93.00 temperature_c=51 clock_mhz=1700 vram_total_mib=16368; do
		[ "$(last_cell "$run/gpu.csv" "${cell%=*}")" = "${cell#*=}" ] || { echo "$cell"; cat "$run/gpu.csv"; false; }
	done
	# The usage of the job is the engine time of its processes, divided by the elapsed time.
	column "$run/gpu.csv" job_gpu_usage | grep -q '^0\.[0-9]*[1-9]'
	column "$run/gpu.csv" energy_wh | grep -q '[1-9]'
	grep -q '512.000' <(column "$run/process.csv" gpu_vram_mib)
	grep -q '0.3700' <(column "$run/system.csv" gpu_usage)
	grep -q '512.000' <(column "$run/member.csv" gpu_vram_mib)
	"$BUILD/rtrack-report" show -v "$run" | grep -q 'of 1 amdgpu 1002:740f'
}
