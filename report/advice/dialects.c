/* SPDX-License-Identifier: Apache-2.0 */
/* Formats requests for schedulers, workflow managers and container engines: the lines of one job, and a file of many.
 *
 * Sizes are whole MiB, in the unit that the tool reads as 2^20 bytes: M for sbatch and docker, MB for Nextflow, Mi for
 * Kubernetes; Metaflow and AWS Batch take a bare number. Snakemake uses 10^6 bytes, rounded up. Time limits are whole
 * minutes if the tool uses minutes; docker run has no time limit.
 *
 * A tool may allow fewer names of jobs than rtrack. Where a changed name has the same meaning (Kubernetes, AWS Batch,
 * Docker), the job is renamed. Snakemake's rules are Python names, and a different name is a different rule, so such a
 * job is omitted from the file. A job is also omitted if its new name equals that of an earlier job.
 *
 * In files for tools that count attempts, memory and run time grow with each attempt. If a request was too small, then
 * only an attempt fails, and not the workflow. The files do not set the number of attempts, because the author of the
 * workflow decides it.
 *
 * If a tool runs tasks, its file contains only jobs whose runs have the tool's label "orchestrator". */
#define _GNU_SOURCE
#include "report/advice/dialects.h"

#include "core/base.h"
#include "report/say/array.h"
#include "report/say/json.h"
#include "report/say/units.h"
#include "report/say/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

static bool wanted(double value)
{
	return value > 0;
}

/* -- lists ----------------------------------------------------------------------------------------- */

struct argument {
	const char *format;
	double value;
};

/* Writes each value of the list that is above 0, in its own format. An entry with format NULL ends the list. */
static void write_list(
	FILE *out, const char *before, const char *between, const char *after, const struct argument *arguments)
{
	bool any = false;

	for (; arguments->format; arguments++) {
		if (!wanted(arguments->value))
			continue;
		fputs(any ? between : before, out);
		any = true;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		fprintf(out, arguments->format, arguments->value);
#pragma GCC diagnostic pop
	}
	if (any)
		fputs(after, out);
}

#define LIST(...)                                                                                                      \
	(const struct argument[])                                                                                      \
	{                                                                                                              \
		__VA_ARGS__,                                                                                           \
		{                                                                                                      \
			NULL, 0                                                                                        \
		}                                                                                                      \
	}

/* -- the lines of one job -------------------------------------------------------------------------- */

static void write_text(FILE *out, const struct resources *resources)
{
	char ranks[RESOURCES_RANKS_SIZE];

	if (*resources_describe_ranks(resources, ranks))
		fprintf(out, "CPUs    %s\n", ranks);
	else if (wanted(resources->cpu))
		fprintf(out, "CPUs    %.0f\n", resources->cpu);
	if (wanted(resources->memory_mib))
		fprintf(out, "Memory  %s%s\n", units_figure(UNIT_mib, resources->memory_mib).text,
			resources->spread ? " on each machine" : "");
	if (wanted(resources->gpu))
		fprintf(out, "GPUs    %.0f\n", resources->gpu);
	if (wanted(resources->vram_mib))
		fprintf(out, "VRAM    %s%s\n", units_figure(UNIT_mib, resources->vram_mib).text,
			resources->gpu > 1 ? " together" : "");
	if (wanted(resources->seconds))
		fprintf(out, "Time    %s\n", units_duration(resources->seconds).text);
	if (wanted(resources->disk_mib))
		fprintf(out, "Disk    %s\n", units_figure(UNIT_mib, resources->disk_mib).text);
}

static void write_slurm(FILE *out, const struct resources *resources)
{
	double ranks = resources->ranks > 1 ? resources->ranks : 1;
	double tasks = wanted(resources->rank_cpus) && resources->tasks > 1 ? resources->tasks : 0;
	double cpus = wanted(resources->rank_cpus) ? resources->rank_cpus : resources->cpu; /* CPUs per rank */
	/* Ranks on several machines may be distributed differently in each run, so memory is requested per CPU. */
	double memory = resources->spread ? ceil(resources->memory_mib / ranks / (wanted(cpus) ? cpus : 1))
					  : resources->memory_mib;

	write_list(out, "#SBATCH ", "\n#SBATCH ", "\n",
		LIST({"--ntasks=%.0f", tasks}, {"--cpus-per-task=%.0f", cpus},
			{resources->spread ? "--mem-per-cpu=%.0fM" : "--mem=%.0fM", memory},
			{"--gres=gpu:%.0f", resources->gpu}, {"--time=%.0f", resources_minutes(resources)}));
}

static void write_nextflow(FILE *out, const struct resources *resources)
{
	write_list(out, "", "\n", "\n",
		LIST({"cpus %.0f", resources->cpu}, {"memory '%.0f MB'", resources->memory_mib},
			{"accelerator %.0f", resources->gpu}, {"time '%.0f min'", resources_minutes(resources)}));
}

/* Indents the lines, because they are pasted into the body of a rule, where indentation matters. */
static void write_snakemake(FILE *out, const struct resources *resources)
{
	write_list(out, "", "", "\n", LIST({"    threads: %.0f", resources->cpu}));
	write_list(out, "    resources:\n        ", ",\n        ", ",\n",
		LIST({"mem_mb=%.0f", resources_megabytes(resources)}, {"gpu=%.0f", resources->gpu},
			{"runtime=%.0f", resources_minutes(resources)}));
}

/* The requests of memory and GPUs are also their limits. CPUs have no limit, so that a container can use idle CPUs. The
 * time limit belongs to the pod or the Job, not to the container, so it is written as a comment. */
static void write_kubernetes(FILE *out, const struct resources *resources)
{
	if (!wanted(resources->cpu) && !wanted(resources->memory_mib) && !wanted(resources->gpu))
		return;
	fputs("resources:\n", out);
	write_list(out, "  requests:\n    ", "\n    ", "\n",
		LIST({"cpu: \"%.0f\"", resources->cpu}, {"memory: %.0fMi", resources->memory_mib}));
	write_list(out, "  limits:\n    ", "\n    ", "\n",
		LIST({"memory: %.0fMi", resources->memory_mib}, {"nvidia.com/gpu: %.0f", resources->gpu}));
	if (wanted(resources->seconds))
		fprintf(out, "# spec of the pod or Job: activeDeadlineSeconds: %.0f\n", resources->seconds);
}

static void write_metaflow(FILE *out, const struct resources *resources)
{
	write_list(out, "@resources(", ", ", ")\n",
		LIST({"cpu=%.0f", resources->cpu}, {"memory=%.0f", resources->memory_mib},
			{"gpu=%.0f", resources->gpu}));
	write_list(out, "@timeout(", "", ")\n", LIST({"seconds=%.0f", resources->seconds}));
}

static void write_batch(FILE *out, const struct resources *resources)
{
	write_list(out, "\"resourceRequirements\": [", ", ", "]\n",
		LIST({"{\"type\": \"VCPU\", \"value\": \"%.0f\"}", resources->cpu},
			{"{\"type\": \"MEMORY\", \"value\": \"%.0f\"}", resources->memory_mib},
			{"{\"type\": \"GPU\", \"value\": \"%.0f\"}", resources->gpu}));
	write_list(out, "\"timeout\": {", "", "}\n", LIST({"\"attemptDurationSeconds\": %.0f", resources->seconds}));
}

static void write_docker(FILE *out, const struct resources *resources)
{
	write_list(out, "", " ", "\n",
		LIST({"--cpus=%.0f", resources->cpu}, {"--memory=%.0fm", resources->memory_mib},
			{"--gpus=%.0f", resources->gpu}));
}

/* Writes arguments of Airflow's KubernetesPodOperator. Their values are objects of the Kubernetes client for Python. */
static void write_airflow(FILE *out, const struct resources *resources)
{
	if (wanted(resources->cpu) || wanted(resources->memory_mib) || wanted(resources->gpu)) {
		fputs("container_resources=k8s.V1ResourceRequirements(", out);
		write_list(out, "requests={", ", ", "}, ",
			LIST({"\"cpu\": \"%.0f\"", resources->cpu}, {"\"memory\": \"%.0fMi\"", resources->memory_mib}));
		write_list(out, "limits={", ", ", "}",
			LIST({"\"memory\": \"%.0fMi\"", resources->memory_mib},
				{"\"nvidia.com/gpu\": \"%.0f\"", resources->gpu}));
		fputs("),\n", out);
	}
	write_list(out, "execution_timeout=timedelta(", "", "),\n", LIST({"seconds=%.0f", resources->seconds}));
}

/* -- texts in files -------------------------------------------------------------------------------- */

/* Writes the request of one job in the syntax of the tool. Each line begins with a prefix. */
static void write_lines(FILE *out, const struct resources *resources, enum dialect dialect, const char *before)
{
	char *lines = dialect_lines(resources, dialect);

	for (const char *line = lines; *line; line += strcspn(line, "\n") + 1)
		fprintf(out, "%s%.*s\n", before, (int)strcspn(line, "\n"), line);
	free(lines);
}

/* Writes a text for a comment, with control characters and invalid UTF-8 replaced by '?'. */
static void write_comment(FILE *out, const char *text)
{
	struct text all = text_of(text);

	for (size_t at = 0; at < all.length;) {
		struct utf8_shown shown = utf8_show(all, at, false);
		fputs(shown.code == 0 ? "?" : shown.text, out);
		at += shown.length;
	}
}

/* Converts the name of a job to a name for a tool. Letters, digits and the bytes in `others` are kept; other bytes
 * become '-'. If `lower` is set, letters become lower case. The result is "" if nothing remains. */
static void make_name(const char *name, const char *others, bool lower, char text[NAME_SIZE])
{
	size_t length = 0;

	for (; *name && length < NAME_SIZE - 1; name++) {
		unsigned char byte = (unsigned char)*name;
		bool plain = byte < 128 && (isalnum(byte) || strchr(others, byte));
		/* Every tool requires a letter or digit as the first byte. */
		if (length == 0 && !(byte < 128 && isalnum(byte)))
			continue;
		text[length++] = !plain ? '-' : lower ? (char)tolower(byte) : (char)byte;
	}
	while (length > 0 && !isalnum((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
}

/* -- Slurm ----------------------------------------------------------------------------------------- */

/* Writes a word in single quotes, so that a shell expands nothing in it. */
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

/* The #SBATCH lines are in a function, because sbatch ignores such lines after the first command of a script. If the
 * user submits this file by mistake, no request applies to it. */
static void file_slurm(FILE *out, const struct dialect_job *jobs, size_t count)
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

/* A container name is an RFC 1123 label: at most 63 of the characters a-z, 0-9 and '-'. */
static void name_kubernetes(const char *name, char text[NAME_SIZE])
{
	make_name(name, "-", true, text);
}

static void file_kubernetes(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[NAME_SIZE];

	fputs("# kustomization.yaml: patchesStrategicMerge: [FILE]\n"
	      "# For Jobs of these names with one container of the same name; another kind or name is to be put in.\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		name_kubernetes(jobs[i].name, name);
		fputs("---\n# ", out);
		write_comment(out, jobs[i].name);
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

/* AWS Batch allows "Up to 128 letters (uppercase and lowercase), numbers, hyphens, and underscores" (SubmitJob,
 * jobName). */
static void name_batch(const char *name, char text[NAME_SIZE])
{
	make_name(name, "-_", false, text);
}

/* dialect_lines returns one member of a JSON object per line. The requirements must be in containerOverrides, but the
 * timeout must not, so dialect_lines is called once for each of them. */
static void file_batch(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[NAME_SIZE];

	fputs("{\n", out);
	for (size_t i = 0; i < count; i++) {
		struct resources container = jobs[i].resources;
		struct resources rest = {.seconds = container.seconds};
		container.seconds = 0;
		char *requirements = dialect_lines(&container, DIALECT_batch);
		char *timeout = dialect_lines(&rest, DIALECT_batch);
		name_batch(jobs[i].name, name);
		fputs("  ", out);
		json_put_string(out, jobs[i].name);
		fprintf(out, ": {\n    \"jobName\": \"%s\"", name);
		if (*requirements)
			fprintf(out, ",\n    \"containerOverrides\": {%.*s}", (int)strcspn(requirements, "\n"),
				requirements);
		if (*timeout)
			fprintf(out, ",\n    %.*s", (int)strcspn(timeout, "\n"), timeout);
		fprintf(out, "\n  }%s\n", i + 1 < count ? "," : "");
		free(requirements);
		free(timeout);
	}
	fputs("}\n", out);
}

/* -- Docker ---------------------------------------------------------------------------------------- */

/* Keeps the characters that the schema of compose files allows in the name of a service. */
static void name_docker(const char *name, char text[NAME_SIZE])
{
	make_name(name, "-_.", false, text);
}

static void file_docker(FILE *out, const struct dialect_job *jobs, size_t count)
{
	char name[NAME_SIZE];

	fputs("# docker compose -f compose.yaml -f FILE up; above each service the arguments of docker "
	      "run\nservices:\n",
		out);
	if (count == 0)
		fputs("  {}\n", out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		name_docker(jobs[i].name, name);
		fputs("  # ", out);
		write_comment(out, jobs[i].name);
		fputc('\n', out);
		write_lines(out, resources, DIALECT_docker, "  # docker run ");
		fprintf(out, "  \"%s\":\n    deploy:\n      resources:\n", name);
		if (!wanted(resources->cpu) && !wanted(resources->memory_mib) && !wanted(resources->gpu))
			fputs("        {}\n", out);
		write_list(out, "        limits:\n          ", "          ", "",
			LIST({"cpus: \"%.0f\"\n", resources->cpu}, {"memory: %.0fM\n", resources->memory_mib}));
		write_list(out, "        reservations:\n          devices:\n          - capabilities: [gpu]\n", "", "",
			LIST({"            count: %.0f\n", resources->gpu}));
	}
}

/* -- Nextflow -------------------------------------------------------------------------------------- */

/* Escapes the name of a process for a regular expression within a Groovy string. A control character becomes '.', which
 * matches any character. */
static void write_pattern(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (strchr("\\^$.|?*+()[]{}!", *name))
			fprintf(out, "\\\\%s%c", *name == '\\' ? "\\" : "", *name);
		else if (*name == '\'')
			fputs("\\'", out);
		else if ((unsigned char)*name < ' ')
			fputc('.', out);
		else
			fputc(*name, out);
	}
}

/* A setting in `withName` replaces the author's setting, so the file contains only memory and time. The closures use
 * the exit status of the previous attempt, which is null at the first attempt. Nextflow sets the status 2147483647 if
 * it ended a task at the task's time limit. */
static void file_nextflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("// nextflow.config: includeConfig 'FILE'\n"
	      "// An attempt after exit status 104, 137 or 140 gets more memory. An attempt after 124, 140 or 143, or "
	      "after\n"
	      "// Nextflow's own time limit, gets more time. Each process keeps its own errorStrategy and maxRetries. "
	      "To try\n"
	      "// again after these statuses, add to nextflow.config, for processes that do not set them:\n"
	      "//     process.errorStrategy = { task.exitStatus in [104, 124, 137, 140, 143] ? 'retry' : 'terminate' "
	      "}\n"
	      "//     process.maxRetries = 2\n"
	      "process {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		double memory = resources->memory_mib, minutes = resources_minutes(resources);
		fputs("    withName: '", out);
		write_pattern(out, jobs[i].name);
		fputs("' {\n", out);
		if (wanted(resources->cpu))
			fprintf(out, "        cpus = %.0f\n", resources->cpu);
		if (wanted(memory))
			fprintf(out,
				"        memory = { task.exitStatus in [104, 137, 140] ? %.0f.MB * task.attempt : "
				"%.0f.MB }\n",
				memory, memory);
		if (wanted(minutes))
			fprintf(out,
				"        time = { task.exitStatus in [124, 140, 143, 2147483647] ? %.0f.min * "
				"task.attempt : %.0f.min }\n",
				minutes, minutes);
		fputs("    }\n", out);
	}
	fputs("}\n", out);
}

/* -- Snakemake ------------------------------------------------------------------------------------- */

/* A rule name must be a Python identifier and not a keyword. */
static void name_snakemake(const char *name, char text[NAME_SIZE])
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
	if (length < NAME_SIZE)
		strcpy(text, name);
}

/* Names are quoted, because YAML reads a rule named "on" as a truth value. */
static void write_threads(FILE *out, const struct dialect_job *jobs, size_t count)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!(jobs[i].resources.cpu > 0))
			continue;
		fprintf(out, "%s  \"%s\": %.0f\n", any ? "" : "set-threads:\n", jobs[i].name, jobs[i].resources.cpu);
		any = true;
	}
}

static void file_snakemake(FILE *out, const struct dialect_job *jobs, size_t count)
{
	bool any = false;

	fputs("# snakemake (8 or later) --profile DIRECTORY, and this is config.yaml in it. Memory and run time grow "
	      "with each\n"
	      "# attempt; how many attempts a rule has is set by its own \"retries\", or by --retries.\n",
		out);
	write_threads(out, jobs, count);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		if (!(resources->memory_mib > 0) && !(resources->gpu > 0) && !(resources->seconds > 0))
			continue;
		fprintf(out, "%s  \"%s\":\n", any ? "" : "set-resources:\n", jobs[i].name);
		any = true;
		write_list(out, "    ", "    ", "",
			LIST({"mem_mb: attempt * %.0f\n", resources_megabytes(resources)},
				{"gpu: %.0f\n", resources->gpu},
				{"runtime: attempt * %.0f\n", resources_minutes(resources)}));
	}
}

/* -- Python ---------------------------------------------------------------------------------------- */

/* Writes the key of a dictionary entry. */
static void write_key(FILE *out, const char *name)
{
	fputs("    ", out);
	json_put_string(out, name);
	fputs(": ", out);
}

static void file_metaflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("\"\"\"Above a step, with this file as FILE.py: @resources(**FILE.RESOURCES[\"FLOW/STEP\"]), "
	      "@timeout(**FILE.TIMEOUT[\"FLOW/STEP\"])\"\"\"\n\nRESOURCES = {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		const struct resources *resources = &jobs[i].resources;
		write_key(out, jobs[i].name);
		fputc('{', out);
		write_list(out, "", ", ", "",
			LIST({"\"cpu\": %.0f", resources->cpu}, {"\"memory\": %.0f", resources->memory_mib},
				{"\"gpu\": %.0f", resources->gpu}));
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

/* If tasks run on the worker's machine, the Kubernetes client may be missing. For these tasks, only the time limit has
 * an effect. The KubernetesExecutor merges `pod_override` into the pod of the task, where the container "base" runs the
 * task. */
static void file_airflow(FILE *out, const struct dialect_job *jobs, size_t count)
{
	fputs("\"\"\"Requests of tasks, with this file as FILE.py:\n\n"
	      "BashOperator(task_id=\"TASK\", …, **FILE.TASKS[\"DAG/TASK\"]), and every operator that runs in the "
	      "worker\n"
	      "@task(**FILE.TASKS[\"DAG/TASK\"])\n"
	      "KubernetesPodOperator(task_id=\"TASK\", …, **FILE.REQUESTS[\"DAG/TASK\"])\n\"\"\"\n\n"
	      "from datetime import timedelta\n\n"
	      "try:\n    from kubernetes.client import models as k8s\n"
	      "except ImportError:  # only pods need it\n    k8s = None\n\nREQUESTS = {}\nif k8s:\n    REQUESTS = {\n",
		out);
	for (size_t i = 0; i < count; i++) {
		fputs("    ", out);
		write_key(out, jobs[i].name);
		fputs("dict(\n", out);
		write_lines(out, &jobs[i].resources, DIALECT_airflow, "            ");
		fputs("        ),\n", out);
	}
	fputs("    }\n\nTASKS = {\n", out);
	for (size_t i = 0; i < count; i++) {
		write_key(out, jobs[i].name);
		write_list(out, "dict(execution_timeout=timedelta(", "", ")),\n",
			LIST({"seconds=%.0f", jobs[i].resources.seconds}));
		if (!wanted(jobs[i].resources.seconds))
			fputs("{},\n", out);
	}
	fputs("}\nfor name, request in REQUESTS.items():  # for the KubernetesExecutor; other executors ignore it\n"
	      "    if \"container_resources\" in request:\n"
	      "        base = k8s.V1Container(name=\"base\", resources=request[\"container_resources\"])\n"
	      "        pod = k8s.V1Pod(spec=k8s.V1PodSpec(containers=[base]))\n"
	      "        TASKS[name][\"executor_config\"] = {\"pod_override\": pod}\n",
		out);
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

static const struct {
	void (*write)(FILE *out, const struct resources *resources);
	void (*write_file)(FILE *out, const struct dialect_job *jobs, size_t count);
	/* Stores the name of a job in the tool, or "" if the tool cannot have such a job. The pointer is NULL if the
	 * tool accepts any name. */
	void (*name)(const char *name, char text[NAME_SIZE]);
	/* value of the label "orchestrator" of this tool's tasks, or NULL if the tool can run any job */
	const char *orchestrator;
} tools[DIALECT_COUNT] = {
	[DIALECT_text] = {write_text, NULL, NULL, NULL},
	[DIALECT_slurm] = {write_slurm, file_slurm, NULL, NULL},
	[DIALECT_nextflow] = {write_nextflow, file_nextflow, NULL, "nextflow"},
	[DIALECT_snakemake] = {write_snakemake, file_snakemake, name_snakemake, "snakemake"},
	[DIALECT_kubernetes] = {write_kubernetes, file_kubernetes, name_kubernetes, NULL},
	[DIALECT_metaflow] = {write_metaflow, file_metaflow, NULL, "metaflow"},
	[DIALECT_batch] = {write_batch, file_batch, name_batch, NULL},
	[DIALECT_docker] = {write_docker, file_docker, name_docker, NULL},
	[DIALECT_airflow] = {write_airflow, file_airflow, NULL, "airflow"},
};

int dialect_find(const char *word)
{
	for (int i = 0; i < DIALECT_COUNT; i++)
		if (strcmp(dialect_names[i].word, word) == 0)
			return i;
	return -1;
}

const char *dialect_orchestrator(enum dialect dialect)
{
	return tools[dialect].orchestrator;
}

char *dialect_lines(const struct resources *resources, enum dialect dialect)
{
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	tools[dialect].write(out, resources);
	xclose_memstream(out);
	return text;
}

struct tool_name {
	char text[NAME_SIZE];
	size_t job;
};

static int by_text(const void *first, const void *second)
{
	const struct tool_name *a = first, *b = second;
	int order = strcmp(a->text, b->text);

	return order != 0 ? order : ORDER(a->job, b->job);
}

/* Sets has[i] to whether the tool can have job i: its name is valid, and no earlier job has the same name. */
static void choose(const struct dialect_job *jobs, size_t count, enum dialect dialect, bool *has)
{
	struct tool_name *names = xcalloc(count, sizeof *names);
	size_t named = tools[dialect].name ? count : 0;

	for (size_t i = 0; i < count; i++)
		has[i] = true;
	for (size_t i = 0; i < named; i++) {
		names[i].job = i;
		tools[dialect].name(jobs[i].name, names[i].text);
	}
	array_sort(names, named, by_text);
	for (size_t i = 0; i < named; i++)
		has[names[i].job] = *names[i].text && (i == 0 || strcmp(names[i].text, names[i - 1].text) != 0);
	free(names);
}

char *dialect_file(const struct dialect_job *jobs, size_t count, enum dialect dialect, bool *has)
{
	struct dialect_job *chosen = xcalloc(count, sizeof *chosen);
	char *text = NULL;
	size_t length, taken = 0;
	FILE *out = xopen_memstream(&text, &length);

	choose(jobs, count, dialect, has);
	for (size_t i = 0; i < count; i++)
		if (has[i])
			chosen[taken++] = jobs[i];
	tools[dialect].write_file(out, chosen, taken);
	xclose_memstream(out);
	free(chosen);
	return text;
}
