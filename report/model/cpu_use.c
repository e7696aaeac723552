/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how long a run would have taken with other numbers of CPUs, and how long it waited for CPUs. */
#include "report/model/cpu_use.h"

#include "core/number.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>

/* a run that takes up to this factor of its shortest duration counts as equally fast */
static const double AS_QUICK = 1.02;
/* a run that uses at least this share of its CPUs counts as using all of them */
static const double ALL_IN_USE = 0.9;
/* full use of all CPUs is reported if it lasts longer than this share of the run */
static const double OFTEN = 0.05;
/* seconds; waits of a shorter run are not reported */
static const double WAITS_SECONDS = 2;
/* Minimum waiting that is reported: as a share of the CPU time, and in CPUs. */
static const double WAITED_PART = 0.05, WAITED_CPUS = 0.25;
/* If the time waiting for a CPU is a larger share of the CPU time, the run is short of CPUs. */
static const double SHORT_PART = 0.25;
/* share of the CPUs; if other processes use less, they are not named as the reason */
static const double OTHERS_LEAST = 0.05;
/* share of the CPUs; if the hypervisor takes less, it is not reported */
static const double STOLEN_LEAST = 0.02;
/* keeps a peak slightly above a whole number of CPUs from being rounded up */
static const double PLAINLY_FEWER = 0.999;

uint64_t cpu_use_columns(enum table_id table)
{
	if (table == TABLE_process)
		return SERIES_COLUMN(PROCESS_cpu_usage) | SERIES_COLUMN(PROCESS_cpu_wait);
	return table == TABLE_system ? SERIES_COLUMN(SYSTEM_cpu_usage) | SERIES_COLUMN(SYSTEM_cpu_steal) : 0;
}

double cpu_use_wanted(const struct series *process, size_t row, double seconds)
{
	double wait = known_first(series_value(process, PROCESS_cpu_wait, row), 0);

	return series_value(process, PROCESS_cpu_usage, row) + (seconds > 0 ? wait / seconds : 0);
}

static double lasted(const struct series *series, size_t row, double start)
{
	double before = row > 0 ? series_value(series, 0, row - 1) : start;
	return fmax(known_first(series_value(series, 0, row) - before, 0), 0);
}

/* Returns how many seconds longer the run would take with `cpus` CPUs of its own. The result is below 0 if the run
 * would take less time, because it waited for CPUs. A run that wants less than one CPU is idle for the rest of the
 * time. The idle time does not depend on the number of CPUs. */
static double longer_with(const struct series *process, double start, double cpus)
{
	double longer = 0;

	for (size_t row = 0; row < process->rows; row++) {
		double seconds = lasted(process, row, start);
		double used = series_value(process, PROCESS_cpu_usage, row);
		double wanted = cpu_use_wanted(process, row, seconds);
		if (used > 0)
			longer += seconds * (wanted < 1 ? used - wanted : used / fmin(cpus, wanted) - 1);
	}
	return longer;
}

/* Returns the largest number of CPUs that the run wanted in one row. */
static double most_wanted(const struct series *process, double start)
{
	double most = UNKNOWN;

	for (size_t row = 0; row < process->rows; row++)
		most = known_larger(most, cpu_use_wanted(process, row, lasted(process, row, start)));
	return most;
}

/* Returns the smallest number of CPUs with which the run takes at most `longest` seconds longer, but at most `most`
 * rounded up. Uses a binary search, because `most` may be huge if a cell is damaged. */
static double fewest_with(const struct series *process, double start, double most, double longest)
{
	double too_few = 0, enough = fmax(ceil(most), 1);

	while (enough - too_few > 1) {
		double half = floor((too_few + enough) / 2);
		if (longer_with(process, start, half) > longest)
			too_few = half;
		else
			enough = half;
	}
	return enough;
}

/* Returns the share of the time during which the run used all available CPUs. */
static double full_share(const struct series *process, const struct run *run, double seconds)
{
	double full = 0;

	for (size_t row = 0; row < process->rows; row++)
		if (series_value(process, PROCESS_cpu_usage, row) >= ALL_IN_USE * run->vcpus)
			full += lasted(process, row, run->start_time);
	return full / seconds;
}

const char *cpu_more_words(enum cpu_more more)
{
	static const char *const words[] = {
		[CPU_MORE_IDLES] = "more would idle", [CPU_MORE_USED] = "all were in use, more may be quicker"};
	return words[more];
}

void cpu_prices_make(struct cpu_prices *prices, const struct series *process, const struct run *run, double seconds)
{
	static const double exact = 0x1p53; /* a double represents each integer up to this value exactly */
	double start = run->start_time;
	double peak = most_wanted(process, start);

	*prices = (struct cpu_prices){0};
	if (!(seconds >= CPU_USE_SECONDS) || !(peak > 0 && peak < exact) || !number_known(start))
		return;
	double shortest = longer_with(process, start, peak);
	double enough =
		fewest_with(process, start, PLAINLY_FEWER * peak, shortest + (AS_QUICK - 1) * (seconds + shortest));
	double cpus = ceil(enough / 4);
	while (prices->count < CPU_PRICES_MAX) {
		prices->items[prices->count].cpus = cpus;
		prices->items[prices->count++].seconds = seconds + longer_with(process, start, cpus);
		if (!(cpus < enough))
			break;
		cpus = ceil(fmin(2 * cpus, enough));
	}
	prices->more = full_share(process, run, seconds) > OFTEN ? CPU_MORE_USED : CPU_MORE_IDLES;
}

void cpu_prices_describe(const struct cpu_prices *prices, char text[CPU_USE_SIZE])
{
	*text = '\0';
	for (size_t i = 0; i < prices->count; i++)
		units_append(text, CPU_USE_SIZE, "%s%s%s: about %s", i > 0 ? "; " : "",
			terminal_count(prices->items[i].cpus).text,
			i > 0                       ? ""
			: prices->items[i].cpus > 1 ? " CPUs"
						    : " CPU",
			terminal_duration(prices->items[i].seconds).text);
	if (prices->count > 0)
		units_append(text, CPU_USE_SIZE, "; %s", cpu_more_words(prices->more));
}

void cpu_prices_write_json(const struct cpu_prices *prices, cJSON *object)
{
	cJSON *list = cJSON_AddArrayToObject(object, "cpu_prices");

	for (size_t i = 0; i < prices->count; i++) {
		cJSON *item = cJSON_CreateObject();
		json_add_number(item, "cpus", prices->items[i].cpus, 0);
		json_add_number(item, "seconds", prices->items[i].seconds, 3);
		cJSON_AddItemToArray(list, item);
	}
}

bool cpu_use_is_short(const struct totals *totals)
{
	return totals->wall_seconds >= WAITS_SECONDS && totals->cpu_wait_seconds >= SHORT_PART * totals->cpu_seconds &&
	       totals->cpus_wanted - totals->mean_cpu_usage >= WAITED_CPUS;
}

/* Appends a reason for the waits. If the machine's CPU usage is unknown, no reason is known. */
static void append_reason(const struct totals *totals, const struct series *system, const struct run *run, char *text)
{
	double others = series_time_mean(system, SYSTEM_cpu_usage, run->start_time) - totals->mean_cpu_usage;

	if (others >= OTHERS_LEAST * run->cpus)
		units_append(text, CPU_USE_SIZE, ", while others used %s of %s",
			terminal_figure(UNIT_cpus, others).text, terminal_figure(UNIT_cpus, run->cpus).text);
	else if (others < OTHERS_LEAST * run->cpus)
		units_append(text, CPU_USE_SIZE, ", more than it could get");
}

void cpu_waits_describe(
	const struct totals *totals, const struct series *system, const struct run *run, char text[CPU_USE_SIZE])
{
	double stolen = series_sum(system, SYSTEM_cpu_steal) / totals->wall_seconds;
	double got = totals->mean_cpu_usage, wanted = totals->cpus_wanted;

	*text = '\0';
	if (!(totals->wall_seconds >= WAITS_SECONDS))
		return;
	if (wanted - got >= WAITED_CPUS && totals->cpu_wait_seconds >= WAITED_PART * totals->cpu_seconds) {
		units_append(text, CPU_USE_SIZE, "it got %s and wanted %s CPUs", terminal_figure(UNIT_cpus, got).text,
			terminal_figure(UNIT_cpus, wanted).text);
		append_reason(totals, system, run, text);
	}
	if (stolen >= STOLEN_LEAST * run->cpus)
		units_append(text, CPU_USE_SIZE, "%sother virtual machines took %s CPUs", *text ? "; " : "",
			terminal_figure(UNIT_cpus, stolen).text);
}
