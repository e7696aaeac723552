/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of sampler/run/requested.h: what a job requested, by Slurm's variables and by limits. */
#include "sampler/run/requested.h"

#include "tests/unit/lib/tap.h"

enum { VARIABLES_MAX = 5 };

static const struct {
	const char *what;
	const char *environment[VARIABLES_MAX + 1];
	double limit;
	double cpu_limit;
	struct requested requested;
} cases[] = {
	{"no request", {"PATH=/bin"}, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
	{"a control group's limit", {"PATH=/bin"}, 4096, NAN, {NAN, 4096, NAN, NAN, NAN, NAN, NAN}},
	{"--mem, which takes precedence over the limit", {"SLURM_MEM_PER_NODE=8000", "SLURM_CPUS_ON_NODE=4"}, 8192, NAN,
		{4, 8000, NAN, NAN, NAN, NAN, NAN}},
	{"--mem of a step, which is only a limit", {"SLURM_MEM_PER_NODE=8000"}, 800, NAN,
		{NAN, 800, NAN, NAN, NAN, NAN, NAN}},
	{"--mem-per-cpu", {"SLURM_MEM_PER_CPU=2000", "SLURM_CPUS_PER_TASK=3"}, NAN, NAN,
		{3, 6000, NAN, NAN, NAN, NAN, NAN}},
	{"a wrapper's request for its task, which takes precedence over Slurm's",
		{"SLURM_MEM_PER_NODE=8000", "SLURM_CPUS_ON_NODE=4", "RTRACK_REQUEST_CPU=2",
			"RTRACK_REQUEST_MEMORY_MIB=64", "RTRACK_REQUEST_SECONDS=120"},
		NAN, NAN, {2, 64, NAN, 120, NAN, NAN, NAN}},
	{"a wrapper of a task without a memory request", {"RTRACK_REQUEST_CPU=1", "RTRACK_REQUEST_MEMORY_MIB="}, 512,
		NAN, {1, 512, NAN, NAN, NAN, NAN, NAN}},
	{"all CPUs of the node take precedence over those of a task", {"SLURM_CPUS_PER_TASK=3", "SLURM_CPUS_ON_NODE=6"},
		NAN, NAN, {6, NAN, NAN, NAN, NAN, NAN, NAN}},
	{"--mem=0 means the whole node", {"SLURM_MEM_PER_NODE=0"}, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
	{"GPUs by their number", {"SLURM_GPUS_ON_NODE=2", "SLURM_JOB_GPUS=0"}, NAN, NAN,
		{NAN, NAN, 2, NAN, NAN, NAN, NAN}},
	{"GPUs by a list", {"SLURM_JOB_GPUS=0,3,5"}, NAN, NAN, {NAN, NAN, 3, NAN, NAN, NAN, NAN}},
	{"visible GPUs", {"CUDA_VISIBLE_DEVICES=1,3"}, NAN, NAN, {NAN, NAN, 2, NAN, NAN, NAN, NAN}},
	{"GPUs by their UUIDs", {"ROCR_VISIBLE_DEVICES=GPU-1,GPU-22,MIG-3"}, NAN, NAN,
		{NAN, NAN, 3, NAN, NAN, NAN, NAN}},
	{"GPUs after an invalid one are not visible", {"HIP_VISIBLE_DEVICES=0,-1,1"}, NAN, NAN,
		{NAN, NAN, 1, NAN, NAN, NAN, NAN}},
	{"no visible GPU", {"CUDA_VISIBLE_DEVICES="}, NAN, NAN, {NAN, NAN, 0, NAN, NAN, NAN, NAN}},
	{"no GPU, in Slurm's notation", {"CUDA_VISIBLE_DEVICES=NoDevFiles"}, NAN, NAN,
		{NAN, NAN, 0, NAN, NAN, NAN, NAN}},
	{"GPUs of Slurm take precedence over visible ones", {"SLURM_JOB_GPUS=0", "CUDA_VISIBLE_DEVICES=0,1"}, NAN, NAN,
		{NAN, NAN, 1, NAN, NAN, NAN, NAN}},
	{"a time limit", {"SLURM_JOB_START_TIME=1700000000", "SLURM_JOB_END_TIME=1700003600"}, NAN, NAN,
		{NAN, NAN, NAN, 3600, NAN, NAN, 1700003600}},
	{"a time limit of Torque", {"PBS_WALLTIME=600"}, NAN, NAN, {NAN, NAN, NAN, 600, NAN, NAN, NAN}},
	{"a task's own time", {"RTRACK_REQUEST_SECONDS=60", "SLURM_JOB_END_TIME=1700003600"}, NAN, NAN,
		{NAN, NAN, NAN, 60, NAN, NAN, NAN}},
	{"an end without a start", {"SLURM_JOB_END_TIME=1700003600"}, NAN, NAN,
		{NAN, NAN, NAN, NAN, NAN, NAN, 1700003600}},
	{"nonsense",
		{"SLURM_MEM_PER_NODE=lots", "SLURM_CPUS_ON_NODE=-1", "SLURM_JOB_GPUS=", "SLURM_JOB_START_TIME=9",
			"SLURM_JOB_END_TIME=7"},
		NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
	{"a quota of a control group", {"PATH=/bin"}, 4096, 1.5, {1.5, 4096, NAN, NAN, NAN, NAN, NAN}},
	{"CPUs of Slurm, which take precedence over the quota", {"SLURM_CPUS_ON_NODE=4"}, NAN, 3,
		{4, NAN, NAN, NAN, NAN, NAN, NAN}},
	{"two kinds of nodes", {"SLURM_JOB_NUM_NODES=3", "SLURM_JOB_CPUS_PER_NODE=72(x2),36"}, NAN, NAN,
		{NAN, NAN, NAN, NAN, 3, 180, NAN}},
	{"a torn list of CPUs", {"SLURM_JOB_CPUS_PER_NODE=72(x"}, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}},
};

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct requested seen;
		requested_read(
			&seen, (char *const *)(const void *)cases[i].environment, cases[i].limit, cases[i].cpu_limit);
		is_number(seen.cpu, cases[i].requested.cpu, cases[i].what);
		is_number(seen.memory_mib, cases[i].requested.memory_mib, cases[i].what);
		is_number(seen.gpu, cases[i].requested.gpu, cases[i].what);
		is_number(seen.seconds, cases[i].requested.seconds, cases[i].what);
		is_number(seen.nodes, cases[i].requested.nodes, cases[i].what);
		is_number(seen.job_cpu, cases[i].requested.job_cpu, cases[i].what);
		is_number(seen.end_time, cases[i].requested.end_time, cases[i].what);
	}
	return done();
}
