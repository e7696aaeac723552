/* SPDX-License-Identifier: Apache-2.0 */
/* The units of orchestrators. */
#include "report/spool/unit.h"

#include <stdio.h>
#include <string.h>

static const struct unit_row {
	const char *orchestrator;
	/* template of the unit's name without the orchestrator; a label's name in braces stands for its value */
	const char *labels;
	const char *title; /* template of the unit's job name; "": the job name of its first run */
} unit_table[] =
	{
#define UNIT(id, labels, title) {#id, labels, title},
#include "core/orchestrators.def"
},
  fan_out_table[] = {
#define FAN_OUT(id, labels) {#id, labels, ""},
#include "core/orchestrators.def"
};

/* Appends a template, in which each label in braces is replaced by its value, to `text`, which has `length` bytes so
 * far. Returns false if the run lacks a label of the template. */
static bool append_filled(char text[UNIT_NAME_SIZE], size_t length, const char *template, const struct run *run)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");

	for (const char *at = template; *at && length < UNIT_NAME_SIZE; at++) {
		char key[64];
		if (*at != '{') {
			text[length++] = *at;
			continue;
		}
		snprintf(key, sizeof key, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
		const char *value = json_string(labels, key);
		if (*value == '\0')
			return false;
		length += (size_t)snprintf(text + length, UNIT_NAME_SIZE - length, "%s", value);
		at += strlen(key) + 1;
	}
	if (length >= UNIT_NAME_SIZE)
		return false;
	text[length] = '\0';
	return true;
}

/* Builds the name of the unit of a row. Returns false if the run lacks a label of the name. */
static bool fill(const struct unit_row *row, const struct run *run, char name[UNIT_NAME_SIZE])
{
	size_t length = (size_t)snprintf(name, UNIT_NAME_SIZE, "%s:", row->orchestrator);

	return append_filled(name, length, row->labels, run);
}

/* Returns whether a row belongs to the orchestrator of the run. Two orchestrators may use the same label. Slurm is
 * recognized by its labels, whose names contain "slurm". For other orchestrators, the label "orchestrator" contains the
 * name. */
static bool is_of(const struct unit_row *row, const struct run *run)
{
	const char *orchestrator = run_label(run, "orchestrator");

	return strstr(row->labels, row->orchestrator) || strcmp(orchestrator, row->orchestrator) == 0;
}

bool unit_is_name(const char *text)
{
	for (size_t i = 0; i < ARRAY_LENGTH(unit_table); i++) {
		size_t length = strlen(unit_table[i].orchestrator);
		if (strncmp(text, unit_table[i].orchestrator, length) == 0 && text[length] == ':' && text[length + 1])
			return true;
	}
	return false;
}

/* Returns the row by which the run belongs to the unit `name`, or NULL. */
static const struct unit_row *find_row(const char *name, const struct run *run)
{
	char of[UNIT_NAME_SIZE];

	for (size_t i = 0; i < ARRAY_LENGTH(unit_table); i++) {
		const struct unit_row *row = &unit_table[i];
		if (strncmp(name, row->orchestrator, strlen(row->orchestrator)) == 0 && is_of(row, run) &&
			fill(row, run, of) && strcmp(name, of) == 0)
			return row;
	}
	return NULL;
}

bool unit_has(const char *name, const struct run *run)
{
	return find_row(name, run) != NULL;
}

void unit_title(const char *name, const struct run *run, char title[UNIT_NAME_SIZE])
{
	const struct unit_row *row = find_row(name, run);

	if (!row || !append_filled(title, 0, row->title, run))
		*title = '\0';
}

bool unit_is_slurm(const struct run *run)
{
	return *run_label(run, "slurm_job_id");
}

const char *unit_cluster(const struct run *run)
{
	return run_label(run, "cluster");
}

void unit_allocation(const struct run *run, char name[UNIT_NAME_SIZE])
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");
	const char *job = json_string(labels, "slurm_job_id"), *cluster = unit_cluster(run);

	if (*job)
		snprintf(name, UNIT_NAME_SIZE, "%s%s%s/%s", cluster, *cluster ? "/" : "", job,
			json_string(labels, "attempt"));
	else
		snprintf(name, UNIT_NAME_SIZE, "%s", json_string(run->json, "group"));
}

void unit_of(const struct run *run, char name[UNIT_NAME_SIZE])
{
	for (size_t i = 0; i < ARRAY_LENGTH(unit_table); i++)
		if (is_of(&unit_table[i], run) && fill(&unit_table[i], run, name))
			return;
	*name = '\0';
}

void unit_fan_out(const struct run *run, char name[UNIT_NAME_SIZE])
{
	for (size_t i = 0; i < ARRAY_LENGTH(fan_out_table); i++)
		if (is_of(&fan_out_table[i], run) && fill(&fan_out_table[i], run, name))
			return;
	snprintf(name, UNIT_NAME_SIZE, "%s", json_string(run->json, "parent"));
}
