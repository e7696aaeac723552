/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how much longer a run would have taken with fewer CPUs, and how long it waited for CPUs. */
#include "report/model/cpu_use.h"

#include "core/number.h"
#include "report/say/terminal.h"

#include <math.h>
#include <stdio.h>

/* a run that takes up to this factor of its real duration counts as equally fast */
static const double AS_QUICK = 1.02;
/* a run that uses at least this share of its CPUs counts as using all of them */
static const double ALL_IN_USE = 0.9;
/* full use of all CPUs is reported if it lasts longer than this share of the run */
static const double OFTEN = 0.05;
/* %; less waiting, or less CPU usage by other processes, is not reported */
static const double WAITED_LEAST = 5;
/* % of the time; if tasks wait longer for a CPU, the run's real demand is unknown */
static const double WAITED_MUCH = 20;
/* share of the CPUs; if the hypervisor takes less, it is not reported */
static const double STOLEN_LEAST = 0.02;
/* keeps a peak slightly above a whole number of CPUs from being rounded up */
static const double PLAINLY_FEWER = 0.999;

uint64_t cpu_use_columns(enum table_id table)
{
	if (table == TABLE_process)
		return SERIES_COLUMN(PROCESS_cpu_usage);
	return table == TABLE_system ? SERIES_COLUMN(SYSTEM_cpu_usage) | SERIES_COLUMN(SYSTEM_psi_cpu) |
					       SERIES_COLUMN(SYSTEM_cpu_steal)
				     : 0;
}

static double lasted(const struct series *series, size_t row, double start)
{
	double before = row > 0 ? series_value(series, 0, row - 1) : start;
	return fmax(known_first(series_value(series, 0, row) - before, 0), 0);
}

/* Returns how many seconds longer the run would take with `cpus` CPUs. */
static double longer_with(const struct series *process, double start, double cpus)
{
	double longer = 0;

	for (size_t row = 0; row < process->rows; row++) {
		double used = series_value(process, PROCESS_cpu_usage, row);
		if (used > cpus)
			longer += lasted(process, row, start) * (used / cpus - 1);
	}
	return longer;
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

static enum cpu_more more_would(
	const struct series *process, const struct series *system, const struct run *run, double seconds)
{
	if (full_share(process, run, seconds) > OFTEN)
		return CPU_MORE_USED;
	return series_time_mean(system, SYSTEM_psi_cpu, run->start_time) >= WAITED_MUCH ? CPU_MORE_WAITED
											: CPU_MORE_IDLES;
}

const char *cpu_more_words(enum cpu_more more)
{
	static const char *const words[] = {
		[CPU_MORE_IDLES] = "more would idle",
		[CPU_MORE_USED] = "all were in use, more may be quicker",
		[CPU_MORE_WAITED] = "tasks waited for a CPU, more may be quicker",
	};
	return words[more];
}

void cpu_prices_make(struct cpu_prices *prices, const struct series *process, const struct series *system,
	const struct run *run, double seconds)
{
	static const double exact = 0x1p53; /* a double represents each integer up to this value exactly */
	double peak = series_max(process, PROCESS_cpu_usage);
	double start = run->start_time;

	*prices = (struct cpu_prices){0};
	if (!(seconds >= CPU_USE_SECONDS) || !(peak > 0 && peak < exact) || !number_known(start))
		return;
	double enough = fewest_with(process, start, PLAINLY_FEWER * peak, (AS_QUICK - 1) * seconds);
	double cpus = ceil(enough / 4);
	while (prices->count < CPU_PRICES_MAX) {
		prices->items[prices->count].cpus = cpus;
		prices->items[prices->count++].seconds = seconds + longer_with(process, start, cpus);
		if (!(cpus < enough))
			break;
		cpus = ceil(fmin(2 * cpus, enough));
	}
	prices->more = more_would(process, system, run, seconds);
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

void cpu_waits_describe(
	const struct series *process, const struct series *system, const struct run *run, char text[CPU_USE_SIZE])
{
	double start = run->start_time;
	double waited = series_time_mean(system, SYSTEM_psi_cpu, start);
	double others =
		series_time_mean(system, SYSTEM_cpu_usage, start) - series_time_mean(process, PROCESS_cpu_usage, start);
	double until = system->rows > 0 ? series_value(system, 0, system->rows - 1) : UNKNOWN;
	double stolen = series_sum(system, SYSTEM_cpu_steal) / (until - start);

	*text = '\0';
	if (!(until - start >= CPU_USE_SECONDS))
		return;
	if (waited >= WAITED_LEAST)
		units_append(text, CPU_USE_SIZE, "%s of the time tasks waited for a CPU",
			terminal_figure(UNIT_percent, waited).text);
	/* If the job's CPU usage is unknown, both comparisons are false, and the text does not name a reason for the
	 * waits. */
	if (*text && 100 * others >= WAITED_LEAST * run->vcpus)
		units_append(text, CPU_USE_SIZE, ", while others used %s of %s",
			terminal_figure(UNIT_cpus, others).text, terminal_figure(UNIT_cpus, run->vcpus).text);
	else if (*text && 100 * others < WAITED_LEAST * run->vcpus)
		units_append(text, CPU_USE_SIZE, ", as the job had more to run than there are");
	if (stolen >= STOLEN_LEAST * run->vcpus)
		units_append(text, CPU_USE_SIZE, "%sthe hypervisor took %s CPUs", *text ? "; " : "",
			terminal_figure(UNIT_cpus, stolen).text);
}
