/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the resources that were requested for a run. */
#include "sampler/run/requested.h"

/* Returns the value of a variable if it is a number above 0, otherwise UNKNOWN. A 0 is not an amount, because Slurm's
 * --mem=0 requests all memory. */
static double variable(char *const *environment, const char *name)
{
	const char *value = environment_get(environment, name);
	double number;
	return value && number_read(text_of(value), &number) == 0 && number > 0 ? number : UNKNOWN;
}

/* Returns the number of comma-separated items. */
static double listed(char *const *environment, const char *name)
{
	const char *value = environment_get(environment, name);
	double count = 1;
	if (!value || value[0] == '\0')
		return UNKNOWN;
	for (; *value; value++)
		count += *value == ',';
	return count;
}

/* Parses the CPUs per node of SLURM_JOB_CPUS_PER_NODE, such as "72(x2),36". */
static double listed_cpus(char *const *environment)
{
	const char *value = environment_get(environment, "SLURM_JOB_CPUS_PER_NODE");
	struct text list = value ? text_of(value) : TEXT("");
	double sum = UNKNOWN;

	for (size_t at = 0; at < list.length;) {
		size_t end = text_find(list, ',', at), bracket = text_find((struct text){list.data, end}, '(', at);
		double cpus, times = 1;
		bool whole = bracket == end || (bracket + 3 < end && list.data[end - 1] == ')');
		if (!whole || number_read((struct text){list.data + at, bracket - at}, &cpus) != 0 ||
			(bracket < end &&
				number_read((struct text){list.data + bracket + 2, end - bracket - 3}, &times) != 0))
			return UNKNOWN;
		known_add(&sum, cpus * times);
		at = end + 1;
	}
	return sum;
}

/* Returns the number of GPUs in a list of visible GPUs. An entry that is no GPU, such as -1 or NoDevFiles, ends the
 * list. */
static double visible(char *const *environment)
{
	static const char *const names[] = {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"};
	double count = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		const char *value = environment_get(environment, names[i]);
		if (!value)
			continue;
		struct text list = text_of(value);
		for (size_t at = 0; at < list.length; at = text_find(list, ',', at) + 1) {
			struct text entry = {list.data + at, list.length - at};
			if ((entry.data[0] < '0' || entry.data[0] > '9') && !text_starts(entry, "GPU-") &&
				!text_starts(entry, "MIG-"))
				break;
			count++;
		}
		return count;
	}
	return UNKNOWN;
}

void requested_read(struct requested *requested, char *const *environment, double memory_limit_mib, double cpu_limit)
{
	double per_cpu = variable(environment, "SLURM_MEM_PER_CPU");
	double start = variable(environment, "SLURM_JOB_START_TIME");
	double end = variable(environment, "SLURM_JOB_END_TIME");

	/* A wrapper sets RTRACK_REQUEST_* for the task itself, for example in Nextflow. These variables take precedence
	 * over the variables of the enclosing Slurm job. */
	requested->cpu = known_first(variable(environment, "RTRACK_REQUEST_CPU"),
		known_first(variable(environment, "SLURM_CPUS_ON_NODE"), variable(environment, "SLURM_CPUS_PER_TASK")));
	requested->memory_mib = known_first(variable(environment, "SLURM_MEM_PER_NODE"), per_cpu * requested->cpu);
	/* A Slurm step inherits the variables of its job. If the step requests less than the job, its limit is lower,
	 * so the limit is used. */
	if (!number_known(requested->memory_mib) || memory_limit_mib < requested->memory_mib)
		requested->memory_mib = memory_limit_mib;
	requested->memory_mib = known_first(variable(environment, "RTRACK_REQUEST_MEMORY_MIB"), requested->memory_mib);
	if (!number_known(requested->cpu))
		requested->cpu = cpu_limit;
	requested->gpu =
		known_first(variable(environment, "SLURM_GPUS_ON_NODE"), listed(environment, "SLURM_JOB_GPUS"));
	requested->gpu = known_first(requested->gpu, visible(environment));
	requested->nodes = variable(environment, "SLURM_JOB_NUM_NODES");
	requested->job_cpu = listed_cpus(environment);
	/* PBS_WALLTIME is Torque's time limit in seconds. */
	double seconds = known_first(end > start ? end - start : UNKNOWN, variable(environment, "PBS_WALLTIME"));
	double task_seconds = variable(environment, "RTRACK_REQUEST_SECONDS");
	requested->seconds = known_first(task_seconds, seconds);
	requested->end_time = number_known(task_seconds) || start >= end ? UNKNOWN : end;
}
