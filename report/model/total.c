/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, writes and adds totals. */
#include "report/model/total.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const struct total total_table[TOTAL_COUNT] = {
#define TOTAL(name, unit, digits, runs, better, shown, label, meaning)                                                 \
	{#name, UNIT_##unit, digits, TOTAL_RUNS_##runs, TOTAL_##shown, label, meaning, offsetof(struct totals, name)},
#include "report/model/total.def"
};

static const double FILES_PART = 0.1; /* files are reported if they are more than this share of the needed peak */
/* the upper bound is shown if it exceeds the peak by more than this factor */
static const double CLEARLY_MORE = 1.01;

static double *number_of(struct totals *totals, const struct total *total)
{
	return (double *)(void *)((char *)totals + total->field);
}

static bool *claim_of(struct totals *totals, const struct total *total)
{
	return (bool *)((char *)totals + total->field);
}

static double value_of(const struct totals *totals, const struct total *total)
{
	struct totals copy = *totals;

	return total->unit == UNIT_yes_no ? *claim_of(&copy, total) : *number_of(&copy, total);
}

double total_value(const struct totals *totals, enum total_id id)
{
	return json_rounded(value_of(totals, &total_table[id]), total_table[id].digits);
}

struct totals totals_unknown(void)
{
	struct totals totals = {.tracker_seconds = UNKNOWN};

	for (size_t i = 0; i < TOTAL_COUNT; i++)
		if (total_table[i].unit != UNIT_yes_no)
			*number_of(&totals, &total_table[i]) = UNKNOWN;
	return totals;
}

struct totals totals_begin(void)
{
	struct totals totals = totals_unknown();

	for (size_t i = 0; i < TOTAL_COUNT; i++)
		if (total_table[i].unit == UNIT_yes_no)
			*claim_of(&totals, &total_table[i]) = true;
		else if (total_table[i].runs == TOTAL_RUNS_SUM_OF_ALL)
			*number_of(&totals, &total_table[i]) = 0;
	totals.whole = true;
	return totals;
}

void totals_add(struct totals *all, const struct totals *run)
{
	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		double value = value_of(run, total);
		if (total->unit == UNIT_yes_no) {
			*claim_of(all, total) &= value != 0;
			continue;
		}
		double *sum = number_of(all, total);
		switch (total->runs) {
		case TOTAL_RUNS_SUM:
			known_add(sum, value);
			break;
		case TOTAL_RUNS_SUM_OF_ALL:
			*sum += value;
			break;
		case TOTAL_RUNS_LARGEST:
		case TOTAL_RUNS_AT_ONCE:
			*sum = known_larger(*sum, value);
			break;
		case TOTAL_RUNS_WEIGHTED:
			known_add(sum, value * run->wall_seconds);
			break;
		default:
			break;
		}
	}
	known_add(&all->tracker_seconds, run->tracker_seconds);
	all->cpu_difference += known_first(run->cpu_difference, 0);
	all->whole &= run->whole;
}

double totals_mean_cpu(const struct totals *totals)
{
	return totals->wall_seconds > 0 ? totals->cpu_seconds / totals->wall_seconds : UNKNOWN;
}

double totals_cpus_wanted(const struct totals *totals)
{
	return totals->wall_seconds > 0 ? (totals->cpu_seconds + totals->cpu_wait_seconds) / totals->wall_seconds
					: UNKNOWN;
}

void totals_end(struct totals *all)
{
	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		if (total_table[i].runs != TOTAL_RUNS_WEIGHTED)
			continue;
		double *sum = number_of(all, &total_table[i]);
		*sum = all->wall_seconds > 0 ? *sum / all->wall_seconds : UNKNOWN;
	}
	all->mean_cpu_usage = totals_mean_cpu(all);
	all->cpus_wanted = totals_cpus_wanted(all);
}

void totals_forget_moments(struct totals *all)
{
	for (size_t i = 0; i < TOTAL_COUNT; i++)
		if (total_table[i].runs == TOTAL_RUNS_AT_ONCE)
			*number_of(all, &total_table[i]) = UNKNOWN;
}

static const char efficiency_key[] = "efficiency";

/* Returns the key of a total in JSON. Efficiencies are in a separate object, so their keys have no prefix. */
static const char *key_of(const struct total *total)
{
	return total->name + (total->shown == TOTAL_EFFICIENCY ? sizeof efficiency_key : 0);
}

void totals_write_json(const struct totals *totals, cJSON *object)
{
	cJSON *efficiency = NULL;

	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		double value = value_of(totals, total);
		if (total->shown == TOTAL_EFFICIENCY && !efficiency)
			efficiency = cJSON_AddObjectToObject(object, efficiency_key);
		if (total->shown == TOTAL_EFFICIENCY)
			json_add_number(efficiency, key_of(total), value, total->digits);
		else if (total->unit == UNIT_yes_no)
			cJSON_AddBoolToObject(object, total->name, value != 0);
		else if (number_known(value) || total->shown != TOTAL_IF_KNOWN)
			json_add_number(object, total->name, value, total->digits);
	}
}

/* The keys are normally in the order of the table, so the key after the previous one is tried before a search. */
struct totals totals_read_json(const cJSON *object)
{
	struct totals totals = totals_unknown();
	const cJSON *next = object ? object->child : NULL;

	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		const char *key = key_of(total);
		const cJSON *in = total->shown == TOTAL_EFFICIENCY
					  ? cJSON_GetObjectItemCaseSensitive(object, efficiency_key)
					  : object;
		bool is_next = next && strcmp(next->string, key) == 0;
		const cJSON *item = is_next ? next : cJSON_GetObjectItemCaseSensitive(in, key);
		if (total->unit == UNIT_yes_no)
			*claim_of(&totals, total) = cJSON_IsTrue(item);
		else if (cJSON_IsNumber(item) && isfinite(item->valuedouble))
			*number_of(&totals, total) = item->valuedouble;
		next = item ? item->next : next;
	}
	return totals;
}

double totals_file_pages(const struct totals *totals)
{
	double pages = totals->peak_memory_mib - totals->peak_memory_needed_mib;

	return pages > FILES_PART * totals->peak_memory_needed_mib ? pages : UNKNOWN;
}

double totals_tmpfs_files(const struct totals *totals)
{
	bool many = totals->peak_tmpfs_mib > FILES_PART * totals->peak_memory_needed_mib;

	return many ? totals->peak_tmpfs_mib : UNKNOWN;
}

bool totals_peak_is_bounded(const struct totals *totals)
{
	return !(totals->peak_memory_at_most_mib > totals->peak_memory_mib * CLEARLY_MORE);
}
