#!/usr/bin/env bats
# Tests of the reports of rtrack-report about GPUs and energy, on simulated runs

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
}

# make_gpus LINE...: writes rows of gpu.csv. A LINE is "SECOND INDEX USAGE VRAM JOB_USAGE JOB_VRAM ENERGY", with "-" for
# an empty cell.
make_gpus() {
	{
		echo '"timestamp","index","uuid","name","gpu_usage","gpu_vram_mib","job_gpu_usage","job_gpu_vram_mib","power_w","energy_wh","temperature_c","clock_mhz","throttled","vram_total_mib"'
		printf '%s\n' "$@" | awk -v start=$start '{ for (i = 1; i <= NF; i++) if ($i == "-") $i = ""; printf "%.3f,%s,\"GPU-%s\",\"NVIDIA T4\",%s,%s,%s,%s,,%s,,,,16384\n", start + $1, $2, $2, $3, $4, $5, $6, $7 }' FS=' '
	} >"$run/gpu.csv"
}

four_gpus() {
	make_gpus "1 0 0.9 8000 0.9 8000 0.5" "1 1 0 0 0 0 0.1" "1 2 0.8 4000 0.4 2000 0.5" "1 3 0 0 0 0 0.1" \
		"2 0 0.9 8000 0.9 8000 0.5" "2 1 0 0 0 0 0.1" "2 2 0.8 4000 0.4 2000 0.5" "2 3 0 0 0 0 0.1"
	set_column "$run/process.csv" gpu_usage 1.3
	set_column "$run/process.csv" gpu_utilized 2
	set_column "$run/process.csv" gpu_vram_mib 10000
}

@test "simulated GPUs: server information has the number, names and memory of devices" {
	four_gpus
	[ "$(report_value '[.run.server.gpu_count, .run.server.gpu_name, .run.server.gpu_memory_mib, (.run.server.gpu_names | length)]' stats)" = '[4,"NVIDIA T4",65536,4]' ]
}

@test "simulated GPUs: an imported run without gpu.csv still shows its GPU usage" {
	four_gpus
	"$BUILD/rtrack-report" export -o whole.json.gz
	RTRACK_SPOOL=$PWD/other
	"$BUILD/rtrack-report" import whole.json.gz
	fails ls other/*/gpu.csv
	report show -v
	grep -xE 'GPUs +1\.3 +peak 1\.3, of 4, memory 9\.77 GiB, of 64 GiB' <<<"$output"
	grep -qE '^Request .* 2 GPUs' <<<"$output"
	report stats
	grep -q '^GPU usage .*1\.3' <<<"$output"
	"$BUILD/rtrack-report" html -o page.html
	grep -q '1\.3 · 1\.3</strong> <small>of 4' page.html || { grep -o '<th[^>]*>GPU.*' page.html; return 1; }
}

@test "simulated GPUs: a job's share of the energy is its share of the GPU usage" {
	four_gpus
	# The job used all energy of the first device, half of that of the third, and no energy of idle devices.
	[ "$(report_value '[.totals.energy_wh, .totals.gpu_energy_wh, .totals.machine_gpu_energy_wh, .totals.co2_g]' stats)" = '[1.5,1.5,2.4,null]' ]
	[ "$(RTRACK_CARBON_G_PER_KWH=400 report_value .totals.co2_g stats)" = 0.6 ]
	[ "$(RTRACK_CARBON_G_PER_KWH='' report_value .totals.co2_g stats)" = null ]
	for bad in -1 x 1e9; do
		RTRACK_CARBON_G_PER_KWH=$bad report stats
		[ "$status" = 2 ]
		[ "$stderr" = "rtrack-report: RTRACK_CARBON_G_PER_KWH '$bad': expected grams from 0 to 10000" ]
	done
	report compare "$(basename "$run")" "$(basename "$run")" --fail-if 'energy_wh>1'
	[ "$status" = 3 ]
}

@test "simulated GPUs: the energy of a short run excludes the first sampling interval" {
	four_gpus
	report show -v
	[[ $output == *"Energy"*"without the first 1 s"* ]]
	sed -i 's/"interval": 1/"interval": 0.1/' "$run/run.json"
	report show -v
	[[ $output == *"Energy"* && $output != *"without the first"* ]]
}

@test "simulated processors: a job's share of the energy is its share of the CPU time" {
	# In each second the machine used 4 s of CPU time, and the job 0.75, 3, 1.75 and 0.5 s.
	set_column "$run/system.csv" utime 3
	set_column "$run/system.csv" stime 1
	set_column "$run/system.csv" package_energy_wh 0.4
	[ "$(report_value '[.totals.energy_wh, .totals.package_energy_wh, .totals.machine_package_energy_wh]' stats)" = '[0.6,0.6,1.6]' ]
	report show -v
	[[ $output == *"Energy"*"600 mWh"*"estimate"* ]]
	report html -o -
	grep -A1 '<dt>Energy, CPUs (estimate)<' <<<"$output" | grep -q '600 mWh'
}

@test "if energy is counted per process, the total is the sum of the exit records" {
	set_column "$run/exit.csv" energy_wh 0.000125 0.0002 1.2
	[ "$(report_value '[.totals.energy_wh, .totals.process_energy_wh, .totals.package_energy_wh]' stats)" = '[1.200325,1.200325,null]' ]
	# Energy that is counted per process is not divided by CPU time.
	set_column "$run/system.csv" utime 3
	set_column "$run/system.csv" package_energy_wh 0.4
	[ "$(report_value .totals.energy_wh stats)" = 1.200325 ]
	report show -v
	[[ $output == *"Energy"*"1.20 Wh"*"processors 1.20 Wh by its processes that ended"* && $output != *"estimate"* ]]
	report stats
	[[ $output == *"Energy, processes"*"1.20 Wh"* ]]
	four_gpus
	[ "$(report_value .totals.energy_wh stats)" = 2.700325 ]
	page=$("$BUILD/rtrack-report" html -o -)
	[[ $page == *"Energy"*"2.70 Wh"* ]]
	# An empty cell means that the energy of the process is unknown.
	sed -i '3,$s/[^,]*$//' "$run/exit.csv"
	rm "$run/gpu.csv"
	[ "$(report_value .totals.energy_wh stats)" = 0.000125 ]
}

@test "simulated GPUs: unused devices are named and no longer requested" {
	four_gpus
	report show -v
	[[ $output == *"GPUs "*"1.3"*"GPUs 1 and 3 were never used by the job (2 of 4 GPUs)"* ]]
	[ "$(report_value '[.resources.gpu, (.notes | map(select(test("^GPUs 1 and 3 were never used by the job [(]2 of 4 GPUs[)][.]$"))) | length)]' recommend --offline)" = '[2,1]' ]
	# The text must make clear that a single number is a device, not a count.
	make_gpus "1 0 0.9 8000 0.9 8000 0.5" "1 1 0 0 0 0 0.1" "2 0 0.9 8000 0.9 8000 0.5" "2 1 0 0 0 0 0.1"
	report show -v
	[[ $output == *"GPU 1 was never used by the job (1 of 2 GPUs)"* ]]
}

@test "simulated GPUs: devices that the job could not see are not called unused" {
	four_gpus
	sed -i 's/"server":/"requested": {"gpu": 2}, "server":/' "$run/run.json"
	report show -v
	[[ $output == *"GPUs "* && $output != *"never used"* ]]
	sed -i 's/"gpu": 2/"gpu": 3/' "$run/run.json"
	report show -v
	[[ $output == *"1 of 3 GPUs was never used by the job"* ]]
}

@test "simulated GPUs: a job that barely uses its GPU gets a note with the cause" {
	make_gpus "1 0 0.05 8000 0.05 8000 0.5" "2 0 0.05 8000 0.05 8000 0.5"
	set_column "$run/process.csv" gpu_usage 0.05
	report_value '.notes[]' recommend --offline | grep -F 'It held 1 GPU and used 5 % of it: 1.5 of 8 CPUs were busy'
	set_column "$run/system.csv" psi_io 42
	for column in disk_read_bytes disk_write_bytes; do
		set_column "$run/system.csv" $column 40000
	done
	# An idle io_uring does not change the note.
	fails grep -q 'waited for I/O' <(report_value '.notes[]' recommend --offline)
	set_column "$run/system.csv" disk_read_bytes 5000000
	report_value '.notes[]' recommend --offline | grep -F 'used 5 % of it: tasks of the machine waited for I/O in 42 % of the time'
	sed -i 's/"vcpus": 8/"vcpus": 1.5/' "$run/run.json"
	echo "its rows are of more CPUs than the quota" >"$RTRACK_SPOOL/.impossible"
	report_value '.notes[]' recommend --offline | grep -F 'its CPUs were busy, 100 % of them'
	make_gpus "1 0 0.5 8000 0.5 8000 0.5"
	fails grep -q held <(report_value '.notes[]' recommend --offline)
}

@test "simulated GPUs: reports how long heat or power limits slowed a device" {
	four_gpus
	# The first device was slowed in both of its rows, the third in one of two, and the fourth in none. For the
	# second it is unknown.
	awk -F, -v OFS=, 'NR > 1 { $13 = $2 == 0 ? 1 : $2 == 2 ? NR > 5 : $2 == 3 ? 0 : "" } { print }' "$run/gpu.csv" >changed
	cp changed "$run/gpu.csv"
	report show -v
	[[ ${output//$'\n'/ } =~ GPUs\ 0\ and\ 2\ were\ held\ back\ by\ heat\ or\ power,\ in\ up\ to\ +100\ %\ of\ the\ time ]]
	report_value '.notes[]' recommend --offline | grep -F 'GPUs 0 and 2 were held back by heat or power, in up to 100 % of the time.'
	sed -i '2s/,1,16384$/,0,16384/; s/,2,\(.*\),1,16384$/,2,\1,0,16384/' "$run/gpu.csv"
	report_value '.notes[]' recommend --offline | grep -F 'GPU 0 was held back by heat or power, in 50 % of the time.'
	report html -o page.html
	grep -q 'GPU 0 was held back' page.html
}

@test "simulated GPUs: the usage of a divided (MIG) device is unknown" {
	make_gpus "1 0 0.9 8000 0.9 8000 0.5" "1 1 - 8000 - 4000 0.1" "2 0 0.9 8000 0.9 8000 0.5" "2 1 - 8000 - 4000 0.1"
	report_value '.notes[]' recommend --offline | grep -F 'How busy GPU 1 was the driver does not say; it never does of one that is divided (MIG).'
	report show -v
	[[ $output == *"not told"*"How busy GPU 1 was"* ]]
	[[ $output == *"of 2 NVIDIA T4,"* ]]
	report html -o page.html
	grep -q 'How busy GPU 1 was' page.html
}

@test "simulated GPUs: with pids of another namespace, the job's GPU usage is unknown" {
	make_gpus "1 0 0.5 8000 - - 0.5" "2 0 0.5 8000 - - 0.5"
	[ "$(report_value '[.totals.energy_wh, .totals.machine_gpu_energy_wh]' stats)" = '[null,1]' ]
	report show -v
	[[ $output == *"GPUs"*"the job's part cannot be told"* ]]
	report_value '.notes[]' recommend --offline | grep -F 'cannot be told from what others used'
}

@test "simulated GPUs: invalid rows of gpu.csv are ignored" {
	printf '"timestamp","index","uuid","name","gpu_usage"\n1,2\nx\n%s.5,,"","",\n' $start >"$run/gpu.csv"
	report show -v
	[ "$status" = 0 ]
	head -c 3000 /dev/urandom >"$run/gpu.csv"
	report stats
	[ "$status" = 0 ]
}

@test "simulated GPUs: usage by program shows GPU time and GPU memory" {
	four_gpus
	{
		echo '"timestamp","pid","utime","stime","rss_mib","gpu_usage","gpu_vram_mib"'
		# R uses half of a GPU for three seconds and a quarter for one second. No row is written while nothing
		# changes, not even at the end. The other program does not use a GPU.
		printf '%s,10,0,0,10,%s,2048.000\n' $((start + 1)).000 0.5000 $((start + 3)).000 0.2500
		printf '%s,11,0,0,10,0.0000,0.000\n' $((start + 1)).000
	} >"$run/member.csv"
	[ "$(report_value '.bill[:2] | map([.program, .gpu_seconds, .peak_gpu_vram_mib])' show --by command)" = '[["R",1.75,2048],["gcc",0,0]]' ]
	report show --by command
	[[ ${lines[0]} == *"GPU time"*"VRAM"* ]]
	report html -o page.html
	grep -q 'Written</th>.*GPU time</th>.*GPU memory</th>' page.html
	grep -A9 '<span>job.R</span>' page.html | grep -q '<td class="number" data-value="1.75">1.75 s</td><td class="number" data-value="2048">2 GiB</td>'
	rm "$run/gpu.csv"
	set_column "$run/member.csv" gpu_usage ""
	set_column "$run/member.csv" gpu_vram_mib ""
	report show --by command
	[[ ${lines[0]} != *"GPU"* ]]
	report html -o page.html
	fails grep -q 'GPU time</th>' page.html
}

@test "simulated GPUs: usage by program does not cut names in 80 columns" {
	four_gpus
	echo "hours of CPU time in a run of 4 s" >"$RTRACK_SPOOL/.impossible"
	printf '"timestamp","pid","utime","stime","rss_mib","gpu_usage","gpu_vram_mib"\n%s.000,10,0,0,10,0.5,2048.000\n' $((start + 1)) >"$run/member.csv"
	sed -i 's/,4\.000000,0\.500000,290/,8000.000000,0.500000,290/' "$run/exit.csv"
	set_column "$run/process.csv" utime 1999
	for columns in 80 100; do
		COLUMNS=$columns report show --by command
		grep -q 'GPU time      VRAM' <<<"$output"
		grep -qE '(other, short-lived|\(correction\))$' <<<"$output"
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
		[ "$(grep -o '^.*[0-9] %' <<<"$output" | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
	done
}

@test "simulated GPUs: watch shows the current GPU usage" {
	four_gpus
	sed -i 's/"status": "finished"/"status": "running"/; s/"stop_time": [0-9.]*/"stop_time": null/' "$run/run.json"
	report watch "$run" --format json
	jq -e '.gpu_usage == 1.3 and .gpu_vram_mib == 10000' <<<"${lines[0]}"
}

@test "simulated GPUs: the page has devices, charts and energy" {
	four_gpus
	report html -o page.html
	[ "$status" = 0 ]
	grep -q '4 GPUs' page.html
	grep -q 'GPU memory (VRAM)' page.html
	grep -A1 '<dt>Energy, GPUs<' page.html | grep -q '1.50 Wh'
	grep -q 'GPUs 1 and 3 were never used by the job' page.html
}
