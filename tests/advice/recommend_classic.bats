#!/usr/bin/env bats
# Tests of rtrack-report recommend --rule classic: the rule of resource-tracker, and its notes on uncertain requests
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

resources() {
	report_value '.resources | [.cpu, .memory, .gpu, .vram]' recommend --rule classic "$@"
}

notes() {
	report_value '.notes[]' recommend --rule classic --offline "$@" | grep -v 'prices were not asked for' || true
}

@test "recommend --rule classic: requests the mean CPUs and the peak memory plus 20 %" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	[ "$(resources)" = '[2,512,0,0]' ]
	set_column "$run/process.csv" cpu_usage 2.5
	set_column "$run/process.csv" memory_mib 3107
	[ "$(resources)" = '[2,4096,0,0]' ]
	set_column "$run/process.csv" cpu_usage 3.5
	[ "$(resources)" = '[4,4096,0,0]' ]
	set_column "$run/process.csv" cpu_usage 0.1
	[ "$(resources)" = '[1,4096,0,0]' ]
}

@test "recommend --rule classic: requests GPUs only if some were used" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" gpu_usage 0 0.2 1.6 0
	set_column "$run/process.csv" gpu_vram_mib 0 900
	[ "$(resources)" = '[2,512,2,2048]' ]
	set_column "$run/process.csv" gpu_usage 0
	set_column "$run/process.csv" gpu_vram_mib 0
	[ "$(resources)" = '[2,512,0,0]' ]
}

@test "recommend --rule classic: uses peaks that were reached between two samples" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/exit.csv" peak_rss_mib 4.5 5.5 5000
	[ "$(resources)" = '[2,6144,0,0]' ]
}

@test "recommend --rule classic: uses the largest peak and mean CPUs of up to six runs" {
	first=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$first/process.csv" cpu_usage 8
	set_column "$first/exit.csv" peak_rss_mib 4.5 5.5 5000
	make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60
	[ "$(resources)" = '[5,6144,0,0]' ]
	[ "$(report_value .basis.runs recommend --rule classic)" = 2 ]
	[ "$(report_value .basis.runs recommend --rule classic --runs 1)" = 2 ]
	for i in 2 3 4 5 6; do
		make_run "20261121T02010${i}Z-compute-7-10-000$i" finished job.R "6$i"
	done
	make_run 20261121T020200Z-compute-7-10-0009 finished job.R 120
	[ "$(resources)" = '[2,512,0,0]' ]
	[ "$(report_value .basis.runs recommend --rule classic)" = 6 ]
	[ "$(resources --runs 9)" = '[2,6144,0,0]' ]
}

@test "recommend --rule classic: a note says if the request is based on a single run" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(notes)" = '"Another run may need more."' ]
	make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60
	[ -z "$(notes)" ]
}

@test "recommend --rule classic: uses the peaks of a failed run, but not its means" {
	make_run 20261121T020000Z-compute-7-10-0001
	failed=$(make_run 20261121T020100Z-compute-7-10-0002 failed job.R 60)
	set_column "$failed/process.csv" cpu_usage 8
	set_column "$failed/process.csv" memory_mib 3000
	[ "$(resources)" = '[2,4096,0,0]' ]
	[ "$(notes)" = '"This run failed with exit status 3: its peaks count, its means do not."' ]
	rm -r "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0001"
	[ "$(resources)" = '[8,4096,0,0]' ]
	[[ $(notes) == *'failed with exit status 3: it may have needed more later'* ]]
}

@test "recommend --rule classic: a job that filled its limit gets 50 % more memory" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_memory_limit_mib 301
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'filled its limit, 301 MiB: the request is at least 1.5 times as much'* ]]
	set_column "$run/process.csv" memory_mib 2000
	set_column "$run/system.csv" cgroup_memory_limit_mib 2048
	[ "$(resources)" = '[2,3072,0,0]' ]
}

@test "recommend --rule classic: a job killed near its limit gets 50 % more memory" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 killed)
	set_column "$run/process.csv" memory_mib 1800
	[ "$(resources)" = '[2,3072,0,0]' ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 2200
	[ "$(resources)" = '[2,4096,0,0]' ]
	[[ $(notes) == *'was killed (SIGKILL) near its limit, 2.15 GiB'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib 4000
	[ "$(resources)" = '[2,3072,0,0]' ]
}

@test "recommend --rule classic: a job killed by the kernel gets 50 % more memory" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_oom_kills 0 1 0
	set_column "$run/system.csv" cgroup_memory_limit_mib 1000
	[ "$(resources)" = '[2,2048,0,0]' ]
	[[ $(notes) == *'A process ran out of memory at its limit, 1000 MiB: the request is at least 1.5'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib ''
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'ran out of memory at its peak, 300 MiB: the request is at least 1.5'* ]]
	set_column "$run/system.csv" cgroup_oom_kills 0
	[[ $(notes) != *kernel* ]]
}

@test "recommend --rule classic: a limit reached only by page cache gives a note" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_memory_limit_mib 1000
	set_column "$run/system.csv" cgroup_memory_mib 999
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'With its page cache the job was at its limit, 1000 MiB'* ]]
}

@test "recommend --rule classic: a job slowed by its CPU limit gets a note" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cpu_throttled 0.5
	[[ $(notes) == *'held back by its CPU limit for 2 s'* ]]
}

@test "recommend --rule classic: JSON has resource-tracker's keys, and no run time" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value '[.resources, .basis]' recommend --rule classic)" = '[{"cpu":2,"memory":512,"gpu":0,"vram":0,"seconds":null},{"runs":1,"rule":"mean CPU usage, rounded; peak memory plus 20 %, rounded up"}]' ]
	[ "$("$BUILD/rtrack-report" recommend --rule classic --for slurm 2>/dev/null)" = "#SBATCH --cpus-per-task=2
#SBATCH --mem=512M" ]
}
