#!/usr/bin/env bats
# Tests of NVIDIA GPUs, simulated by a fake driver library. No device is used; make check-gpu tests a real device.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/driver

setup() {
	cd "$BATS_TEST_TMPDIR"
	simulate_driver
}

# tracked WAY: runs the job, and sets $run to the directory of the run.
tracked() {
	case $1 in
	preload) preload "${JOB[@]}" ;;
	launcher) "$BUILD/rtrack-run" "${JOB[@]}" ;;
	esac
	run=$(only_run)
}

# no_poller_is_left: no rtrack-gpu remains. It may take a moment to end.
no_poller_is_left() {
	local tries=100
	while pgrep -f "rtrack-gpu $RTRACK_SPOOL" >/dev/null && [ $((tries--)) -gt 0 ]; do sleep 0.02; done
	fails pgrep -f "rtrack-gpu $RTRACK_SPOOL"
}

# plausible: every GPU figure of the run is within its possible range.
plausible() {
	python3 - "$1" <<-'END'
		import csv, os, sys
		most = {"gpu_usage": 1, "job_gpu_usage": 1, "power_w": 10000, "energy_wh": 100, "temperature_c": 200, "gpu_vram_mib": 2**26}
		rows = 0
		if os.path.exists(sys.argv[1] + "/gpu.csv"):
		    for row in csv.DictReader(open(sys.argv[1] + "/gpu.csv")):
		        rows += 1
		        assert None not in row and None not in row.values(), row
		        assert row["name"] != "", row
		        for name, value in most.items():
		            assert row[name] == "" or 0 <= float(row[name]) <= value, (name, row)
		for row in csv.DictReader(open(sys.argv[1] + "/process.csv")):
		    assert row["gpu_usage"] == "" or 0 <= float(row["gpu_usage"]) <= 128, row
	END
}

for_each_way() {
	local way
	for way in preload launcher; do
		rm -rf "$RTRACK_SPOOL"
		: >"$script"
		"$@" "$way"
	done
}

# seen FILE COLUMN VALUE: some row has the value. The last row may lack it, because rtrack-gpu may be late on a busy
# machine.
seen() {
	column "$1" "$2" | grep -qxF -- "$3"
}

one_process_half_a_device() {
	gpu_job gpu.csv 5 "devices 1" "usage 0 60" "used 0 3000" "process 0 PID 2048 50" "power 0 200000"
	tracked "$1"
	seen "$run/process.csv" gpu_usage 0.5000
	seen "$run/process.csv" gpu_vram_mib 2048.000
	seen "$run/process.csv" gpu_utilized 1
	seen "$run/system.csv" gpu_usage 0.6000
	seen "$run/system.csv" gpu_vram_mib 3000.000
	pid=$(json pid "$run/run.json")
	awk -F, -v pid="$pid" '$2 == pid && $10 == "0.5000" && $11 == "2048.000" { found = 1 } END { exit !found }' "$run/member.csv"
	[ "$(last_cell "$run/gpu.csv" job_gpu_usage)" = 0.5000 ]
	[ "$(last_cell "$run/gpu.csv" uuid)" = '"GPU-00000000"' ]
	[ "$(last_cell "$run/gpu.csv" temperature_c)" = 40 ]
	[ "$(last_cell "$run/gpu.csv" vram_total_mib)" = 16384 ]
	# The energy is 200 W times the time that the rows cover.
	awk -F, 'NR > 2 { power += 200 * ($1 - before) / 3600; energy += $10 } { before = $1 } END { exit !(energy > 0.8 * power && energy < 1.2 * power) }' "$run/gpu.csv"
	no_poller_is_left
}

@test "simulated NVIDIA: a job's use of half a GPU and 2 GiB of its memory is recorded" {
	# CUDA_VISIBLE_DEVICES does not change the figures, which show what the process really uses.
	export CUDA_VISIBLE_DEVICES=GPU-00000007
	for_each_way one_process_half_a_device
}

@test "simulated NVIDIA: the job's figures exclude rtrack-gpu, which ends with the job" {
	gpu_job gpu.csv 4 "devices 1"
	for way in preload launcher; do
		rm -rf "$RTRACK_SPOOL"
		tracked $way
		no_poller_is_left
		fails grep rtrack-gpu "$run/start.csv"
		[ ! -e "$run/.gpu" ]
		[ "$(json status "$run/run.json")" = finished ]
	done
	# Under LD_PRELOAD alone, the host does not get rtrack-gpu as a child either.
	rm -rf "$RTRACK_SPOOL"
	preload python3 -c '
import glob, os, time
while sum(1 for name in glob.glob(os.environ["RTRACK_SPOOL"] + "/*/gpu.csv") for _ in open(name)) < 3:
    time.sleep(0.05)
try:
    os.waitpid(-1, os.WNOHANG)
    raise SystemExit("a child")
except ChildProcessError:
    pass
'
}

@test "simulated NVIDIA: GPU usage of other users is only in the machine's figures" {
	sleep 60 &
	other=$!
	gpu_job gpu.csv 4 "devices 2" "usage 0 90" "used 0 5000" "process 0 $other 5000 90" "usage 1 30" "used 1 700" "process 1 PID 700 30"
	tracked launcher
	kill $other
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 1.2000 ]
	[ "$(last_cell "$run/system.csv" gpu_utilized)" = 2 ]
	[ "$(last_cell "$run/process.csv" gpu_usage)" = 0.3000 ]
	[ "$(last_cell "$run/process.csv" gpu_vram_mib)" = 700.000 ]
	[ "$(last_cell "$run/process.csv" gpu_utilized)" = 1 ]
	awk -F, '$2 == 0 && NR > 3 && $7 != "0.0000" { bad = 1 } END { exit bad }' "$run/gpu.csv"
}

@test "simulated NVIDIA: usage of sixteen devices by many processes is recorded" {
	lines=("devices 16")
	for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		lines+=("usage $i 50" "used $i 100" "process $i PID 100 50")
	done
	gpu_job gpu.csv 64 "${lines[@]}"
	tracked launcher
	[ "$(last_cell "$run/process.csv" gpu_usage)" = 8.0000 ]
	[ "$(last_cell "$run/process.csv" gpu_vram_mib)" = 1600.000 ]
	[ "$(last_cell "$run/process.csv" gpu_utilized)" = 16 ]
	[ "$(column "$run/gpu.csv" index | sort -un | wc -l)" = 16 ]
}

@test "simulated NVIDIA: without a device, rtrack-gpu ends and GPU cells stay empty" {
	gpu_job process.csv 5 "devices 0"
	tracked launcher
	[ ! -e "$run/gpu.csv" ]
	[ -z "$(column "$run/process.csv" gpu_usage | tr -d '\n')" ]
	no_poller_is_left
}

@test "simulated NVIDIA: RTRACK_GPU=off does not load the driver library" {
	gpu_job process.csv 4 "devices 1"
	RTRACK_GPU=off tracked launcher
	[ ! -e "$run/gpu.csv" ]
}

@test "simulated NVIDIA: an older driver with different data structures works" {
	simulate_driver -DOLD
	gpu_job gpu.csv 4 "devices 1" "usage 0 70" "used 0 1000" "process 0 PID 900 0"
	tracked launcher
	# This driver does not report usage by process, so its only process gets the usage of the device.
	[ "$(last_cell "$run/process.csv" gpu_usage)" = 0.7000 ]
	[ "$(last_cell "$run/process.csv" gpu_vram_mib)" = 900.000 ]
}

@test "simulated NVIDIA: failing driver calls leave empty cells, never 0" {
	for call in GetUtilizationRates GetMemoryInfo GetPowerUsage GetTemperature GetProcessUtilization GetComputeRunningProcesses; do
		rm -rf "$RTRACK_SPOOL"
		: >"$script"
		sleep 60 &
		gpu_job gpu.csv 3 "devices 1" "usage 0 70" "used 0 1000" "process 0 PID 900 50" "process 0 $! 50 10" "fail $call 0 3"
		tracked launcher
		kill $!
		case $call in
		GetUtilizationRates) empty="gpu_usage" full="gpu_vram_mib" ;;
		GetMemoryInfo) empty="gpu_vram_mib" full="gpu_usage" ;;
		GetPowerUsage) empty="power_w" full="energy_wh" ;;
		GetTemperature) empty="temperature_c" full="power_w" ;;
		GetProcessUtilization) empty="job_gpu_usage" full="job_gpu_vram_mib" ;;
		GetComputeRunningProcesses) empty="job_gpu_vram_mib" full="gpu_usage" ;;
		esac
		[ -z "$(last_cell "$run/gpu.csv" $empty)" ] || { echo "$call: $empty"; false; }
		[ -n "$(last_cell "$run/gpu.csv" $full)" ] || { echo "$call: $full"; false; }
	done
}

@test "simulated NVIDIA: without an energy counter, energy is power times time" {
	gpu_job gpu.csv 8 "devices 1" "power 0 300000" "fail GetTotalEnergyConsumption 0 3"
	tracked launcher
	awk -F, 'NR > 2 { power += 300 * ($1 - before) / 3600; energy += $10 } { before = $1 } END { exit !(energy > 0.8 * power && energy < 1.2 * power) }' "$run/gpu.csv"
}

@test "simulated NVIDIA: rows of a lost device continue, with empty figures" {
	gpu_job gpu.csv 9 "devices 2" "usage 0 40" "usage 1 60" then "fail GetUtilizationRates 1 15" "fail GetHandle 1 15"
	tracked launcher
	[ "$(awk -F, '$2 == 1 && $5 == "0.6000" { print $3 }' "$run/gpu.csv" | uniq)" = '"GPU-00000001"' ]
	[ "$(awk -F, '$2 == 1 { last = $3 } END { print last }' "$run/gpu.csv")" = '"GPU-00000001"' ]
	[ "$(awk -F, '$2 == 1 { last = $5 "," $6 "," $9 "," $11 } END { print last }' "$run/gpu.csv")" = ,,, ]
	[ "$(awk -F, '$2 == 0 { last = $5 } END { print last }' "$run/gpu.csv")" = 0.4000 ]
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 0.4000 ]
}

@test "simulated NVIDIA: a device divided by MIG has memory but no usage" {
	gpu_job gpu.csv 4 "devices 1" "mig 0 1" "usage 0 70" "used 0 1000" "process 0 PID 900 50"
	tracked launcher
	[ -z "$(last_cell "$run/gpu.csv" gpu_usage)" ]
	[ -z "$(last_cell "$run/process.csv" gpu_usage)" ]
	[ "$(last_cell "$run/process.csv" gpu_vram_mib)" = 900.000 ]
}

@test "simulated NVIDIA: driver calls of three seconds do not delay the samples" {
	gpu_job process.csv 25 "devices 1" "usage 0 50" "slow GetUtilizationRates 3000"
	tracked launcher
	# The longest interval between two rows must be below 1 s.
	awk -F, 'NR > 2 { gap = $1 - before; if (gap > most) most = gap } { before = $1 } END { exit !(most < 1) }' "$run/process.csv"
	[ "$(column "$run/process.csv" gpu_usage | grep -c '^$')" -gt 10 ]
	fails grep -q '^0' <(column "$run/system.csv" gpu_usage)
	kill $(pgrep -f "rtrack-gpu $RTRACK_SPOOL") 2>/dev/null || :
}

@test "simulated NVIDIA: rtrack-gpu is restarted once if it dies" {
	gpu_job process.csv 20 "devices 1" "crash GetUtilizationRates"
	tracked launcher
	[ "$(json status "$run/run.json")" = finished ]
	[ -z "$(column "$run/process.csv" gpu_usage | tr -d '\n')" ]
	: >"$script"
	rm -rf "$RTRACK_SPOOL"
	gpu_job gpu.csv 6 "devices 1" "usage 0 50"
	sed -i "s|^file=|(until pkill -KILL -f \"rtrack-gpu \$RTRACK_SPOOL\"; do sleep 0.05; done) \\&\nfile=|" job.sh
	tracked launcher
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 0.5000 ]
}

# strace delays the library's constructor just after it has created the thread, while the thread runs.
@test "simulated NVIDIA: GPU figures are complete even if the library loads slowly" {
	need strace
	strace -f -qq -o /dev/null -e trace=clone -e inject=clone:delay_exit=1:when=1 true 2>/dev/null || skip "strace does not work here"
	gpu_job process.csv 8 "devices 1" "usage 0 50"
	status=0
	strace -f -qq -o /dev/null -e trace=clone -e inject=clone:delay_exit=1000000:when=1 -E LD_PRELOAD="$LIBRARY" "${JOB[@]}" || status=$?
	[ "$status" = 0 ]
	run=$(only_run)
	[ "$(json status "$run/run.json")" = finished ]
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 0.5000 ]
}

@test "simulated NVIDIA: impossible figures and random errors are recorded as unknown" {
	for seed in ${SEEDS:-1 2 3 4 5 6 7 8}; do
		rm -rf "$RTRACK_SPOOL"
		: >"$script"
		gpu_job process.csv 8 "random $seed" "devices 3" "usage 0 50" "used 1 200" "process 0 PID 100 50" "process 1 PID 100 -1"
		tracked launcher
		[ "$(json status "$run/run.json")" = finished ]
		plausible "$run"
	done
}

# bats test_tags=root
@test "simulated NVIDIA: GPU cells stay empty in another PID namespace" {
	as_root "make a PID namespace"
	unshare --pid --fork --mount-proc true 2>/dev/null || skip "no PID namespace can be made here"
	gpu_job gpu.csv 4 "devices 1" "usage 0 70" "used 0 1000" "process 0 PID 900 50" "process 0 999999 100 20"
	unshare --pid --fork --mount-proc "$BUILD/rtrack-run" "${JOB[@]}"
	run=$(only_run)
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 0.7000 ]
	[ "$(last_cell "$run/gpu.csv" gpu_vram_mib)" = 1000.000 ]
	[ -z "$(last_cell "$run/gpu.csv" job_gpu_usage)" ]
	[ -z "$(column "$run/process.csv" gpu_usage | tr -d '\n')" ]
	[ -z "$(column "$run/member.csv" gpu_vram_mib | tr -d '\n')" ]
}

@test "simulated NVIDIA: figures continue after an exec and after the first process" {
	gpu_job gpu.csv 12 "devices 1" "usage 0 60" "used 0 3000" "power 0 200000"
	# The root executes another program, whose child outlives it.
	preload sh -c 'exec sh -c "\"\$@\" & sleep 1.5" sh "$@"' sh "${JOB[@]}"
	run=$(only_run)
	tries=500
	until [ "$(json status "$run/run.json")" = finished ] && [ ! -e "$run/.gpu" ] || [ $((tries--)) -eq 0 ]; do sleep 0.02; done
	[ "$(last_cell "$run/system.csv" gpu_usage)" = 0.6000 ]
	no_poller_is_left
	# Only one rtrack-gpu queries the driver, so each timestamp is in one row.
	[ -z "$(column "$run/gpu.csv" timestamp | sort | uniq -d)" ]
	awk -F, 'NR > 2 && $1 - before < 0.1 { near++ } { before = $1 } END { exit !(near <= 1) }' "$run/gpu.csv"
}

# finishes: waits until the process that took over sampling ends the run. The status is written when the root ends, and
# the lock is released when sampling ends.
finishes() {
	local tries=3000
	while [ -e "$run/.lock" ] && [ $((tries--)) -gt 0 ]; do sleep 0.02; done
	[ "$(json status "$run/run.json")" = finished ]
}

outlived_while_the_driver_begins() {
	printf '%s\n' "devices 1" "busy Init 300" >"$script"
	# The root ends while the driver starts or later, and another process takes over the run and rtrack-gpu. The job
	# lives until the driver has started, which may be slow on a busy machine.
	local rest='until [ "$(cat "$RTRACK_SPOOL"/2*/gpu.csv 2>/dev/null | wc -l)" -gt 2 ]; do sleep 0.1; done'
	for lasts in 0.3 1.2; do
		rm -rf "$RTRACK_SPOOL"
		JOB=(sh -c "($rest) & exec sleep $lasts")
		tracked "$1"
		finishes
		column "$run/system.csv" tracker_cpu | awk '{ sum += $1 } END { print sum; exit !(sum > 0.29 && sum < 0.5) }'
	done
}

@test "simulated NVIDIA: the CPU time of rtrack-gpu counts once, for the tracker" {
	for_each_way outlived_while_the_driver_begins
}

@test "simulated NVIDIA: rtrack-run ends while rtrack-gpu waits in a driver call" {
	printf '%s\n' "devices 1" "slow Init 60000" >"$script"
	"$BUILD/rtrack-run" sh -c 'until pgrep -f "rtrack-gpu $RTRACK_SPOOL" >/dev/null; do sleep 0.02; done'
	[ "$(json status "$(only_run)/run.json")" = finished ]
	no_poller_is_left
}

@test "simulated NVIDIA: watch shows the GPU usage of the job" {
	gpu_job gpu.csv 15 "devices 1" "usage 0 60" "used 0 3000" "process 0 PID 2048 50"
	"$BUILD/rtrack-run" --job watched "${JOB[@]}" 3>&- &
	"$BUILD/rtrack-report" watch watched --every 1 >out
	wait $!
	grep -q 'GPUs 0.5,' out
}

@test "simulated NVIDIA: 100 kills while rtrack-gpu starts leave no process behind" {
	need python3
	echo "devices 1" >"$script"
	timeout 300 python3 "$PROJECT/tests/lib/kills.py" "$BUILD" "$PWD/kills" 100 20261126 "root of rtrack-run"
}
