/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the runs inside a pipeline, summed by job, as text and JSON. */
#include "report/model/inner_jobs.h"

#include "core/number.h"
#include "report/say/units.h"

#include <stdlib.h>
#include <string.h>

double inner_job_share(const struct inner_jobs *jobs, const struct inner_job *job)
{
	double all = known_first(jobs->all.cpu_seconds, 0) + known_first(jobs->other_cpu_seconds, 0);

	return all > 0 ? job->cpu_seconds / all : UNKNOWN;
}

const char *inner_jobs_describe(const struct inner_jobs *jobs, char text[INNER_JOBS_SIZE])
{
	enum { NAMED = 3, NAME_MOST = 60 /* bytes */ };

	*text = '\0';
	for (size_t i = 0; i < jobs->count && i < NAMED; i++) {
		const struct inner_job *job = &jobs->items[i];
		units_append(text, INNER_JOBS_SIZE, "%s%.*s %s (%s)", i > 0 ? ", " : "", NAME_MOST, job->name,
			units_duration(job->cpu_seconds).text, units_whole_percent(inner_job_share(jobs, job)).text);
	}
	if (jobs->count > NAMED)
		units_append(text, INNER_JOBS_SIZE, ", %zu more", jobs->count - NAMED);
	return text;
}

cJSON *inner_jobs_json(const struct inner_jobs *jobs)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < jobs->count; i++) {
		const struct inner_job *job = &jobs->items[i];
		cJSON *object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "job", job->name);
		cJSON_AddNumberToObject(object, "runs", (double)job->runs);
		cJSON_AddNumberToObject(object, "failed", (double)job->failed);
		json_add_number(object, "cpu_seconds", job->cpu_seconds, 6);
		json_add_number(object, "share", inner_job_share(jobs, job), 4);
		json_add_number(object, "memory_gib_hours", job->memory_gib_hours, 9);
		json_add_number(object, "wall_seconds", job->wall_seconds, 3);
		json_add_number(object, "peak_memory_mib", job->peak_memory_mib, 3);
		json_add_number(object, "price", job->price, 6);
		json_add_string(object, "currency", number_known(job->price) ? jobs->currency : NULL);
		cJSON_AddStringToObject(object, "costliest_run", job->costliest);
		cJSON_AddItemToArray(list, object);
	}
	return list;
}

cJSON *inner_failure_json(const struct inner_failure *failure)
{
	if (!failure->id)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	cJSON_AddStringToObject(object, "id", failure->id);
	cJSON_AddStringToObject(object, "job", failure->job);
	json_add_string(object, "attempt", failure->attempt);
	cJSON_AddStringToObject(object, "outcome", outcome_key(failure->outcome));
	json_add_number(object, "exit_code", failure->exit_code, 0);
	json_add_number(object, "exit_signal", failure->exit_signal, 0);
	cJSON_AddStringToObject(object, "text", failure->text);
	cJSON_AddItemToObject(object, "output", output_json(&failure->output));
	return object;
}

void inner_jobs_free(struct inner_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++) {
		free(jobs->items[i].name);
		free(jobs->items[i].key);
		free(jobs->items[i].costliest);
	}
	free(jobs->items);
	free(jobs->failure.id);
	free(jobs->failure.job);
	*jobs = (struct inner_jobs){0};
}
