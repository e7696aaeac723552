/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a request for schedulers, workflow managers and container engines.
 *
 * Sizes are whole MiB, in the unit that the tool reads as 2^20 bytes: M for sbatch and docker, MB for Nextflow, Mi for
 * Kubernetes; Metaflow and AWS Batch take a bare number. Snakemake uses 10^6 bytes, rounded up. Time limits are whole
 * minutes if the tool uses minutes; docker run has no time limit. */
#define _GNU_SOURCE
#include "report/advice/dialects.h"

#include "report/say/alloc.h"

#include "core/base.h"
#include "report/say/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wanted(double value)
{
	return value > 0;
}

/* -- formats with one line per resource ------------------------------------------------------------ */

static void write_text(FILE *out, const struct resources *resources)
{
	if (wanted(resources->cpu))
		fprintf(out, "CPUs    %.0f\n", resources->cpu);
	if (wanted(resources->memory_mib))
		fprintf(out, "Memory  %s\n", units_figure(UNIT_mib, resources->memory_mib).text);
	if (wanted(resources->gpu))
		fprintf(out, "GPUs    %.0f\n", resources->gpu);
	if (wanted(resources->vram_mib))
		fprintf(out, "VRAM    %s\n", units_figure(UNIT_mib, resources->vram_mib).text);
	if (wanted(resources->seconds))
		fprintf(out, "Time    at most %s\n", units_duration(resources->seconds).text);
	if (wanted(resources->disk_mib))
		fprintf(out, "Disk    at most %s\n", units_figure(UNIT_mib, resources->disk_mib).text);
}

static void write_slurm(FILE *out, const struct resources *resources)
{
	double ranks = resources->ranks > 1 ? resources->ranks : 1;
	double cpus = wanted(resources->cpu) ? ceil(resources->cpu / ranks) : 1; /* CPUs per rank */

	if (wanted(resources->cpu))
		fprintf(out, "#SBATCH --cpus-per-task=%.0f\n", cpus);
	/* Spread ranks are placed differently on each run, so memory is requested per CPU. */
	if (wanted(resources->memory_mib) && resources->spread)
		fprintf(out, "#SBATCH --mem-per-cpu=%.0fM\n", ceil(resources->memory_mib / ranks / cpus));
	else if (wanted(resources->memory_mib))
		fprintf(out, "#SBATCH --mem=%.0fM\n", resources->memory_mib);
	if (wanted(resources->gpu))
		fprintf(out, "#SBATCH --gres=gpu:%.0f\n", resources->gpu);
	if (wanted(resources->seconds))
		fprintf(out, "#SBATCH --time=%.0f\n", resources_minutes(resources));
}

static void write_nextflow(FILE *out, const struct resources *resources)
{
	if (wanted(resources->cpu))
		fprintf(out, "cpus %.0f\n", resources->cpu);
	if (wanted(resources->memory_mib))
		fprintf(out, "memory '%.0f MB'\n", resources->memory_mib);
	if (wanted(resources->gpu))
		fprintf(out, "accelerator %.0f\n", resources->gpu);
	if (wanted(resources->seconds))
		fprintf(out, "time '%.0f min'\n", resources_minutes(resources));
}

/* Indented like the body of a rule, where it is pasted and where indentation matters. */
static void write_snakemake(FILE *out, const struct resources *resources)
{
	if (wanted(resources->cpu))
		fprintf(out, "    threads: %.0f\n", resources->cpu);
	if (!wanted(resources->memory_mib) && !wanted(resources->gpu) && !wanted(resources->seconds))
		return;
	fputs("    resources:\n", out);
	if (wanted(resources->memory_mib))
		fprintf(out, "        mem_mb=%.0f,\n", resources_megabytes(resources));
	if (wanted(resources->gpu))
		fprintf(out, "        gpu=%.0f,\n", resources->gpu);
	if (wanted(resources->seconds))
		fprintf(out, "        runtime=%.0f,\n", resources_minutes(resources));
}

/* Memory and GPUs have equal requests and limits, because they cannot exceed the request; idle CPUs can be used beyond
 * it. The time limit belongs to the pod or the Job rather than the container, so it is written as a comment. */
static void write_kubernetes(FILE *out, const struct resources *resources)
{
	if (!wanted(resources->cpu) && !wanted(resources->memory_mib) && !wanted(resources->gpu))
		return;
	fputs("resources:\n", out);
	if (wanted(resources->cpu) || wanted(resources->memory_mib))
		fputs("  requests:\n", out);
	if (wanted(resources->cpu))
		fprintf(out, "    cpu: \"%.0f\"\n", resources->cpu);
	if (wanted(resources->memory_mib))
		fprintf(out, "    memory: %.0fMi\n", resources->memory_mib);
	if (wanted(resources->memory_mib) || wanted(resources->gpu))
		fputs("  limits:\n", out);
	if (wanted(resources->memory_mib))
		fprintf(out, "    memory: %.0fMi\n", resources->memory_mib);
	if (wanted(resources->gpu))
		fprintf(out, "    nvidia.com/gpu: %.0f\n", resources->gpu);
	if (wanted(resources->seconds))
		fprintf(out, "# spec of the pod or Job: activeDeadlineSeconds: %.0f\n", resources->seconds);
}

/* -- lists of arguments ---------------------------------------------------------------------------- */

struct argument {
	const char *format;
	double value;
};

static void write_list(FILE *out, const char *before, const char *between, const char *after,
	const struct argument *arguments, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!wanted(arguments[i].value))
			continue;
		fputs(any ? between : before, out);
		any = true;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(out, arguments[i].format, arguments[i].value);
#pragma GCC diagnostic pop
	}
	if (any)
		fputs(after, out);
}

static void write_metaflow(FILE *out, const struct resources *resources)
{
	const struct argument arguments[] = {
		{"cpu=%.0f", resources->cpu}, {"memory=%.0f", resources->memory_mib}, {"gpu=%.0f", resources->gpu}};
	write_list(out, "@resources(", ", ", ")\n", arguments, ARRAY_LENGTH(arguments));
	if (wanted(resources->seconds))
		fprintf(out, "@timeout(seconds=%.0f)\n", resources->seconds);
}

static void write_batch(FILE *out, const struct resources *resources)
{
	const struct argument arguments[] = {{"{\"type\": \"VCPU\", \"value\": \"%.0f\"}", resources->cpu},
		{"{\"type\": \"MEMORY\", \"value\": \"%.0f\"}", resources->memory_mib},
		{"{\"type\": \"GPU\", \"value\": \"%.0f\"}", resources->gpu}};
	write_list(out, "\"resourceRequirements\": [", ", ", "]\n", arguments, ARRAY_LENGTH(arguments));
	if (wanted(resources->seconds))
		fprintf(out, "\"timeout\": {\"attemptDurationSeconds\": %.0f}\n", resources->seconds);
}

static void write_docker(FILE *out, const struct resources *resources)
{
	const struct argument arguments[] = {{"--cpus=%.0f", resources->cpu}, {"--memory=%.0fm", resources->memory_mib},
		{"--gpus=%.0f", resources->gpu}};
	write_list(out, "", " ", "\n", arguments, ARRAY_LENGTH(arguments));
}

/* Writes arguments of KubernetesPodOperator, which takes models of the Kubernetes client. */
static void write_airflow(FILE *out, const struct resources *resources)
{
	const struct argument requests[] = {
		{"\"cpu\": \"%.0f\"", resources->cpu}, {"\"memory\": \"%.0fMi\"", resources->memory_mib}};
	const struct argument limits[] = {
		{"\"memory\": \"%.0fMi\"", resources->memory_mib}, {"\"nvidia.com/gpu\": \"%.0f\"", resources->gpu}};

	if (wanted(resources->cpu) || wanted(resources->memory_mib) || wanted(resources->gpu)) {
		fputs("container_resources=k8s.V1ResourceRequirements(", out);
		write_list(out, "requests={", ", ", "}, ", requests, ARRAY_LENGTH(requests));
		write_list(out, "limits={", ", ", "}", limits, ARRAY_LENGTH(limits));
		fputs("),\n", out);
	}
	if (wanted(resources->seconds))
		fprintf(out, "execution_timeout=timedelta(seconds=%.0f),\n", resources->seconds);
}

/* -- the table ------------------------------------------------------------------------------------- */

const struct dialect_name dialect_names[DIALECT_COUNT] = {
	[DIALECT_text] = {"text", "Text"},
	[DIALECT_slurm] = {"slurm", "Slurm"},
	[DIALECT_nextflow] = {"nextflow", "Nextflow"},
	[DIALECT_snakemake] = {"snakemake", "Snakemake"},
	[DIALECT_kubernetes] = {"kubernetes", "Kubernetes"},
	[DIALECT_metaflow] = {"metaflow", "Metaflow"},
	[DIALECT_batch] = {"batch", "AWS Batch"},
	[DIALECT_docker] = {"docker", "Docker"},
	[DIALECT_airflow] = {"airflow", "Airflow"},
};

int dialect_find(const char *word)
{
	for (int i = 0; i < DIALECT_COUNT; i++)
		if (strcmp(dialect_names[i].word, word) == 0)
			return i;
	return -1;
}

char *dialect_lines(const struct resources *resources, enum dialect dialect)
{
	static void (*const writers[DIALECT_COUNT])(FILE *, const struct resources *) = {
		[DIALECT_text] = write_text,
		[DIALECT_slurm] = write_slurm,
		[DIALECT_nextflow] = write_nextflow,
		[DIALECT_snakemake] = write_snakemake,
		[DIALECT_kubernetes] = write_kubernetes,
		[DIALECT_metaflow] = write_metaflow,
		[DIALECT_batch] = write_batch,
		[DIALECT_docker] = write_docker,
		[DIALECT_airflow] = write_airflow,
	};
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	writers[dialect](out, resources);
	xclose_memstream(out);
	return text;
}
