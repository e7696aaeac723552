#!/usr/bin/env bats
# Tests of rtrack-report recommend: its requests, their certainty, and the lines to paste into job scripts.
# tests/lib/allowance.py computes the expected requests; it was written from the documentation, not from the code.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

resources() {
	report_value '.resources | [.cpu, .memory, .gpu, .vram, .seconds]' recommend --offline "$@"
}

memory() {
	report_value .resources.memory recommend --offline "$@"
}

notes() {
	report_value '.notes[]' recommend --offline "$@" | grep -v 'prices were not asked for' || true
}

# run_of NUMBER PEAK [STATUS]: makes run NUMBER (1 to 99) of the job, with this peak memory in MiB.
run_of() {
	local run
	run=$(make_run "20261121T020000Z-compute-7-10-00$(printf %02d "$1")" "${3:-finished}" job.R "$1")
	set_peak "$run" "$2"
	printf '%s\n' "$run"
}

# reads RUN BYTES: sets the size of the run's input.
reads() {
	jq ".input_bytes = $2" "$1/run.json" >"$1/new"
	mv "$1/new" "$1/run.json"
}

@test "recommend: requests the largest peak plus 2 %, doubled after a single run" {
	run_of 1 1000
	[ "$(resources)" = '[2,2032,0,0,120]' ]
	[[ $(report_value '.basis.text[0]' recommend) == *' are known: 1000 MiB + 32 MiB + 1000 MiB. The request is '* ]]
	[ "$(memory --failures 1/250)" = 1536 ]
	[ "$(RTRACK_FAILURES=1/1000 memory)" = 3040 ]
	run_of 2 1000
	[ "$(memory)" = 1536 ]
	for i in 3 4 5 6 7 8 9 10; do
		run_of "$i" 1000
	done
	[ "$(memory)" = 1136 ]
	[ "$(memory --runs 1)" = 1536 ]
}

@test "recommend: uses the peaks of the named run and of all earlier runs" {
	i=0
	for peak in 700 1000 400 600 500; do
		run_of "$((i += 1))" "$peak"
	done
	[ "$(memory)" = 1552 ]
	# For the peaks 700, 1000 and 400: 1000 + 32 + (1000 + 4 * 300) / 3
	[ "$(memory 20261121T020000Z-compute-7-10-0003)" = 1776 ]
}

# labels RUN LABELS: adds these labels to the run, as a JSON object.
labels() {
	jq ".labels += $2" "$1/run.json" >"$1/new"
	mv "$1/new" "$1/run.json"
}

@test "recommend: tasks of one fan-out count as one run, with the largest peak" {
	for i in 1 2 3 4 5 6; do
		# Runs 1 to 3 and 4 to 6 are the tasks of two array jobs.
		labels "$(run_of $i $((400 + 100 * (i % 3))))" "{slurm_array_job_id: \"$(((i + 2) / 3))\"}"
	done
	# The requests for peaks of 600 MiB are 600 + 32 + 600 / n, rounded up to 16 MiB: n is 2, and 1 for the first array.
	[ "$(memory)" = 944 ]
	[ "$(memory 20261121T020000Z-compute-7-10-0003)" = 1232 ]
	[ "$(report_value .basis.runs recommend --offline)" = 2 ]
	notes | grep -q 'Finished tasks of one fan-out.*: 6 runs count as 2[.]'
	[ "$("$BUILD/rtrack-report" recommend --all --format json | jq -c '.[] | [.resources.memory, .basis.runs]')" = '[944,2]' ]
	# A task that failed still counts: its peak is a lower bound.
	labels "$(run_of 7 900 failed)" '{slurm_array_job_id: "2"}'
	[ "$(memory)" -gt 944 ]
}

@test "recommend: runs inside one other run are a fan-out, and pipelines are told apart" {
	for i in 1 2 3 4; do
		run=$(run_of $i 1000)
		jq ".parent = \"20261121T010000Z-compute-7-9-000$((i % 2))\"" "$run/run.json" >"$run/new"
		mv "$run/new" "$run/run.json"
	done
	[ "$(memory)" = 1536 ]
	rm -r "${RTRACK_SPOOL:?}"/*
	for i in 1 2 3 4; do
		labels "$(run_of $i 1000)" "{orchestrator: \"metaflow\", flow: \"F\", run: \"$((i % 2))\"}"
	done
	[ "$(memory)" = 1536 ]
	local label
	for label in nextflow/session snakemake/snakemake_run prefect/run; do
		rm -r "${RTRACK_SPOOL:?}"/*
		for i in 1 2 3 4; do
			labels "$(run_of $i 1000)" "{orchestrator: \"${label%/*}\", ${label#*/}: \"$((i % 2))\"}"
		done
		[ "$(memory)" = 1536 ]
	done
}

@test "recommend: uses the latest hundred runs, with and without cached figures" {
	for i in $(seq 101); do
		run=$(make_run "$(printf '20261121T020000Z-compute-7-10-0%03d' "$i")" finished job.R "$i")
		set_peak "$run" "$((i == 1 ? 9000 : 1000))"
	done
	first=$(report_value . recommend --offline)
	[ "$(jq .resources.memory <<<"$first")" = 1056 ]
	[ "$(jq -c '.basis | [.runs, .replay.runs, .replay.too_small]' <<<"$first")" = '[100,99,0]' ]
	[ "$(find "$RTRACK_SPOOL" -name .summary | wc -l)" -eq 99 ]
	[ "$(report_value . recommend --offline)" = "$first" ]
	# The hundredth run and the 99 runs before it are used: 9000 + 180 + (9000 + 4 * 8000) / 100
	[ "$(memory 20261121T020000Z-compute-7-10-0100)" = 9600 ]
}

@test "recommend: one sentence explains why the request is above the peak" {
	run_of 1 1000
	[[ $(report_value '.basis.text[0]' recommend) == *' The request is 2.0 × the peak (only 1 run so far)."' ]]
	for i in 2 3 4; do
		run_of "$i" 1000
	done
	[[ $(report_value '.basis.text[0]' recommend) == *' The request is 1.3 × the peak (only 4 runs so far)."' ]]
	for i in $(seq 5 99); do
		run_of "$i" 1000
	done
	[[ $(report_value '.basis.text[0]' recommend) != *' × the peak'* ]]
}

@test "recommend: leaves mapped files out of the request, and a note says so" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i '1s/$/,"memory_file_mib"/; 2,$s/$/,/' "$run/process.csv"
	set_column "$run/process.csv" memory_mib 100 900 900 900
	set_column "$run/process.csv" memory_file_mib 0 600 600 600
	set_column "$run/exit.csv" peak_rss_mib 4 5 900
	cat >"$run/member.csv" <<-'END'
		"timestamp","pid","memory_mib","rss_mib","memory_file_mib"
		1795226401.000,10,100,100,0
		1795226402.000,10,900,900,600
	END
	# The root has 300 MiB, its two children have 9 MiB, and a tenth of the file pages counts.
	[ "$(report_value '.totals | [.peak_memory_mib, .peak_memory_needed_mib]' stats)" = '[909,339.9]' ]
	[ "$(memory)" = 720 ]
	[[ $(notes) == *'569 MiB of its peak of 909 MiB are pages of mapped files. The request leaves them out'* ]]
}

@test "recommend: describes the end of a run in the same words as show" {
	local run end text
	run=$(run_of 1 1000 killed)
	for end in '' '.exit_signal = null | .killed_by = "signal"' '.exit_signal = null | .killed_by = "oom"' \
		'.status = "unknown" | .killed_by = null' '.status = "failed" | .exit_code = 3'; do
		jq "${end:-.}" "$run/run.json" >"$BATS_TEST_TMPDIR/run.json"
		mv "$BATS_TEST_TMPDIR/run.json" "$run/run.json"
		text=$(report_value '.ended.text | sub("^out of memory, "; "")' show | tr -d '"')
		notes | grep -qE "^\"This run (was )?${text//[()]/.}: it may" || { echo "$text"; notes; false; }
	done
	[ "$text" = 'failed with exit status 3' ]
}

@test "recommend: the peak of a failed run is a lower bound of the needed memory" {
	run_of 1 1000
	run_of 2 1500 failed
	# 1500 + 32 + 1500 + 4 * 500
	[ "$(memory)" = 5040 ]
	[[ $(notes) == *'failed with exit status 3: it needs at least as much'* ]]
	[[ $(report_value '.basis.text[0]' recommend) == '"One run finished, with a peak of 1000 MiB; one that did not had 1.46 GiB. '* ]]
	run_of 3 900
	[[ $(report_value '.basis.text[0]' recommend) == '"2 runs finished, with peaks of up to 1000 MiB and a median of 900 MiB; one that did not had 1.46 GiB. '* ]]
	run_of 4 1600
	[[ $(report_value '.basis.text[0]' recommend) == '"3 runs finished, with peaks of up to 1.56 GiB and a median of 1000 MiB. '* ]]
	rm -r "$RTRACK_SPOOL"/*000[134]
	[ "$(memory)" = 3040 ]
	[[ $(notes) == *'failed with exit status 3: it may have needed more later'* ]]
	[[ $(report_value '.basis.text[0]' recommend) == '"No run has finished yet. The largest used 1.46 GiB. '*' (no run has finished)."' ]]
}

@test "recommend, html: a finished run without a known peak is not called unfinished" {
	run=$(run_of 1 1000)
	set_column "$run/process.csv" memory_mib ""
	set_column "$run/exit.csv" peak_rss_mib ""
	fails grep -q 'has finished yet' <<<"$("$BUILD/rtrack-report" html -o -)"
	run_of 2 1500 failed
	[[ $(report_value '.basis.text[0]' recommend) == '"No run that finished has a known peak. The largest used 1.46 GiB. '*' (no finished run has a known peak)."' ]]
}

@test "recommend: after an out-of-memory kill the request exceeds the old limit" {
	for i in 1 2 3 4 5; do
		run_of "$i" 1000
	done
	run=$(run_of 6 700 killed)
	set_column "$run/system.csv" cgroup_memory_limit_mib 750
	# The peak of 1000 counts as near the limit, because 1.1 * 1000 exceeds 750. The peaks alone give 1000 + 32 +
	# 200.
	[ "$(memory)" = 1232 ]
	[[ $(notes) == *'was killed (SIGKILL) near its limit, 750 MiB: the request is more than that.'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib 4000
	set_column "$run/system.csv" cgroup_oom_kills 0 1 0
	[ "$(memory)" = 8000 ]
	[ "$(report_value '[.basis.by, .basis.deaths]' recommend)" = '["death",1]' ]
	[[ $(notes) == *'process ran out of memory at its limit, 3.91 GiB'* ]]
	# A later run finished with a peak of 4500, so the killed run no longer raises the request.
	run_of 7 4500
	# 4500 + 90 + (4500 + 4 * 3500) / 6
	[ "$(memory)" = 7680 ]
	# With a peak of 1000 in the last run, the killed run still needs more than 4000: 4000 + 80 + (4000 + 4 * 3000)
	# / 6
	set_peak "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0007" 1000
	[ "$(memory)" = 6752 ]
}

@test "recommend: requests no less after an out-of-memory kill than after a failure" {
	run=$(run_of 1 205 killed)
	# 205 + 32 + 205
	[ "$(memory)" = 448 ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 200
	set_column "$run/system.csv" cgroup_oom_kills 0 1 0
	[ "$(report_value '[.resources.memory, .basis.by, .basis.deaths, .basis.largest]' recommend)" = '[448,"death",1,205]' ]
	[[ $(report_value '.basis.text[0]' recommend) == '"No run has finished yet. The largest used 205 MiB. The request is the largest peak plus 2 % '*' The request is 2.2 × the peak (a run ran out of memory)."' ]]
}

@test "recommend: a run that finished after the kernel killed a child has not failed" {
	run=$(run_of 1 700)
	set_column "$run/system.csv" cgroup_memory_limit_mib 750
	seconds=$(report_value .resources.seconds recommend)
	set_column "$run/system.csv" cgroup_oom_kills 0 1 0
	[ "$(memory)" -gt 750 ]
	[[ $(report_value '.basis.text[0]' recommend) == '"No run has finished yet without a process out of memory. '*' (a run ran out of memory)."' ]]
	"$BUILD/rtrack-report" recommend >"$BATS_TEST_TMPDIR/advised"
	fails grep -E 'No run has finished yet[.;:]|died' "$BATS_TEST_TMPDIR/advised"
	# Its duration counts like the duration of a finished run.
	[ "$(report_value .resources.seconds recommend)" = "$seconds" ]
}

@test "recommend: a kill with the machine's memory nearly full counts as out of memory" {
	run=$(run_of 1 15900 killed)
	[ "$(report_value .basis.deaths recommend)" = 1 ]
	[ "$(report_value .ended.outcome show)" = '"out_of_memory"' ]
	[ "$(report_value '.[0].outcome' list)" = '"out_of_memory"' ]
	[ "$(memory)" = 32128 ]
	[[ $(notes) == *"was killed (SIGKILL) near the machine's memory, 15.6 GiB"* ]]
	set_column "$run/system.csv" cgroup_oom_kills 1
	[ "$(report_value .basis.deaths recommend)" = 1 ]
	[[ $(notes) == *'ran out of memory at its peak, 15.5 GiB'* ]]
}

@test "recommend: the limit bounds the request unless a run almost reached the limit" {
	run=$(run_of 1 1000)
	set_column "$run/system.csv" cgroup_memory_limit_mib 1500
	[ "$(report_value '[.resources.memory, .basis.by]' recommend)" = '[1504,"limit"]' ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 1100
	[ "$(memory)" = 2032 ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 1010
	[[ $(notes) == *'The job filled its limit, 1010 MiB: with more memory it may use more.'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib 4000
	set_column "$run/system.csv" cgroup_memory_mib 3999
	[[ $(notes) == *'With its page cache the job was at its limit, 3.91 GiB'* ]]
}

@test "recommend: a control group without a limit cannot have reached its limit" {
	run=$(run_of 1 119)
	jq '.requested = {memory_mib: 512}' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	set_column "$run/system.csv" cgroup_memory_mib 6774
	fails grep -F 'page cache' <<<"$(notes)$(notes --rule classic)"
	# The same holds for a run that was killed together with its sampler.
	jq '.status = "running" | .stop_time = null' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	touch -d '1 hour ago' "$run"/*
	[ "$(report_value .basis.deaths recommend)" = 0 ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 6800
	touch -d '1 hour ago' "$run"/*
	[ "$(report_value .basis.deaths recommend)" = 1 ]
}

@test "recommend: the request includes tmpfs files of the run's own control group" {
	run=$(run_of 1 1000)
	set_column "$run/system.csv" cgroup_memory_limit_mib 4000
	set_column "$run/system.csv" cgroup_kept_mib 10 1800 1800 10
	[ "$(memory)" = 2032 ] # other jobs may share the control group
	jq '.tracker.cgroup_cpu = 2 | .tracker.cgroup_shared = 0' "$run/run.json" >"$run/new"
	mv "$run/new" "$run/run.json"
	[ "$(memory)" = 3648 ]
	[[ $(notes) == *'Its control group held 1.76 GiB besides pages of files on disk'* ]]
	[ "$(report_value .resources.memory recommend --offline --rule classic)" = 3072 ]
	set_column "$run/system.csv" cgroup_memory_limit_mib ""
	[ "$(memory)" = 2032 ] # the tmpfs may contain files of other jobs
	set_column "$run/system.csv" cgroup_memory_limit_mib 1850
	[[ $(notes) == *'The job filled its limit, 1.81 GiB'* ]]
}

@test "recommend: takes the earlier request from run.json, or else from the limit" {
	for i in 1 2 3; do
		run=$(run_of "$i" 1000)
		jq '.requested = {memory_mib: 4000}' "$run/run.json" >"$run/new"
		mv "$run/new" "$run/run.json"
	done
	# Requests of 2032 and 1536 replace the original 4000. Each run takes 4 s.
	[ "$(report_value '.basis.replay' recommend)" = '{"runs":2,"too_small":0,"too_small_at_most":0.7764,"reserved_less":0.554}' ]
	[ "$(report_value '.basis.text[1]' recommend)" = '"Checked on 2 earlier runs: too little never; it would have reserved 55 % less than was requested."' ]
}

@test "recommend: an independent program computes the same requests for random runs" {
	for seed in 1 2 3 4 5 6; do
		rm -rf "$RTRACK_SPOOL" && mkdir -m 700 "$RTRACK_SPOOL"
		python3 - "$seed" >"$BATS_TEST_TMPDIR/history" <<-'END'
			import json, random, sys
			random.seed(int(sys.argv[1]))
			runs = []
			for i in range(random.choice([2, 5, 12, 25])):
			    end = random.choices(["finished", "failed", "died"], [8, 1, 1])[0]
			    peak = round(random.choice([random.uniform(50, 4000), random.gauss(1000, 100)]), 3)
			    limit = round(peak * random.uniform(1.02, 3)) if end == "died" or random.random() < 0.3 else None
			    runs.append({"end": end, "peak": max(peak, 10), "limit": limit, "asked": limit, "seconds": 4,
			                 "input": round(peak * random.uniform(900, 1100) + 1000) if random.random() < 0.8 else None})
			print(json.dumps({"runs": runs, "care": 1, "input": None, "limit": runs[-1]["limit"]}))
		END
		i=0
		while IFS=$'\t' read -r end peak limit input; do
			case $end in finished) status=finished ;; *) status=failed ;; esac
			i=$((i + 1))
			run=$(run_of "$i" "$peak" "$status")
			reads "$run" "$input"
			[ "$limit" = null ] || set_column "$run/system.csv" cgroup_memory_limit_mib "$limit"
			[ "$end" != died ] || set_column "$run/system.csv" cgroup_oom_kills 1
		done < <(jq -r '.runs[] | [.end, .peak, .limit // "null", .input // "null"] | @tsv' "$BATS_TEST_TMPDIR/history")
		expected=$(python3 "$PROJECT/tests/lib/allowance.py" <"$BATS_TEST_TMPDIR/history" | jq -c .)
		found=$(report_value '{memory: .resources.memory} + (.basis.replay | {runs, too_small, reserved_less})' recommend)
		[ "$found" = "$expected" ] || { echo "seed $seed: $found, not $expected"; return 1; }
	done
}

@test "recommend --for-input: uses the size of the input if peaks depend on the size" {
	cd "$BATS_TEST_TMPDIR"
	for i in 1 2 3 4 5; do
		run=$(run_of "$i" "$((100 * i))")
		reads "$run" "$((1000000 * i))"
	done
	head -c 2500000 /dev/zero >next
	mkdir input
	head -c 5000000 /dev/zero >input/a
	head -c 3000000 /dev/zero >input/b
	[ "$(memory)" = 800 ]
	[ "$(memory --for-input next)" = 336 ]
	[ "$(memory --for-input input)" = 992 ]
	mv next next,1
	[ "$(memory --for-input next,1)" = 336 ]
	mv next,1 next
	[ "$(memory --for-input input/a --for-input 'input/*b')" = 992 ]
	[ "$(report_value '.basis | [.by, .input.runs, .input.largest_bytes, .input.fit]' recommend --for-input next)" = '["input",5,5000000,1]' ]
	[[ $(report_value '.basis.text[0]' recommend --for-input next) == *'The size of the input explains the peaks (r 1.00), and the next input has 2.38 MiB.'* ]]
	[ "$(printf '500\t-\t-\n?\t-\t-\n' | "$BUILD/rtrack-report" recommend --history - --for-input next | head -n 1)" = 1040 ]
	# In chronological order, the fitted line was never too low, because each run is compared with a line through
	# earlier runs.
	[ "$(report_value .basis.replay.too_small recommend)" = 0 ]
}

@test "recommend --for-input: notes peaks that the input size does not explain" {
	cd "$BATS_TEST_TMPDIR"
	head -c 2500000 /dev/zero >next
	i=0
	for peak in 500 400 300 200 100; do
		i=$((i + 1))
		run=$(run_of "$i" "$peak")
		reads "$run" "$((1000000 * i))"
	done
	[ "$(memory --for-input next)" = 800 ]
	[ "$(notes --for-input next)" = '"The next input has 2.38 MiB, but the size of the input does not explain the peaks."' ]
	reads "$run" null
	[ "$(notes --for-input next)" = '"The next input has 2.38 MiB, but the input of too few runs is known: 4 of 5."' ]
	report recommend --offline --for-input none
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: --for-input: no file matches, or more than 1000 do" ]
	report recommend --offline --for-input ''
	[ "$status" -eq 2 ]
}

@test "recommend --runs 0: uses only the named run" {
	make_run 20261121T020000Z-compute-7-10-0001
	run=$(make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60)
	sed -i 's/,300\.000,/,30.000,/' "$run/process.csv"
	report recommend --offline --runs 0
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "Request for job.R (1 run)" ]
	[ "$(report_value .history.runs stats --runs 0)" = 0 ]
	[ "$(report_value .history.runs stats)" = 1 ]
}

@test "recommend: requests the fewest CPUs that slow no run by more than a fifth" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	# The run used 0.75, 3, 1.75 and 0.5 CPUs, for a second each. With 2 CPUs, the second with 3 CPUs takes 1.5
	# seconds.
	[ "$(report_value '[.resources.cpu, .basis.cpu]' recommend)" = '[2,{"more_used":0.25,"longer":0.125,"throttled":0}]' ]
	[ "$(report_value '.basis.text[1]' recommend)" = '"2 CPUs: the runs would use more CPUs in 25 % of the time. Without these they take 12.5 % longer."' ]
	set_column "$run/process.csv" cpu_usage 4.05
	[ "$(report_value '[.resources.cpu, .basis.text[1]]' recommend)" = '[4,"4 CPUs: the runs never used more than a tenth of another CPU."]' ]
	sed -i 's/"vcpus": 8/"vcpus": 4/' "$run/run.json"
	[ "$(report_value '[.resources.cpu, .basis.text[1]]' recommend)" = '[4,"4 CPUs: the runs had no more, and used all of them most of the time."]' ]
	sed -i 's/"vcpus": 4/"vcpus": 8/' "$run/run.json"
	set_column "$run/process.csv" cpu_usage 0.01
	[ "$(report_value .resources.cpu recommend)" = 1 ]
	set_column "$run/process.csv" cpu_usage 100
	# Above 64 the number of CPUs is a multiple of eight.
	[ "$(report_value .resources.cpu recommend)" = 104 ]
	# With 4 CPUs, the second that used 8 takes one second more, a quarter of the whole time. A sixth CPU would be
	# used for a quarter of the time.
	set_column "$run/process.csv" cpu_usage 1 8 1 1
	[ "$(report_value '[.resources.cpu, .basis.cpu.longer]' recommend)" = '[5,0.15]' ]
	# A second CPU is used for half of the time.
	set_column "$run/process.csv" cpu_usage 1 1 1.2 1.2
	[ "$(report_value .resources.cpu recommend)" = 2 ]
}

@test "recommend: requests the CPUs that a run wanted, not the CPUs that it got" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" cpu_usage 0.7
	set_column "$run/process.csv" cpu_wait 1.3
	[ "$(report_value '[.resources.cpu, .basis.text[1]]' recommend)" = '[2,"2 CPUs: the runs never used more than a tenth of another CPU. They got 1.5 and wanted 2.8 CPUs on average."]' ]
	# The request is never above the number of CPUs of the machine.
	set_column "$run/process.csv" cpu_wait 20
	sed -i 's/"mode"/"cpus": 16, "mode"/' "$run/run.json"
	[ "$(report_value .resources.cpu recommend)" = 16 ]
	[[ $(report_value '.basis.text[1]' recommend) == *'The machine has no more.'* ]]
}

@test "recommend: requests all CPUs again for a job that used nearly all of them" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"vcpus": 8/"vcpus": 64/' "$run/run.json"
	set_column "$run/process.csv" cpu_usage 58
	[ "$(report_value .resources.cpu recommend)" = 64 ]
	set_column "$run/process.csv" cpu_usage 55
	[ "$(report_value .resources.cpu recommend)" = 55 ]
	# A job with a request adapts to the requested CPUs, and not to the CPUs of the machine.
	sed -i 's/"vcpus": 64/"vcpus": 128/; s/"labels"/"requested": {"cpu": 60}, "labels"/' "$run/run.json"
	[ "$(report_value .resources.cpu recommend)" = 60 ]
}

@test "recommend: requests one CPU for a run of 1 ms, whatever usage was measured" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 3,\$d "$run/process.csv"
	set_column "$run/process.csv" cpu_usage 1.7348
	for cpus in 1:.001 2:.020; do
		set_column "$run/process.csv" timestamp "1795226400${cpus#*:}"
		jq ".stop_time = 1795226400${cpus#*:}" "$run/run.json" >"$BATS_TEST_TMPDIR/changed"
		mv "$BATS_TEST_TMPDIR/changed" "$run/run.json"
		[ "$(report_value .resources.cpu recommend)" = "${cpus%:*}" ]
	done
}

@test "recommend: uses runs slowed by a CPU limit only if there are no other runs" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" cpu_usage 2
	set_column "$run/system.csv" cpu_throttled 0.5
	[ "$(report_value '[.resources.cpu, .basis.cpu.throttled]' recommend)" = '[3,0.5]' ]
	[[ $(report_value '.basis.text[1]' recommend) == '"3 CPUs: a CPU limit held the runs back in 50 % of their time'*'. They used 2, in whole CPUs, and the request is half as many again."' ]]
	# A quota below one CPU counts as one used CPU.
	set_column "$run/process.csv" cpu_usage 0.3
	[ "$(report_value .resources.cpu recommend)" = 2 ]
	[[ $(report_value '.basis.text[1]' recommend) == *' They used 1, in whole CPUs, and the request is half as many again."' ]]
	# The request does not exceed the CPUs of the machine.
	set_column "$run/process.csv" cpu_usage 7
	[ "$(report_value .resources.cpu recommend)" = 8 ]
	[[ $(report_value '.basis.text[1]' recommend) == *' They used 7, in whole CPUs, and the request is what the machine has."' ]]
	run=$(make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60)
	set_column "$run/process.csv" cpu_usage 6
	[ "$(report_value '[.resources.cpu, .basis.cpu.throttled]' recommend)" = '[6,0]' ]
}

@test "recommend: requests the most GPUs in use at once, and GPU memory with a reserve" {
	run=$(run_of 1 1000)
	set_column "$run/process.csv" gpu_usage 0 0.2 1.6 0
	set_column "$run/process.csv" gpu_vram_mib 0 900
	# 900 + 32 + 900
	[ "$(resources)" = '[2,2032,2,1840,120]' ]
	set_column "$run/process.csv" gpu_utilized 0 4 2 0
	[ "$(resources)" = '[2,2032,4,1840,120]' ]
	set_column "$run/process.csv" gpu_usage 0
	set_column "$run/process.csv" gpu_vram_mib 0
	[ "$(resources)" = '[2,2032,0,0,120]' ]
}

@test "recommend: time is requested by the same rule as memory, in whole minutes" {
	i=0
	for seconds in 3600 3000 3300; do
		i=$((i + 1))
		run=$(run_of "$i" 1000)
		jq ".stop_time = .start_time + $seconds" "$run/run.json" >"$run/new"
		mv "$run/new" "$run/run.json"
	done
	# 3600 + 72 + (3600 + 4 * 300) / 3 = 5272
	[ "$(report_value .resources.seconds recommend)" = 5280 ]
	[[ $("$BUILD/rtrack-report" recommend --offline) == *'Time    1 h 28 min'* ]]
}

@test "recommend: says how often a request by this rule is too small" {
	for i in 1 2 3 4; do
		run_of "$i" 1000
	done
	[ "$(notes 20261121T020000Z-compute-7-10-0001)" = '"Chance that this is too little: about 3 % (1 % after 4 runs)."' ]
	[[ $(notes 20261121T020000Z-compute-7-10-0002) == '"Chance that this is too little: 1 to 3 % (1 % after 4 runs)."' ]]
	[ "$(report_value .basis.too_small_after_few recommend)" = 0.01 ]
	[[ $(notes --failures 1/100 20261121T020000Z-compute-7-10-0001) == '"Another run may need more."' ]]
	run_of 5 1000
	[ -z "$(notes)" ]
	[ "$(report_value .basis.too_small_after_few recommend)" = null ]
	run_of 6 5000
	# One of five requests was too small: P(at most 1 of 5 | share) = 0.05 at a share of 0.6574.
	[ "$(report_value .basis.replay recommend)" = '{"runs":5,"too_small":1,"too_small_at_most":0.6574,"reserved_less":null}' ]
	[ "$(report_value '.basis.text[1]' recommend)" = '"Checked on 5 earlier runs: too little once."' ]
}

@test "recommend: JSON has the documented keys" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value keys_unsorted recommend)" = '["resources","basis","server","cost","notes"]' ]
	[ "$(report_value '.resources | keys_unsorted' recommend)" = '["cpu","memory","gpu","vram","seconds","disk"]' ]
	[ "$(report_value '.basis | keys_unsorted' recommend)" = '["runs","rule","failures","finished","deaths","median","largest","spread","input","by","replay","too_small_after_few","cpu","text"]' ]
	[ "$(report_value '[.server, .cost]' recommend)" = '[null,null]' ]
}

@test "recommend: text fits in 80 columns" {
	make_run 20261121T020000Z-compute-7-10-0001
	report recommend --offline
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *job.R* ]]
	grep -q '^CPUs  *2$' <<<"$output"
	grep -q '^Memory  *640 MiB$' <<<"$output"
	grep -q '^Time  *2 min$' <<<"$output"
	grep -q '^The peak was 300 MiB[.] The request is the largest' <<<"$output"
	grep -q '^- Chance that this is too little' <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

@test "recommend: for a run without figures, prints an error and exits with 1" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	rm "$run"/*.csv
	report recommend --offline
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$run' has no usable data" ]
}

# lines DIALECT: prints the lines to paste. Notes go to stderr.
lines() {
	"$BUILD/rtrack-report" recommend --for "$1" 2>"$BATS_TEST_TMPDIR/notes"
	grep -q '^rtrack-report: note: Chance that this is too little' "$BATS_TEST_TMPDIR/notes"
}

@test "recommend: prints lines to paste into the job file of each tool" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" gpu_usage 1
	[ "$(lines slurm)" = "#SBATCH --cpus-per-task=2
#SBATCH --mem=640M
#SBATCH --gres=gpu:1
#SBATCH --time=2" ]
	[ "$(lines nextflow)" = "cpus 2
memory '640 MB'
accelerator 1
time '2 min'" ]
	[ "$(lines snakemake)" = '    threads: 2
    resources:
        mem_mb=672,
        gpu=1,
        runtime=2,' ]
	[ "$(lines kubernetes)" = 'resources:
  requests:
    cpu: "2"
    memory: 640Mi
  limits:
    memory: 640Mi
    nvidia.com/gpu: 1
# spec of the pod or Job: activeDeadlineSeconds: 120' ]
	[ "$(lines metaflow)" = '@resources(cpu=2, memory=640, gpu=1)
@timeout(seconds=120)' ]
	[ "$(lines batch)" = '"resourceRequirements": [{"type": "VCPU", "value": "2"}, {"type": "MEMORY", "value": "640"}, {"type": "GPU", "value": "1"}]
"timeout": {"attemptDurationSeconds": 120}' ]
	[ "$(lines docker)" = '--cpus=2 --memory=640m --gpus=1' ]
}

@test "recommend --for: each tool in the help works, and unused GPUs are not requested" {
	make_run 20261121T020000Z-compute-7-10-0001
	words=$(sed -n 's/^OPTION(for, 0, "for", "\([^"]*\)".*/\1/p' "$PROJECT/report/commands/options.def" | tr '|' ' ')
	[ "$(wc -w <<<"$words")" -eq 9 ]
	for word in $words; do
		report recommend --for "$word"
		[ "$status" -eq 0 ]
		grep -qE '640|672' <<<"$output"
		fails grep -qiE 'gpu|accelerator' <<<"$output"
	done
}

@test "recommend: requests the time of the first process, not of a server left running" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	sed -i 's/"tracker": {/&"start_ticks": 100, /; s/"stop_time": 1795226404/"stop_time": 1795227000/' "$run/run.json"
	printf '%s\n' '1795227000.000,10,0,0,0,0,50,0,0,,,,1' >>"$run/process.csv"
	[ "$(report_value .totals.wall_seconds show)" = 600 ]
	[ "$(report_value .resources.seconds recommend --offline)" = 120 ]
	# The idle server has no say in the CPUs either.
	[ "$(report_value .resources.cpu recommend --offline)" = 2 ]
}
