/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the runs inside a pipeline, and sums them by job.
 *
 * The task that made the pipeline fail is found by its labels: two attempts of one task have the same job and the same
 * labels, except for the label "attempt" and for paths, such as the working directory of an attempt. */
#include "report/history/inner_jobs_read.h"

#include "core/number.h"
#include "report/history/digest.h"
#include "report/model/group.h"
#include "report/say/array.h"
#include "report/say/utf8.h"
#include "report/spool/job_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MIB_PER_GIB = 1024, SECONDS_PER_HOUR = 3600;

/* A run inside the pipeline. */
struct task {
	char *directory, *job, *key; /* owned */
	enum outcome outcome;
	double start_time, wall_seconds, cpu_seconds, peak_memory_mib;
	struct asked asked;
	cJSON *labels;    /* owned; NULL until read_labels */
	char attempt[24]; /* label "attempt"; set by read_labels */
};

struct tasks {
	struct task *items;
	size_t count;
};

/* -- reading --------------------------------------------------------------------------------------- */

static void add_task(struct tasks *tasks, const struct task *task, const struct totals *totals)
{
	array_grow(&tasks->items, tasks->count, sizeof *tasks->items);
	struct task *added = &tasks->items[tasks->count++];
	*added = *task;
	added->wall_seconds = totals->wall_seconds;
	added->cpu_seconds = totals->cpu_seconds;
	added->peak_memory_mib = totals->peak_memory_mib;
}

static void add_digest(struct tasks *tasks, const struct digest *digest, char *directory)
{
	const struct use *use = &digest->use;
	struct totals totals = digest_totals(digest);
	const struct task task = {.directory = directory,
		.job = xstrdup(digest->job),
		.key = xstrdup(digest->key),
		.outcome = use->outcome,
		.start_time = digest->start_time,
		.asked = {use->asked_cpus, use->asked_mib, use->asked_gpus, UNKNOWN}};

	add_task(tasks, &task, &totals);
}

/* Adds the runs directly inside a run. They are in the same spool. */
static void add_inner(struct tasks *tasks, const struct model *model)
{
	const char *directory = model->run->directory, *name = text_basename(text_of(directory)).data;
	char *spool = xstrndup(directory, (size_t)(name - directory));
	struct runs runs = {.spool = spool};

	for (size_t i = 0; i < model->inner.count; i++) {
		struct digest digest;
		if (!digest_find(&digest, &runs, model->inner.names[i], NULL, NULL))
			continue;
		add_digest(tasks, &digest, xasprintf("%s%s", spool, model->inner.names[i]));
		digest_free(&digest);
	}
	free(spool);
}

static void add_parts(struct tasks *tasks, const struct group *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct group_part *part = &group->parts[i];
		const struct task task = {.directory = xstrdup(part->run.directory),
			.job = xstrdup(part->run.job),
			.key = job_key(&part->run),
			.outcome = part->outcome,
			.start_time = part->run.start_time,
			.asked = asked_of_run(&part->run)};
		if (part->within) {
			free(task.directory);
			free(task.job);
			free(task.key);
			continue;
		}
		add_task(tasks, &task, &part->totals);
	}
}

static void tasks_free(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++) {
		free(tasks->items[i].directory);
		free(tasks->items[i].job);
		free(tasks->items[i].key);
		cJSON_Delete(tasks->items[i].labels);
	}
	free(tasks->items);
}

/* -- jobs ------------------------------------------------------------------------------------------ */

static bool has_failed(enum outcome outcome)
{
	return outcome != OUTCOME_FINISHED && outcome != OUTCOME_RUNNING && outcome != OUTCOME_UNKNOWN;
}

/* Returns the job of a task, and adds the job if it is new. The search begins at the last job, because consecutive
 * tasks often belong to the same job. */
static struct inner_job *find_job(struct inner_jobs *jobs, const struct task *task)
{
	for (size_t i = jobs->count; i > 0; i--)
		if (strcmp(jobs->items[i - 1].key, task->key) == 0)
			return &jobs->items[i - 1];
	array_grow(&jobs->items, jobs->count, sizeof *jobs->items);
	jobs->items[jobs->count] = (struct inner_job){
		.name = xstrdup(task->job), .key = xstrdup(task->key), .price = UNKNOWN, .costliest_seconds = UNKNOWN};
	return &jobs->items[jobs->count++];
}

static void add_to_job(struct inner_job *job, const struct task *task)
{
	double hours = task->wall_seconds / SECONDS_PER_HOUR, cpus = task->cpu_seconds / task->wall_seconds;

	job->runs++;
	job->failed += has_failed(task->outcome);
	job->cpu_seconds += known_first(task->cpu_seconds, 0);
	job->wall_seconds += known_first(task->wall_seconds, 0);
	job->memory_gib_hours += known_first(task->peak_memory_mib / MIB_PER_GIB * hours, 0);
	job->peak_memory_mib = fmax(job->peak_memory_mib, known_first(task->peak_memory_mib, 0));
	job->cpus = fmax(job->cpus, task->asked.cpus > 0 ? task->asked.cpus : isfinite(cpus) ? cpus : 0);
	job->memory_mib = fmax(job->memory_mib,
		task->asked.memory_mib > 0 ? task->asked.memory_mib : known_first(task->peak_memory_mib, 0));
	job->gpus = fmax(job->gpus, known_first(task->asked.gpus, 0));
}

static int by_cpu(const void *a, const void *b)
{
	const struct inner_job *x = a, *y = b;
	int order = ORDER(y->cpu_seconds, x->cpu_seconds);

	return order != 0 ? order : strcmp(x->key, y->key);
}

/* Several jobs may have one name. Their names then become titles with the directory or the command line. */
static void set_titles(struct inner_jobs *jobs)
{
	struct job_named *named = xcalloc(jobs->count, sizeof *named);

	for (size_t i = 0; i < jobs->count; i++)
		named[i] = (struct job_named){jobs->items[i].key, &jobs->items[i].name};
	job_key_set_titles(named, jobs->count);
	free(named);
}

static void sum_by_job(struct inner_jobs *jobs, const struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->count; i++) {
		const struct task *task = &tasks->items[i];
		struct inner_job *job = find_job(jobs, task);
		add_to_job(job, task);
		add_to_job(&jobs->all, task);
		if (job->costliest && !(task->cpu_seconds > job->costliest_seconds))
			continue;
		free(job->costliest);
		job->costliest = xstrdup(text_basename(text_of(task->directory)).data);
		job->costliest_seconds = task->cpu_seconds;
	}
	array_sort(jobs->items, jobs->count, by_cpu);
	set_titles(jobs);
}

/* -- the first failure ----------------------------------------------------------------------------- */

/* Reads the labels that all attempts of a task have in common, and the number of this attempt. */
static void read_labels(struct task *task)
{
	const cJSON *label;
	struct run run;

	if (task->labels)
		return;
	task->labels = cJSON_CreateObject();
	if (run_open(&run, task->directory) != 0)
		return;
	cJSON_ArrayForEach(label, cJSON_GetObjectItemCaseSensitive(run.json, "labels"))
	{
		if (group_label_names_task(label))
			cJSON_AddStringToObject(task->labels, label->string, label->valuestring);
	}
	snprintf(task->attempt, sizeof task->attempt, "%s", run_label(&run, GROUP_ATTEMPT));
	run_close(&run);
}

static double end_of(const struct task *task)
{
	return task->start_time + known_first(task->wall_seconds, 0);
}

/* Returns whether another attempt of the same task began after this one. */
static bool is_repeated(struct tasks *tasks, struct task *task)
{
	read_labels(task);
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *later = &tasks->items[i];
		if (later == task || !(later->start_time >= end_of(task) - GROUP_FOUND_LATE) ||
			strcmp(later->key, task->key) != 0)
			continue;
		read_labels(later);
		if (cJSON_Compare(later->labels, task->labels, true))
			return true;
	}
	return false;
}

static int by_end(const void *a, const void *b)
{
	const struct task *x = *(const struct task *const *)a, *y = *(const struct task *const *)b;
	int order = ORDER(end_of(x), end_of(y));

	return order != 0 ? order : strcmp(x->directory, y->directory);
}

/* Returns the task that failed first and was not repeated. If all failed tasks were repeated, returns the one that
 * failed last if `any` is set, and otherwise NULL. */
static struct task *find_failed(struct tasks *tasks, bool any)
{
	struct task **failed = xcalloc(tasks->count, sizeof(struct task *)), *found = NULL;
	size_t count = 0;

	for (size_t i = 0; i < tasks->count; i++)
		if (has_failed(tasks->items[i].outcome))
			failed[count++] = &tasks->items[i];
	array_sort_pointers(failed, count, by_end);
	for (size_t i = 0; i < count && !found; i++)
		found = is_repeated(tasks, failed[i]) ? NULL : failed[i];
	if (!found && any && count > 0)
		found = failed[count - 1];
	free(failed);
	return found;
}

/* Returns whether another task of the same job has another value of the label. Such labels name the task. */
static bool tells_apart(struct tasks *tasks, const struct task *task, const cJSON *label)
{
	for (size_t i = 0; i < tasks->count; i++) {
		struct task *other = &tasks->items[i];
		if (other == task || strcmp(other->key, task->key) != 0)
			continue;
		read_labels(other);
		if (strcmp(json_string(other->labels, label->string), label->valuestring) != 0)
			return true;
	}
	return false;
}

/* Appends the labels that name the task, and its attempt: " (sample=3, attempt 2)". */
static void append_labels(char *text, size_t size, struct tasks *tasks, const struct task *task)
{
	enum { VALUE_MOST = 60 /* bytes */ };
	const cJSON *label;
	const char *separator = " (";

	cJSON_ArrayForEach(label, task->labels)
	{
		if (!tells_apart(tasks, task, label))
			continue;
		units_append(text, size, "%s%.*s=%.*s", separator, VALUE_MOST, label->string, VALUE_MOST,
			label->valuestring);
		separator = ", ";
	}
	if (*task->attempt)
		units_append(text, size, "%sattempt %s", separator, task->attempt);
	units_append(text, size, "%s", *task->attempt || *separator == ',' ? ")" : "");
}

/* Appends how a task ended, and the process or the command that failed. */
static void append_cause(char *text, size_t size, const struct model *model)
{
	enum { COMMAND_MOST = 200 /* bytes */ };
	char cause[FAILURE_SIZE], end[256], *command = run_command_line(model->run);
	struct text cut = utf8_cut(text_of(command), COMMAND_MOST);

	outcome_describe(model->outcome, model->run, end, sizeof end);
	units_append(text, size, ": %s", end);
	if (*failure_describe(model->failed, &model->processes, &model->parts, cause))
		units_append(text, size, ": %s", cause);
	else if (cut.length > 0)
		units_append(text, size, ": `%.*s%s`", (int)cut.length, cut.data, command[cut.length] ? "..." : "");
	free(command);
}

static void describe_failure(struct inner_failure *failure, struct tasks *tasks, const struct task *task)
{
	enum { JOB_MOST = 100 /* bytes */ };
	const struct model_wish wish = {.sections = 0};
	struct text job = utf8_cut(text_of(task->job), JOB_MOST);
	struct run run;
	struct model model;

	if (run_open(&run, task->directory) != 0)
		return;
	model_read(&model, &run, &wish);
	failure->id = xstrdup(run.id);
	failure->job = xstrdup(task->job);
	memcpy(failure->attempt, task->attempt, sizeof failure->attempt);
	failure->outcome = model.outcome;
	failure->exit_code = run.exit_code;
	failure->exit_signal = run.exit_signal;
	output_find(&failure->output, &run);
	units_append(failure->text, sizeof failure->text, "%.*s", (int)job.length, job.data);
	append_labels(failure->text, sizeof failure->text, tasks, task);
	append_cause(failure->text, sizeof failure->text, &model);
	model_free(&model);
	run_close(&run);
}

/* -- the pipeline ---------------------------------------------------------------------------------- */

static bool has_several_jobs(const struct tasks *tasks)
{
	for (size_t i = 1; i < tasks->count; i++)
		if (strcmp(tasks->items[i].key, tasks->items[0].key) != 0)
			return true;
	return false;
}

void inner_jobs_read(struct inner_jobs *jobs, const struct model *model)
{
	struct tasks tasks = {.count = 0};

	*jobs = (struct inner_jobs){.all.price = UNKNOWN};
	if (!model->group)
		add_inner(&tasks, model);
	else if (!model->group->script)
		add_parts(&tasks, model->group);
	if (!model->group || has_several_jobs(&tasks))
		sum_by_job(jobs, &tasks);
	if (!model->group)
		jobs->other_cpu_seconds = fmax(known_first(model->totals.cpu_seconds, 0) - jobs->all.cpu_seconds, 0);
	if (jobs->count > 0 && has_failed(model->outcome)) {
		/* A group has no status of its own, so it failed only if a task was not repeated. */
		struct task *failed = find_failed(&tasks, !model->group);
		if (failed)
			describe_failure(&jobs->failure, &tasks, failed);
	}
	tasks_free(&tasks);
}
