/* SPDX-License-Identifier: Apache-2.0 */
/* Selects runs by the contents of run.json. */
#include "report/spool/choice.h"

#include "core/pattern.h"
#include "report/spool/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { TICKS_PER_SECOND = 100 }; /* start_ticks are counted in units of 1/USER_HZ seconds, and USER_HZ is 100 */

void script_of(struct script *script, const struct run *run)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	double start = json_double(tracker, "script_start"), parent = json_double(tracker, "script_pid");
	double after = (json_double(tracker, "start_ticks") - start) / TICKS_PER_SECOND;

	*script = (struct script){.start_time = UNKNOWN};
	if (!(start > 0) || !(parent > 0) || *json_string(run->json, "parent"))
		return;
	int length = snprintf(script->name, sizeof script->name, "%.*s-%.0f-%.0f", (int)sizeof script->name / 2,
		run->host, parent, start);
	if (length < 0 || (size_t)length >= sizeof script->name || strpbrk(script->name, "\n\r"))
		*script->name = '\0';
	script->start_time = run->start_time - fmax(after, 0);
}

static bool is_job(const char *wanted, const char *job)
{
	return strcmp(wanted, job) == 0 || pattern_match(text_of(wanted), text_of(job));
}

static bool is_of(const char *group, const struct run *run)
{
	struct script script;

	if (strcmp(json_string(run->json, "group"), group) == 0 || unit_has(group, run))
		return true;
	script_of(&script, run);
	return *script.name && strcmp(script.name, group) == 0;
}

bool choice_wants(const struct choice *choice, const char *job, const char *user, double start_time)
{
	return (!choice->job || is_job(choice->job, job)) && (!choice->user || strcmp(choice->user, user) == 0) &&
	       (!number_known(choice->since) || start_time >= choice->since);
}

bool choice_has(const struct choice *choice, const struct run *run)
{
	return choice_wants(choice, run->job, run->user, run->start_time) &&
	       (!choice->group || is_of(choice->group, run)) && run_has_labels(run, choice->labels);
}

bool choice_takes(const struct choice *choice, const struct runs *runs, const char *name)
{
	struct run run;

	if (!choice->group && !*choice->labels)
		return true;
	if (runs_open(&run, runs, name) != 0) {
		runs_count_unread(runs, name, errno);
		return false;
	}
	bool chosen = choice_has(choice, &run);
	run_close(&run);
	return chosen;
}
