/* SPDX-License-Identifier: Apache-2.0 */
/* Job files for workflow managers: Nextflow, Snakemake, Metaflow and Airflow.
 *
 * If the tool counts attempts, memory and run time grow with each attempt: a request that was too small then costs an
 * attempt instead of the workflow. */
#define _GNU_SOURCE
#include "report/advice/dialect_writers.h"
#include "report/say/json.h"

#include "core/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { RETRIES = 2 };

/* -- Nextflow -------------------------------------------------------------------------------------- */

/* Escapes the name of a process for a regular expression within a Groovy string. */
static void write_pattern(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (strchr("\\^$.|?*+()[]{}!", *name))
			fprintf(out, "\\\\%s%c", *name == '\\' ? "\\" : "", *name);
		else if (*name == '\'')
			fputs("\\'", out);
		else if ((unsigned char)*name < ' ')
			fputc('?', out);
		else
			fputc(*name, out);
	}
}

void writers_nextflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("// nextflow.config: includeConfig 'FILE'\n"
	      "// A process that ended by 124 (rtrack-run, timeout), 137 or 143 (SIGKILL, SIGTERM) or 140 (grid "
	      "engines)\n"
	      "// runs again, with more.\n"
	      "process {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		fputs("    withName: '", out);
		write_pattern(out, jobs[i].name);
		fputs("' {\n", out);
		if (resources->cpu > 0)
			fprintf(out, "        cpus = %.0f\n", resources->cpu);
		if (resources->memory_mib > 0)
			fprintf(out, "        memory = { %.0f.MB * task.attempt }\n", resources->memory_mib);
		if (resources->gpu > 0)
			fprintf(out, "        accelerator = %.0f\n", resources->gpu);
		if (resources->seconds > 0)
			fprintf(out, "        time = { %.0f.min * task.attempt }\n", resources_minutes(resources));
		if (resources->memory_mib > 0 || resources->seconds > 0)
			fprintf(out,
				"        errorStrategy = { task.exitStatus in [124, 137, 140, 143] ? 'retry' : "
				"'terminate' }\n"
				"        maxRetries = %d\n",
				RETRIES);
		fputs("    }\n", out);
	}
	fputs("}\n", out);
}

/* -- Snakemake ------------------------------------------------------------------------------------- */

/* A rule name must be a Python identifier and not a keyword. */
void writers_name_snakemake(const char *name, char text[WRITERS_NAME_SIZE])
{
	static const char *const words[] = {"False", "None", "True", "and", "as", "assert", "async", "await", "break",
		"class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
		"import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
		"with", "yield"};
	size_t length = strlen(name);

	text[0] = '\0';
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)name[i];
		if (byte >= 128 || !(byte == '_' || (i == 0 ? isalpha(byte) : isalnum(byte))))
			return;
	}
	for (size_t i = 0; i < ARRAY_LENGTH(words); i++)
		if (strcmp(name, words[i]) == 0)
			return;
	if (length < WRITERS_NAME_SIZE)
		strcpy(text, name);
}

static void write_threads(FILE *out, const struct dialect_job *jobs, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!(jobs[i].resources.cpu > 0))
			continue;
		fprintf(out, "%s  %s: %.0f\n", any ? "" : "set-threads:\n", jobs[i].name, jobs[i].resources.cpu);
		any = true;
	}
}

void writers_snakemake(FILE *out, const struct dialect_job *jobs, size_t count)
{
	bool any = false;

	fprintf(out, "# snakemake (8 or later) --profile DIRECTORY, and this is config.yaml in it\nretries: %d\n",
		RETRIES);
	write_threads(out, jobs, count);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		if (!(resources->memory_mib > 0) && !(resources->gpu > 0) && !(resources->seconds > 0))
			continue;
		fprintf(out, "%s  %s:\n", any ? "" : "set-resources:\n", jobs[i].name);
		any = true;
		if (resources->memory_mib > 0)
			fprintf(out, "    mem_mb: attempt * %.0f\n", resources_megabytes(resources));
		if (resources->gpu > 0)
			fprintf(out, "    gpu: %.0f\n", resources->gpu);
		if (resources->seconds > 0)
			fprintf(out, "    runtime: attempt * %.0f\n", resources_minutes(resources));
	}
}

/* -- Python ---------------------------------------------------------------------------------------- */

struct keyword {
	const char *name;
	double value;
};

/* Writes the key of a dictionary entry. */
static void write_key(FILE *out, const char *name)
{
	fputs("    ", out);
	json_put_string(out, name);
	fputs(": ", out);
}

void writers_metaflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("\"\"\"Above a step, with this file as FILE.py: @resources(**FILE.RESOURCES[\"STEP\"]), "
	      "@timeout(**FILE.TIMEOUT[\"STEP\"])\"\"\"\n\nRESOURCES = {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		const struct keyword arguments[] = {
			{"cpu", resources->cpu}, {"memory", resources->memory_mib}, {"gpu", resources->gpu}};
		const char *before = "";
		write_key(out, jobs[i].name);
		fputc('{', out);
		for (size_t k = 0; k < ARRAY_LENGTH(arguments); k++) {
			if (!(arguments[k].value > 0))
				continue;
			fprintf(out, "%s\"%s\": %.0f", before, arguments[k].name, arguments[k].value);
			before = ", ";
		}
		fputs("},\n", out);
	}
	fputs("}\n\nTIMEOUT = {\n", out);
	for (size_t i = 0; i < count; i++) {
		if (!(jobs[i].resources.seconds > 0))
			continue;
		write_key(out, jobs[i].name);
		fprintf(out, "{\"seconds\": %.0f},\n", jobs[i].resources.seconds);
	}
	fputs("}\n", out);
}

void writers_airflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char *lines;

	fputs("\"\"\"KubernetesPodOperator(task_id=\"TASK\", …, **FILE.REQUESTS[\"TASK\"]), with this file as "
	      "FILE.py\"\"\"\n\n"
	      "from datetime import timedelta\n\nfrom kubernetes.client import models as k8s\n\nREQUESTS = {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		lines = dialect_lines(&jobs[i].resources, DIALECT_airflow);
		write_key(out, jobs[i].name);
		fputs("dict(\n", out);
		for (const char *line = lines ? lines : ""; *line; line += strcspn(line, "\n") + 1)
			fprintf(out, "        %.*s\n", (int)strcspn(line, "\n"), line);
		fputs("    ),\n", out);
		free(lines);
	}
	fputs("}\n", out);
}
