#!/usr/bin/env bats
# Tests of the phases of a run, and of what one job per phase would save
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

@test "show: loading and then training are two phases with separate usage" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[240,120]' ]
	[ "$(report_value '[.phases[] | .mean_cpu_usage, .cpu_seconds, .peak_memory_mib, .disk_read_bytes]' show)" = '[1,240,2000,240000,8,960,12000,120000]' ]
	[ "$(report_value '[.phases[] | .disk_write_bytes, .mean_gpu_usage]' show)" = '[null,null,null,null]' ]
	# One job reserves 8 CPUs and 24240 MiB for 6 minutes. Two jobs reserve 1 CPU and 4048 MiB for 4 minutes, then 8
	# CPUs and 24240 MiB for 2 minutes. The requested memory is twice the peak, because there is only one run.
	[ "$(report_value '.split | [.cpu_hours, .cpu_percent, .gib_hours, .memory_percent, .gpu_hours]' show)" = '[0.466667,58.33,1.314583,55.53,0]' ]
}

@test "show: a ramp, noise, a spike and alternating usage are not phases" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	for cpu in 'i / 20' '4 + (i * 7919 % 13) / 3' 'i > 200 && i < 210 ? 64 : 2' 'int(i / 30) % 2 == 0 ? 1 : 8' '0'; do
		reshape "$run" 400 "$cpu" 500
		[ "$(report_value '[.phases, .split]' show)" = '[[],null]' ] || { echo "$cpu"; return 1; }
	done
}

@test "show: a run without rows has no phases" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 1q "$run/process.csv"
	[ "$(report_value .phases show)" = '[]' ]
}

@test "recommend: says what one job per phase would save if each phase takes a minute" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	report recommend
	grep -q 'Its phases differ in usage: as 2 jobs, one for each phase, it would reserve' <<<"$output"
	[ "$(report_value '.notes[2]' recommend --offline)" = '"Its phases differ in usage: as 2 jobs, one for each phase, it would reserve 28 CPU-minutes (58 %), 1.31 GiB-hours (56 %) less."' ]
	report recommend --for slurm
	fails grep -q phase <<<"$output"
	reshape "$run" 80 'i <= 50 ? 1 : 8' 'i <= 50 ? 2000 : 12000'
	[ "$(report_value '[(.phases | length), .split]' show)" = '[2,null]' ]
	fails grep -q phase <<<"$(report_value .notes recommend)"
}

@test "show: prints phases and the savings of a split only if there are phases" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	report show -v
	grep -qx 'Phases      2            at 4 min CPUs 1 to 8, memory 1.95 GiB to 11.7 GiB' <<<"$output"
	grep -qx '  split     saves        28 CPU-minutes, 1.31 GiB-hours' <<<"$output"
	reshape "$run" 400 '2 + i % 2' 500
	report show -v
	[ "$status" -eq 0 ]
	fails grep -qE 'Phases|split' <<<"$output"
}

@test "show: a Python job that waits and then holds memory has two phases" {
	cat >"$BATS_TEST_TMPDIR/job.py" <<-'END'
		import time
		time.sleep(2)
		held = bytearray(300 << 20)
		held[::4096] = b"1" * len(held[::4096])
		time.sleep(2)
	END
	hold() {
		"$BUILD/rtrack-run" --interval 0.05 python3 "$BATS_TEST_TMPDIR/job.py"
		run=$(only_run)
	}
	sampled_in_time 0.3 hold
	report_value .phases show
	# The start of Python and the filling of the memory may be separate phases.
	[ "$(report_value '[.phases[] | select(.stop_time - .start_time > 1.5) | .mean_memory_mib > 200]' show)" = '[false,true]' ]
	[ "$(report_value '[.phases[].peak_memory_mib] | max | . > 300 and . < 400' show)" = true ]
	[ "$(report_value '([.phases[].cpu_seconds] | add) - .totals.cpu_seconds | fabs < 0.01' show)" = true ]
}

@test "show: prints how long the run would take with fewer CPUs, also as JSON" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 6' 2000
	COLUMNS=200 report show -v
	grep -qx '  in time   2 CPUs: about 10 min; 4: about 7 min; 6: about 6 min; more would idle' <<<"$output"
	[ "$(report_value '[.cpu_prices[] | .cpus, .seconds]' show)" = '[2,600,4,420,6,360]' ]
	reshape "$run" 360 0.5 2000
	report show -v
	grep -qx '  in time   1 CPU: about 6 min; more would idle' <<<"$output"
	reshape "$run" 8 4 2000
	report show -v
	fails grep -q 'in time' <<<"$output"
}

@test "show: prints the CPUs that a run got and wanted, and its duration with more" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 100 1 2000
	set_column "$run/process.csv" cpu_wait 1
	awk 'BEGIN { print "\"timestamp\",\"cpu_usage\",\"psi_cpu\",\"cpu_steal\""
		for (i = 1; i <= 100; i++) printf "%.3f,5,99.00,%s\n", 1795226400 + i, (i > 50 ? "1.00" : "") }' >"$run/system.csv"
	COLUMNS=200 report show -v
	grep -qx '  in time   1 CPU: about 1 min 40 s; 2: about 50 s; more would idle' <<<"$output"
	grep -qx '  slowed    it got 1 and wanted 2 CPUs, while others used 4 of 8; other virtual machines took 0.5 CPUs' <<<"$output"
	"$BUILD/rtrack-report" html -o - | grep -qF 'Short of CPUs: it got 1 and wanted 2 CPUs, while others used 4 of 8; other virtual machines took 0.5 CPUs.'
	[ "$(report_value '.totals | .cpu_wait_seconds, .cpus_wanted' stats | tr '\n' ' ')" = '100 2 ' ]
	sed -i 's/,5,99/,1,99/; s/1.00$//' "$run/system.csv"
	COLUMNS=200 report show -v
	grep -qx '  slowed    it got 1 and wanted 2 CPUs, more than it could get' <<<"$output"
	set_column "$run/process.csv" cpu_wait 0.01
	report show -v
	fails grep -q slowed <<<"$output"
	grep -q 'more would idle' <<<"$output"
}

@test "show, recommend: ignore the time that tasks of the machine waited for a CPU" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 100 0.01 2000
	awk 'BEGIN { print "\"timestamp\",\"cpu_usage\",\"psi_cpu\""
		for (i = 1; i <= 100; i++) printf "%.3f,8,99.00\n", 1795226400 + i }' >"$run/system.csv"
	report show -v
	fails grep -qiE 'slowed|wait' <<<"$output"
	report recommend --offline
	fails grep -qiE 'wait|may use more' <<<"$output"
	[ "$(report_value .resources.cpu recommend --offline)" = 1 ]
}

@test "show: a phase begins at a mark, unless the job set many marks" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 2000
	printf '"timestamp","pid","label"\n%s,10,"fit"\n%s,10,"write"\n' 1795226500.5 1795226641.2 >"$run/mark.csv"
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[101,140,119]' ]
	[ "$(report_value '[.phases[].marked]' show)" = '[false,true,true]' ]
	COLUMNS=200 report show -v
	grep -q '^Phases      3            at 1 min 41 s (marked) little changed; at 4 min 1 s (marked) CPUs 1.05 to 8$' <<<"$output"
	for i in 1 2 3 4 5; do echo "$((1795226400 + 50 * i)),10,\"epoch\""; done >>"$run/mark.csv"
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[240,120]' ]
}

@test "show: a phase begins where a pool of workers starts" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 1 2000
	sed -i -e '1s/$/,"members"/' -e '2,121s/$/1/' -e '122,$s/$/9/' -e '2,$s/,\([19]\)$/,,\1/' "$run/process.csv"
	COLUMNS=200 report show -v
	grep -q '^Phases      2            at 2 min processes 1 to 9$' <<<"$output"
}
