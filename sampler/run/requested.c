/* What was asked for on behalf of a run; see requested.h. */
#include "sampler/run/requested.h"

/* A variable that is a number above 0, which --mem=0, for all there is, is not. */
static double variable(char *const *environment, const char *name)
{
	const char *value = environment_get(environment, name);
	double number;
	return value && number_read(text_of(value), &number) == 0 && number > 0 ? number : UNKNOWN;
}

/* How many commas and one more. */
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

void requested_read(struct requested *requested, char *const *environment, double memory_limit_mib, double cpu_limit)
{
	double per_cpu = variable(environment, "SLURM_MEM_PER_CPU");
	double start = variable(environment, "SLURM_JOB_START_TIME");
	double end = variable(environment, "SLURM_JOB_END_TIME");

	requested->cpu =
		known_first(variable(environment, "SLURM_CPUS_ON_NODE"), variable(environment, "SLURM_CPUS_PER_TASK"));
	requested->memory_mib = variable(environment, "SLURM_MEM_PER_NODE");
	if (!number_known(requested->memory_mib))
		requested->memory_mib = per_cpu * requested->cpu;
	if (!number_known(requested->memory_mib))
		requested->memory_mib = memory_limit_mib;
	if (!number_known(requested->cpu))
		requested->cpu = cpu_limit;
	requested->gpu =
		known_first(variable(environment, "SLURM_GPUS_ON_NODE"), listed(environment, "SLURM_JOB_GPUS"));
	requested->seconds = end > start ? end - start : UNKNOWN;
}
