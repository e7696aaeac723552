/* SPDX-License-Identifier: Apache-2.0 */
/* Job files for schedulers and containers: Slurm, Kubernetes, AWS Batch and Docker. */
#define _GNU_SOURCE
#include "report/advice/dialect_writers.h"
#include "report/say/json.h"

#include <stdlib.h>
#include <string.h>

/* Writes the tool's lines for one job, each with a prefix. */
static void write_lines(FILE *out, const struct resources *resources, enum dialect dialect, const char *before)
{
	char *lines = dialect_lines(resources, dialect);

	for (const char *line = lines ? lines : ""; *line; line += strcspn(line, "\n") + 1)
		fprintf(out, "%s%.*s\n", before, (int)strcspn(line, "\n"), line);
	free(lines);
}

/* -- Slurm ----------------------------------------------------------------------------------------- */

/* Writes a word in single quotes, within which a shell expands nothing. */
static void write_word(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc((unsigned char)*text < ' ' && *text != '\t' ? '?' : *text, out);
	}
	fputc('\'', out);
}

/* sbatch reads #SBATCH only up to the first command of a script, so lines inside a function do not affect the file
 * itself. */
void writers_slurm(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("#!/bin/sh\n"
	      "# As arguments:     sbatch $(. ./FILE; rtrack_arguments JOB) script.sh\n"
	      "# As lines to paste: . ./FILE; rtrack_lines JOB\n\n"
	      "rtrack_lines() {\n\tcase $1 in\n",
		out);
	for (size_t i = 0; i < count; i++) {
		fputc('\t', out);
		write_word(out, jobs[i].name);
		fputs(") cat <<'END' ;;\n", out);
		write_lines(out, &jobs[i].resources, DIALECT_slurm, "");
		fputs("END\n", out);
	}
	fputs("\t*) return 1 ;;\n\tesac\n}\n\n"
	      "rtrack_arguments() {\n\trtrack_lines \"$1\" | sed 's/^#SBATCH //'\n}\n",
		out);
}

/* -- Kubernetes ------------------------------------------------------------------------------------ */

/* Container names are RFC 1123 labels: up to 63 of a-z, 0-9 and '-'. */
void writers_name_kubernetes(const char *name, char text[WRITERS_NAME_SIZE])
{
	writers_name(name, "-", true, text);
}

void writers_kubernetes(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[WRITERS_NAME_SIZE];

	fputs("# kustomization.yaml: patchesStrategicMerge: [FILE]\n"
	      "# For Jobs of these names with one container of the same name; another kind or name is to be put in.\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		writers_name_kubernetes(jobs[i].name, name);
		fputs("---\n# ", out);
		writers_comment(out, jobs[i].name);
		fprintf(out, "\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: \"%s\"\nspec:\n", name);
		if (resources->seconds > 0)
			fprintf(out, "  activeDeadlineSeconds: %.0f\n", resources->seconds);
		fprintf(out, "  template:\n    spec:\n      containers:\n      - name: \"%s\"\n", name);
		struct resources container = *resources;
		container.seconds = 0;
		write_lines(out, &container, DIALECT_kubernetes, "        ");
	}
}

/* -- AWS Batch ------------------------------------------------------------------------------------- */

/* "Up to 128 letters (uppercase and lowercase), numbers, hyphens, and underscores" (SubmitJob, jobName). */
void writers_name_batch(const char *name, char text[WRITERS_NAME_SIZE])
{
	writers_name(name, "-_", false, text);
}

/* Each line is a member of an object; the first line goes into containerOverrides. */
void writers_batch(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[WRITERS_NAME_SIZE];

	fputs("{\n", out);
	for (size_t i = 0; i < count; i++) {
		struct resources container = jobs[i].resources;
		struct resources rest = {.seconds = container.seconds};
		container.seconds = 0;
		char *requirements = dialect_lines(&container, DIALECT_batch);
		char *timeout = dialect_lines(&rest, DIALECT_batch);
		writers_name_batch(jobs[i].name, name);
		fputs("  ", out);
		json_put_string(out, jobs[i].name);
		fprintf(out, ": {\n    \"jobName\": \"%s\"", name);
		if (requirements && *requirements)
			fprintf(out, ",\n    \"containerOverrides\": {%.*s}", (int)strcspn(requirements, "\n"),
				requirements);
		if (timeout && *timeout)
			fprintf(out, ",\n    %.*s", (int)strcspn(timeout, "\n"), timeout);
		fprintf(out, "\n  }%s\n", i + 1 < count ? "," : "");
		free(requirements);
		free(timeout);
	}
	fputs("}\n", out);
}

/* -- Docker ---------------------------------------------------------------------------------------- */

/* Service names, by the schema of compose files. */
void writers_name_docker(const char *name, char text[WRITERS_NAME_SIZE])
{
	writers_name(name, "-_.", false, text);
}

void writers_docker(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[WRITERS_NAME_SIZE];

	fputs("# docker compose -f compose.yaml -f FILE up; above each service the arguments of docker "
	      "run\nservices:\n",
		out);
	if (count == 0)
		fputs("  {}\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		writers_name_docker(jobs[i].name, name);
		fputs("  # ", out);
		writers_comment(out, jobs[i].name);
		fputc('\n', out);
		write_lines(out, resources, DIALECT_docker, "  # docker run ");
		fprintf(out, "  \"%s\":\n    deploy:\n      resources:\n", name);
		bool limited = resources->cpu > 0 || resources->memory_mib > 0;
		fputs(limited ? "        limits:\n" : resources->gpu > 0 ? "" : "        {}\n", out);
		if (resources->cpu > 0)
			fprintf(out, "          cpus: \"%.0f\"\n", resources->cpu);
		if (resources->memory_mib > 0)
			fprintf(out, "          memory: %.0fM\n", resources->memory_mib);
		if (resources->gpu > 0)
			fprintf(out,
				"        reservations:\n          devices:\n          - capabilities: [gpu]\n"
				"            count: %.0f\n",
				resources->gpu);
	}
}
