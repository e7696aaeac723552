#!/usr/bin/env bats
# Tests of a run recorded on a machine with an NVIDIA H200 (docs/gpu.md). tests/gpu/load.py used 256 MiB, and kept the
# device busy for half of the time, under LD_PRELOAD. nvidia-smi.txt contains the output of nvidia-smi for each second:
# usage in %, memory in MiB, power in W. No device is needed now.

load ../lib/helper
load ../lib/jobs

setup() {
	run=$PROJECT/tests/fixtures/gpu/h200
	cd "$BATS_TEST_TMPDIR"
}

# mean COLUMN: prints the mean of a column of nvidia-smi.txt without the first three lines, which precede the load.
mean() {
	awk -F', ' -v column="$1" 'NR > 3 { sum += $column; n++ } END { print (n > 0 ? sum / n : "none") }' "$run/nvidia-smi.txt"
}

@test "a recorded GPU run: usage, memory and energy match nvidia-smi" {
	"$BUILD/rtrack-report" stats --format json "$run" >stats
	near "$(jq '.stats.process_gpu_usage.mean * 100' stats)" "$(mean 1)" 3
	# The driver itself uses some memory of the device.
	near "$(jq '.stats.process_gpu_vram_mib.max // empty' stats)" "$(mean 2)" 10
	# The first of the 20 intervals has no row.
	near "$(jq '.totals.gpu_energy_wh * 3600 / .totals.wall_seconds' stats)" "$(mean 3)" 12
}

@test "a recorded GPU run: show, page and recommend name the device" {
	"$BUILD/rtrack-report" show -v "$run" >shown
	grep -E '^GPUs +0.49 .* of 1 NVIDIA H200, memory 774 MiB, of 140 GiB' shown
	grep -E '^Request .* 1 GPU(,|$)' shown
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'NVIDIA H200' page.html
}
