/* The table of totals; see total.h. */
#include "report/model/total.h"

#include <stddef.h>

#define COMPARED TOTAL_COMPARED
#define IF_KNOWN TOTAL_IF_KNOWN

const struct total total_table[TOTAL_COUNT] = {
#define TOTAL(name, unit, digits, runs, better, marks, label, meaning)                                                 \
	{#name, UNIT_##unit, digits, TOTAL_RUNS_##runs, TOTAL_##better, marks, label, offsetof(struct totals, name)},
#include "report/model/total.def"
#undef TOTAL
};

static double *number_of(struct totals *totals, const struct total *total)
{
	return (double *)(void *)((char *)totals + total->field);
}

static bool *claim_of(struct totals *totals, const struct total *total)
{
	return (bool *)((char *)totals + total->field);
}

double total_value(const struct totals *totals, enum total_id id)
{
	struct totals copy = *totals;
	const struct total *total = &total_table[id];

	return total->unit == UNIT_yes_no ? *claim_of(&copy, total) : *number_of(&copy, total);
}

struct totals totals_unknown(void)
{
	struct totals totals = {.peak_memory_together_mib = UNKNOWN, .tracker_seconds = UNKNOWN};

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
	totals.whole = totals.exact_bytes = true;
	return totals;
}

void totals_add(struct totals *all, const struct totals *run)
{
	for (int i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		double value = total_value(run, (enum total_id)i);
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
	all->whole &= run->whole;
	all->exact_bytes &= run->exact_bytes;
}

void totals_end(struct totals *all)
{
	for (size_t i = 0; i < TOTAL_COUNT; i++) {
		if (total_table[i].runs != TOTAL_RUNS_WEIGHTED)
			continue;
		double *sum = number_of(all, &total_table[i]);
		*sum = all->wall_seconds > 0 ? *sum / all->wall_seconds : UNKNOWN;
	}
}

void totals_write_json(const struct totals *totals, cJSON *object)
{
	for (int i = 0; i < TOTAL_COUNT; i++) {
		const struct total *total = &total_table[i];
		double value = total_value(totals, (enum total_id)i);
		if (total->unit == UNIT_yes_no)
			cJSON_AddBoolToObject(object, total->name, value != 0);
		else if (number_known(value) || !(total->marks & TOTAL_IF_KNOWN))
			json_add_number(object, total->name, value, total->digits);
	}
}
