#!/usr/bin/env bats
# A run that was recorded on a machine with an NVIDIA H200 (docs/gpu.md): tests/gpu/load.py kept it busy for half of the time
# and held 256 MiB, under a bare library, while nvidia-smi said each second what is in nvidia-smi.txt: usage in %, memory in
# MiB, power in W. No device is asked here.

load ../lib/helper
load ../lib/jobs

setup() {
	run=$PROJECT/tests/fixtures/gpu/h200
	cd "$BATS_TEST_TMPDIR"
}

# mean COLUMN: of what nvidia-smi said, but for the first three, before the load had the device.
mean() {
	awk -F', ' -v column="$1" 'NR > 3 { sum += $column; n++ } END { print (n > 0 ? sum / n : "none") }' "$run/nvidia-smi.txt"
}

@test "a recorded run on a real GPU: usage, memory and energy are what nvidia-smi said" {
	"$BUILD/rtrack-report" stats --format json "$run" >stats
	near "$(jq '.stats.process_gpu_usage.mean * 100' stats)" "$(mean 1)" 3
	# The driver keeps some of the device for itself.
	near "$(jq '.stats.process_gpu_vram_mib.max // empty' stats)" "$(mean 2)" 10
	# The first interval of 20 is in no row.
	near "$(jq '.totals.gpu_energy_wh * 3600 / .totals.wall_seconds' stats)" "$(mean 3)" 12
}

@test "a recorded run on a real GPU: show, page and advice name it" {
	"$BUILD/rtrack-report" show "$run" >shown
	grep -E '^GPUs +0.49 .* of 1 NVIDIA H200, memory 774 MiB, of 140 GiB' shown
	grep -E '^Next run .* 1 GPU$' shown
	"$BUILD/rtrack-report" html -o page.html "$run"
	grep -q 'NVIDIA H200' page.html
}
