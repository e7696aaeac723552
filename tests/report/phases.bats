#!/usr/bin/env bats
# The phases of a run, and what a job for each of them would save.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

@test "rtrack-report show: loading, then training are two phases, each with its usage" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[240,120]' ]
	[ "$(report_value '[.phases[] | .mean_cpu_usage, .cpu_seconds, .peak_memory_mib, .disk_read_bytes]' show)" = '[1,240,2000,240000,8,960,12000,120000]' ]
	[ "$(report_value '[.phases[] | .disk_write_bytes, .mean_gpu_usage]' show)" = '[null,null,null,null]' ]
	# 8 CPUs and 24240 MiB for 6 minutes, against 1 and 4048 for 4, then 8 and 24240 for 2: after one run as much again.
	[ "$(report_value '.split | [.cpu_hours, .cpu_percent, .gib_hours, .memory_percent, .gpu_hours]' show)" = '[0.466667,58.33,1.314583,55.53,0]' ]
}

@test "rtrack-report show: a ramp, noise, a spike and what comes and goes are no phases" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	for cpu in 'i / 20' '4 + (i * 7919 % 13) / 3' 'i > 200 && i < 210 ? 64 : 2' 'int(i / 30) % 2 == 0 ? 1 : 8' '0'; do
		reshape "$run" 400 "$cpu" 500
		[ "$(report_value '[.phases, .split]' show)" = '[[],null]' ] || { echo "$cpu"; return 1; }
	done
}

@test "rtrack-report show: a run without a row has no phases, and status 0 or 1 as ever" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 1q "$run/process.csv"
	[ "$(report_value .phases show)" = '[]' ]
}

@test "rtrack-report recommend: says what a job for each phase would save, where none is shorter than a minute" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	report recommend
	grep -q 'Its phases differ in usage: as 2 jobs, one for each phase, it would reserve' <<<"$output"
	[ "$(report_value '.notes[1]' recommend --offline)" = '"Its phases differ in usage: as 2 jobs, one for each phase, it would reserve 28 core-minutes (58 %), 1.31 GiB-hours (56 %) less."' ]
	report recommend --for slurm
	fails grep -q phase <<<"$output"
	reshape "$run" 80 'i <= 50 ? 1 : 8' 'i <= 50 ? 2000 : 12000'
	[ "$(report_value '[(.phases | length), .split]' show)" = '[2,null]' ]
	fails grep -q phase <<<"$(report_value .notes recommend)"
}

@test "rtrack-report show: phases, and what a split saves, on a line each; nothing where there are none" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 'i <= 240 ? 2000 : 12000'
	report show
	grep -qx 'Phases      2            at 4 min 0 s CPUs 1 to 8, memory 1.95 GiB to 11.7 GiB' <<<"$output"
	grep -qx '  split     saves        28 core-minutes, 1.31 GiB-hours' <<<"$output"
	reshape "$run" 400 '2 + i % 2' 500
	report show
	[ "$status" -eq 0 ]
	fails grep -qE 'Phases|split' <<<"$output"
}

@test "rtrack-report show: a Python job that waits for its data and then holds it has these phases" {
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
	# What comes before and between, such as to start Python and to fill the memory, may be a phase of its own.
	[ "$(report_value '[.phases[] | select(.stop_time - .start_time > 1.5) | .mean_memory_mib > 200]' show)" = '[false,true]' ]
	[ "$(report_value '[.phases[].peak_memory_mib] | max | . > 300 and . < 400' show)" = true ]
	[ "$(report_value '([.phases[].cpu_seconds] | add) - .totals.cpu_seconds | fabs < 0.01' show)" = true ]
}

@test "rtrack-report show: what fewer CPUs would cost in time, in words and as JSON" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 6' 2000
	COLUMNS=200 report show
	grep -qx '  in time   2 CPUs: about 10 min 0 s; 4: about 7 min 0 s; 6: about 6 min 0 s; more would idle' <<<"$output"
	[ "$(report_value '[.cpu_prices[] | .cpus, .seconds]' show)" = '[2,600,4,420,6,360]' ]
	reshape "$run" 360 0.5 2000
	report show
	grep -qx '  in time   1 CPU: about 6 min 0 s; more would idle' <<<"$output"
	reshape "$run" 8 4 2000
	report show
	fails grep -q 'in time' <<<"$output"
}

@test "rtrack-report show: a run that others kept from a CPU says for how much of the time" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 100 2 2000
	awk 'BEGIN { print "\"timestamp\",\"cpu_usage\",\"psi_cpu\",\"cpu_steal\""
		for (i = 1; i <= 100; i++) printf "%.3f,5,48.00,%s\n", 1795226400 + i, (i > 50 ? "1.00" : "") }' >"$run/system.csv"
	COLUMNS=200 report show
	grep -qE '^  in time   2 CPUs: about 1 min 40 s; tasks waited for a CPU, more may be quicker$|^  in time   1 CPU: .*; 2: about 1 min 40 s; tasks waited for a CPU, more may be quicker$' <<<"$output"
	"$BUILD/rtrack-report" html -o - | grep -q '>Tasks waited for a CPU, more may be quicker.<'
	waited='In 48 % of the time tasks of the machine waited for a CPU: the job may use more CPUs than it got.'
	[ "$(report_value ".notes | map(select(. == \"$waited\")) | length" recommend --offline)" = 1 ]
	"$BUILD/rtrack-report" recommend --offline | tr "\n" " " | tr -s " " | grep -qF "$waited"
	"$BUILD/rtrack-report" html -o - | grep -qF "$waited"
	grep -qE '^  slowed    48 % of the time tasks waited for a CPU, while others used 3 of [0-9]+; the hypervisor took 0.5 CPUs$' <<<"$output"
	sed -i 's/,5,48/,2,48/; s/1.00$//' "$run/system.csv"
	COLUMNS=200 report show
	grep -qE '^  slowed    48 % of the time tasks waited for a CPU, as the job had more to run than there are$' <<<"$output"
	mv "$run/process.csv" "$run/kept"
	report show
	grep -qE '^  slowed    48 % of the time tasks waited for a CPU$' <<<"$output" || { echo "$output"; return 1; }
	mv "$run/kept" "$run/process.csv"
	sed -i 's/,48.00/,4.00/' "$run/system.csv"
	report show
	fails grep -q slowed <<<"$output"
	grep -q 'more would idle' <<<"$output"
	[ "$(report_value ".notes | map(select(. == \"$waited\")) | length" recommend --offline)" = 0 ]
}

@test "rtrack-report show: a phase begins where the job marked it, unless it marked many moments" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 'i <= 240 ? 1 : 8' 2000
	printf '"timestamp","pid","label"\n%s,10,"fit"\n%s,10,"write"\n' 1795226500.5 1795226641.2 >"$run/mark.csv"
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[101,140,119]' ]
	[ "$(report_value '[.phases[].marked]' show)" = '[false,true,true]' ]
	COLUMNS=200 report show
	grep -q '^Phases      3            at 1 min 41 s (marked) little changed; at 4 min 1 s (marked) CPUs 1.05 to 8$' <<<"$output"
	for i in 1 2 3 4 5; do echo "$((1795226400 + 50 * i)),10,\"epoch\""; done >>"$run/mark.csv"
	[ "$(report_value '[.phases[] | .stop_time - .start_time]' show)" = '[240,120]' ]
}

@test "rtrack-report show: a phase begins where a pool of workers does, and says so" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	reshape "$run" 360 1 2000
	sed -i -e '1s/$/,"members"/' -e '2,121s/$/1/' -e '122,$s/$/9/' -e '2,$s/,\([19]\)$/,,\1/' "$run/process.csv"
	COLUMNS=200 report show
	grep -q '^Phases      2            at 2 min 0 s processes 1 to 9$' <<<"$output"
}
