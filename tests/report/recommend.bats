#!/usr/bin/env bats
# rtrack-report recommend: the rule, what it says when it is less certain, and the lines to paste.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

resources() {
	report_value '.resources | [.cpu, .memory, .gpu, .vram]' recommend "$@"
}

notes() {
	report_value '.notes[]' recommend --offline "$@" | grep -v 'prices were not asked for' || true
}

# set_column FILE COLUMN VALUE… replaces a column row by row; the last value stays for the further rows.
set_column() {
	local file=$1 column=$2
	shift 2
	awk -F, -v OFS=, -v name="\"$column\"" -v values="$*" '
		BEGIN { count = split(values, value, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; if (!n) { n = NF + 1; $n = name } print; next }
		{ at = NR - 1 < count ? NR - 1 : count; $n = value[at]; print }' "$file" >"$file.new"
	mv "$file.new" "$file"
}

@test "rtrack-report recommend: mean CPUs, and the peak of memory plus 20 %, rounded up" {
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

@test "rtrack-report recommend: GPUs only where some were used" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" gpu_usage 0 0.2 1.6 0
	set_column "$run/process.csv" gpu_vram_mib 0 900
	[ "$(resources)" = '[2,512,2,2048]' ]
	set_column "$run/process.csv" gpu_usage 0
	set_column "$run/process.csv" gpu_vram_mib 0
	[ "$(resources)" = '[2,512,0,0]' ]
}

@test "rtrack-report recommend: a peak that no sample saw counts" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/exit.csv" peak_rss_mib 5000
	[ "$(resources)" = '[2,6144,0,0]' ]
}

@test "rtrack-report recommend: the largest peak and the mean of the means of up to five earlier runs and this one" {
	first=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$first/process.csv" cpu_usage 8
	set_column "$first/exit.csv" peak_rss_mib 5000
	make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60
	[ "$(resources)" = '[5,6144,0,0]' ]
	[ "$(report_value .basis.runs recommend)" = 2 ]
	[ "$(report_value .basis.runs recommend --runs 1)" = 2 ]
	for i in 2 3 4 5 6; do
		make_run "20261121T02010${i}Z-compute-7-10-000$i" finished job.R "6$i"
	done
	make_run 20261121T020200Z-compute-7-10-0009 finished job.R 120
	[ "$(resources)" = '[2,512,0,0]' ]
	[ "$(report_value .basis.runs recommend)" = 6 ]
	[ "$(resources --runs 9)" = '[2,6144,0,0]' ]
}

@test "rtrack-report recommend: a note when it rests on one run, and none when on two" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(notes)" = '"This rests on one run: another may need more."' ]
	make_run 20261121T020100Z-compute-7-10-0002 finished job.R 60
	[ -z "$(notes)" ]
}

@test "rtrack-report recommend: a failed run gives its peaks, and its means only when there is no other" {
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

@test "rtrack-report recommend: a job that filled its limit is advised half as much again" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_memory_limit_mib 301
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'filled its limit, 301 MiB: the advice is at least 1.5 times as much'* ]]
	set_column "$run/process.csv" memory_mib 2000
	set_column "$run/system.csv" cgroup_memory_limit_mib 2048
	[ "$(resources)" = '[2,3072,0,0]' ]
}

@test "rtrack-report recommend: a job that was killed near its limit is advised half as much again" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 killed)
	set_column "$run/process.csv" memory_mib 1800
	[ "$(resources)" = '[2,3072,0,0]' ]
	set_column "$run/system.csv" cgroup_memory_limit_mib 2200
	[ "$(resources)" = '[2,4096,0,0]' ]
	[[ $(notes) == *'was killed (SIGKILL) near its limit, 2.15 GiB'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib 4000
	[ "$(resources)" = '[2,3072,0,0]' ]
}

@test "rtrack-report recommend: a job of which the kernel killed a process is advised half as much again" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_oom_kills 0 1 0
	set_column "$run/system.csv" cgroup_memory_limit_mib 1000
	[ "$(resources)" = '[2,2048,0,0]' ]
	[[ $(notes) == *'The kernel killed a process for lack of memory at its limit, 1000 MiB: the advice is at least 1.5'* ]]
	set_column "$run/system.csv" cgroup_memory_limit_mib ''
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'for lack of memory at its peak, 300 MiB: the advice is at least 1.5'* ]]
	set_column "$run/system.csv" cgroup_oom_kills 0
	[[ $(notes) != *kernel* ]]
}

@test "rtrack-report recommend: a limit that only the page cache reached is a note" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cgroup_memory_limit_mib 1000
	set_column "$run/system.csv" cgroup_memory_mib 999
	[ "$(resources)" = '[2,512,0,0]' ]
	[[ $(notes) == *'With its page cache the job was at its limit, 1000 MiB'* ]]
}

@test "rtrack-report recommend: a job that its CPU limit held back is told so" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/system.csv" cpu_throttled 0.5
	[[ $(notes) == *'held back by its CPU limit for 2 s'* ]]
}

@test "rtrack-report recommend: JSON has the keys that the design fixes" {
	make_run 20261121T020000Z-compute-7-10-0001
	[ "$(report_value keys_unsorted recommend)" = '["resources","basis","server","cost","notes"]' ]
	[ "$(report_value '.basis | keys_unsorted' recommend)" = '["runs","rule"]' ]
	[ "$(report_value '[.server, .cost]' recommend)" = '[null,null]' ]
}

@test "rtrack-report recommend: text, at 80 columns" {
	make_run 20261121T020000Z-compute-7-10-0001
	report recommend --offline
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *job.R* ]]
	grep -q '^CPUs  *2$' <<<"$output"
	grep -q '^Memory  *512 MiB$' <<<"$output"
	grep -q '^- This rests on one run' <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

@test "rtrack-report recommend: a run without figures is status 1" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	rm "$run"/*.csv
	report recommend --offline
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no usable data in '$run'" ]
}

# lines DIALECT: what there is to paste; the notes are on stderr.
lines() {
	"$BUILD/rtrack-report" recommend --for "$1" 2>"$BATS_TEST_TMPDIR/notes"
	grep -q '^rtrack-report: note: This rests on one run' "$BATS_TEST_TMPDIR/notes"
}

@test "rtrack-report recommend: the lines of every dialect" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	set_column "$run/process.csv" gpu_usage 1
	[ "$(lines slurm)" = "#SBATCH --cpus-per-task=2
#SBATCH --mem=512M
#SBATCH --gres=gpu:1" ]
	[ "$(lines nextflow)" = "cpus 2
memory '512 MB'
accelerator 1" ]
	[ "$(lines snakemake)" = '    threads: 2
    resources:
        mem_mb=537,
        gpu=1,' ]
	[ "$(lines kubernetes)" = 'resources:
  requests:
    cpu: "2"
    memory: 512Mi
  limits:
    memory: 512Mi
    nvidia.com/gpu: 1' ]
	[ "$(lines metaflow)" = '@resources(cpu=2, memory=512, gpu=1)' ]
	[ "$(lines batch)" = '"resourceRequirements": [{"type": "VCPU", "value": "2"}, {"type": "MEMORY", "value": "512"}, {"type": "GPU", "value": "1"}]' ]
	[ "$(lines docker)" = '--cpus=2 --memory=512m --gpus=1' ]
}

@test "rtrack-report recommend: every dialect that the help names gives lines, and no GPU where none is wanted" {
	make_run 20261121T020000Z-compute-7-10-0001
	words=$(sed -n 's/^OPTION(for, 0, "for", "\([^"]*\)".*/\1/p' "$PROJECT/report/commands/options.def" | tr '|' ' ')
	[ "$(wc -w <<<"$words")" -eq 8 ]
	for word in $words; do
		report recommend --for "$word"
		[ "$status" -eq 0 ]
		grep -qE '512|537' <<<"$output"
		fails grep -qiE 'gpu|accelerator' <<<"$output"
	done
}
