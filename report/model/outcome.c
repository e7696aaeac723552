/* SPDX-License-Identifier: Apache-2.0 */
/* Describes how a run ended, in words and as JSON. */
#define _GNU_SOURCE
#include "report/model/outcome.h"

#include "core/number.h"
#include "report/say/units.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *word;
	const char *key;
	const char *preposition;
} outcomes[OUTCOMES] = {
	[OUTCOME_UNKNOWN] = {"unknown", "unknown", "after"},
	[OUTCOME_RUNNING] = {"running", "running", "for"},
	[OUTCOME_FINISHED] = {"finished", "finished", "in"},
	[OUTCOME_FAILED] = {"failed", "failed", "after"},
	[OUTCOME_KILLED] = {"killed", "killed", "after"},
	[OUTCOME_INTERRUPTED] = {"interrupted", "interrupted", "after"},
	[OUTCOME_OUT_OF_MEMORY] = {"out of memory", "out_of_memory", "after"},
	[OUTCOME_OUT_OF_TIME] = {"out of time", "out_of_time", "after"},
};

enum outcome outcome_of(const struct run *run, bool lacked_memory)
{
	static const enum outcome known[] = {
		OUTCOME_RUNNING, OUTCOME_FINISHED, OUTCOME_FAILED, OUTCOME_KILLED, OUTCOME_INTERRUPTED};

	if (lacked_memory || run->lacked_memory || strcmp(run->limit, "memory") == 0)
		return OUTCOME_OUT_OF_MEMORY;
	if (strcmp(run->limit, "seconds") == 0 || run_was_killed_by(run, KILLER_CPU_LIMIT) || run_met_deadline(run))
		return OUTCOME_OUT_OF_TIME;
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(run->status, outcomes[known[i]].key) == 0)
			return known[i] == OUTCOME_FAILED && run->exit_signal > 0 ? OUTCOME_KILLED : known[i];
	return OUTCOME_UNKNOWN;
}

const char *outcome_word(enum outcome outcome)
{
	return outcomes[outcome].word;
}

const char *outcome_key(enum outcome outcome)
{
	return outcomes[outcome].key;
}

enum outcome outcome_of_key(const char *key)
{
	for (int outcome = 0; outcome < OUTCOMES; outcome++)
		if (strcmp(outcomes[outcome].key, key) == 0)
			return (enum outcome)outcome;
	return OUTCOME_UNKNOWN;
}

const char *outcome_preposition(enum outcome outcome)
{
	return outcomes[outcome].preposition;
}

/* Describes how the root ended. If the run ran out of memory, an unknown signal is not mentioned, because the reason
 * is known. */
static void describe_status(enum outcome outcome, const struct run *run, char *text, size_t size)
{
	if (run->exit_signal > 0 && run->exit_signal < 65)
		snprintf(text, size, "killed by signal %d (%s)", (int)run->exit_signal,
			strsignal((int)run->exit_signal));
	else if (run_was_killed_by(run, KILLER_OOM))
		snprintf(text, size, "killed by the kernel");
	else if (strcmp(run->status, "killed") == 0)
		snprintf(text, size, outcome == OUTCOME_OUT_OF_MEMORY ? "killed" : "killed by an unseen signal");
	else if (run_is_lost(run))
		snprintf(text, size, "ended with an unknown status");
	else if (strcmp(run->status, "failed") == 0 && number_known(run->exit_code))
		snprintf(text, size, "failed with exit status %.0f", run->exit_code);
	else if (outcome == OUTCOME_FINISHED && !number_known(run->exit_code) && *run->ends == '\0')
		snprintf(text, size, "finished with an unknown exit status");
	else
		snprintf(text, size, "%s", *run->status ? run->status : "end unknown");
}

void outcome_describe(enum outcome outcome, const struct run *run, char *text, size_t size)
{
	char end[160];

	describe_status(outcome, run, end, sizeof end);
	if (*run->ends)
		snprintf(text, size, "%s; all ended", run->ends);
	else if (strcmp(run->limit, "memory") == 0)
		snprintf(text, size, "out of memory, ended by --max-memory (%s)",
			units_figure(UNIT_mib, run->limit_memory_mib).text);
	else if (outcome == OUTCOME_OUT_OF_MEMORY)
		snprintf(text, size, "out of memory, %s", end);
	else if (strcmp(run->limit, "seconds") == 0)
		snprintf(text, size, "ended by --max-seconds (%s)", units_duration(run->limit_seconds).text);
	else if (run_was_killed_by(run, KILLER_CPU_LIMIT))
		snprintf(text, size, "out of CPU time (ulimit -t), %s", end);
	else if (outcome == OUTCOME_OUT_OF_TIME)
		snprintf(text, size, "out of time (%s requested), %s", units_duration(run_asked(run, "seconds")).text,
			end);
	else
		snprintf(text, size, "%s", end);
}

void outcome_describe_rest(
	const struct run *run, double end_seconds, double wall_seconds, double living, char *text, size_t size)
{
	*text = '\0';
	if (living > 0)
		snprintf(text, size, "; %s process%s on", units_figure(UNIT_count, living).text,
			living > 1 ? "es go" : " goes");
	else if (end_seconds < wall_seconds)
		snprintf(text, size, "; its processes went on until %s", units_duration(wall_seconds).text);
	units_append(text, size, "%s", run->retries);
}

void outcome_describe_silence(const struct run *run, char *text, size_t size)
{
	*text = '\0';
	if (run->silent_seconds > 0)
		snprintf(text, size, "; no row for %s", units_duration(run->silent_seconds).text);
}

/* -- the available memory -------------------------------------------------------------------------- */

struct memory_limit memory_limit_of(const struct run *run, const struct series *system)
{
	double group = series_max(system, SYSTEM_cgroup_memory_limit_mib);
	double own = run->limit_memory_mib > 0 ? run->limit_memory_mib : UNKNOWN;
	double asked = run_asked(run, "memory_mib");

	/* rtrack-run sets the limit of its own control group to a quarter above --max-memory, so the run reaches
	 * --max-memory first. */
	bool of_group = group > 0 && !(group >= own);
	if (of_group)
		own = group;
	if (own > 0 && !(own >= run->machine_memory_mib))
		return (struct memory_limit){.mib = own, .own = true, .of_group = of_group};
	if (asked > 0 && !(asked >= run->machine_memory_mib))
		return (struct memory_limit){.mib = asked, .requested = true};
	return (struct memory_limit){.mib = run->machine_memory_mib};
}

bool memory_limit_has_others(const struct memory_limit *limit, double peak_mib)
{
	return limit->of_group && peak_mib > limit->mib;
}

void memory_limit_describe(const struct memory_limit *limit, double peak_mib, char *text, size_t size)
{
	struct figure figure = units_figure(UNIT_mib, limit->mib);

	if (!number_known(limit->mib))
		snprintf(text, size, "%s", "");
	else if (memory_limit_has_others(limit, peak_mib))
		snprintf(text, size, "at its limit of %s, with %s charged to others", figure.text,
			units_figure(UNIT_mib, peak_mib - limit->mib).text);
	else if (limit->own)
		snprintf(text, size,
			limit->each             ? "at %s a process"
			: peak_mib > limit->mib ? "above its limit of %s"
						: "of its limit of %s",
			figure.text);
	else
		snprintf(text, size, limit->requested ? "of %s requested" : "of %s", figure.text);
}

double memory_limit_whole(const struct memory_limit *limit)
{
	return limit->each ? UNKNOWN : limit->mib;
}

cJSON *outcome_json(enum outcome outcome, const struct run *run, const struct memory_limit *limit)
{
	cJSON *object = cJSON_CreateObject();
	char text[456];

	outcome_describe(outcome, run, text, sizeof text);
	units_append(text, sizeof text, "%s", run->retries);
	cJSON_AddStringToObject(object, "outcome", outcome_key(outcome));
	cJSON_AddStringToObject(object, "text", text);
	json_add_number(object, "memory_limit_mib", limit->mib, 3);
	return object;
}
