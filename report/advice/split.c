/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates what a run would save if it were split into several jobs. */
#include "report/advice/split.h"

#include "core/number.h"
#include "report/say/units.h"

#include <math.h>
#include <stdio.h>

static const double WORTH_IT = 10; /* minimum saving in percent for which a split is worthwhile */
/* minimum duration of a job in seconds; starting a shorter job would cost more than it saves */
static const double JOB_LEAST = 60;

struct split_basis split_basis_of(const struct phases *phases, const struct rule_answer *memory, double failures)
{
	struct split_basis basis = {0, memory->largest, memory->median, memory->runs, rule_care(failures)};

	for (size_t i = 0; i < phases->count; i++)
		basis.peak = fmax(basis.peak, phases->items[i].peak_memory_mib);
	basis.largest = fmax(basis.largest, basis.peak);
	if (basis.runs == 0 || !(basis.median > 0))
		basis.median = basis.largest;
	if (basis.runs == 0)
		basis.runs = 1;
	return basis;
}

struct resources split_needs(const struct phase *phase, const struct split_basis *basis)
{
	struct resources needs = resources_by_rule(phase->mean_cpu, phase->peak_memory_mib,
		phase->mean_gpu > 0 ? phase->peak_gpu : 0, phase->peak_vram_mib);

	if (!basis || !(basis->peak > 0))
		return needs;
	double share = phase->peak_memory_mib / basis->peak;
	if (share > 0)
		needs.memory_mib = rule_request(
			&rule_memory, basis->largest * share, basis->median * share, basis->runs, basis->care);
	if (needs.vram_mib > 0)
		needs.vram_mib = rule_request(
			&rule_memory, phase->peak_vram_mib, phase->peak_vram_mib, basis->runs, basis->care);
	return needs;
}

static double cpus_of(const struct resources *needs)
{
	return needs->cpu;
}

static double gib_of(const struct resources *needs)
{
	return needs->memory_mib / 1024;
}

static double gpus_of(const struct resources *needs)
{
	return needs->gpu;
}

/* Returns the saving of the resource that `part` selects, in resource × seconds. Returns 0 if the resource is unknown
 * for any phase. */
static double saved(const struct phases *phases, const struct split_basis *basis,
	double (*part)(const struct resources *needs), double *percent)
{
	double most = 0, together = 0, all = 0;

	for (size_t i = 0; i < phases->count; i++) {
		const struct phase *phase = &phases->items[i];
		struct resources needs = split_needs(phase, basis);
		most = fmax(most, part(&needs));
		together += phase->stop - phase->start;
		all += part(&needs) * (phase->stop - phase->start);
	}
	double less = most * together - all;
	if (!(less > 0))
		return 0;
	*percent = 100 * less / (most * together);
	return less;
}

struct split split_of(const struct phases *phases, const struct split_basis *basis)
{
	struct split split = {0};

	split.cpu_seconds = saved(phases, basis, cpus_of, &split.cpu_percent);
	split.gib_seconds = saved(phases, basis, gib_of, &split.memory_percent);
	split.gpu_seconds = saved(phases, basis, gpus_of, &split.gpu_percent);
	split.worth_it = fmax(fmax(split.cpu_percent, split.memory_percent), split.gpu_percent) >= WORTH_IT;
	for (size_t i = 0; i < phases->count; i++)
		if (phases->items[i].stop - phases->items[i].start < JOB_LEAST)
			split.worth_it = false;
	return split;
}

/* -- in words -------------------------------------------------------------------------------------- */

/* Formats a saving as "1.5 CPU-hours", or with its percentage as "1.5 CPU-hours (25 %)". */
static struct figure saving(const char *what, double seconds, double percent)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
	struct figure figure;
	size_t unit = 0;

	while (unit + 1 < ARRAY_LENGTH(units) && seconds < units[unit].seconds)
		unit++;
	snprintf(figure.text, sizeof figure.text, "%.12s %.4s-%.7s",
		units_figure(UNIT_cpus, seconds / units[unit].seconds).text, what, units[unit].name);
	if (number_known(percent))
		units_append(figure.text, sizeof figure.text, " (%.0f %%)", percent);
	return figure;
}

void split_describe(const struct split *split, bool percent, char *text, size_t size)
{
	const struct {
		const char *what;
		double seconds, percent;
	} savings[] = {{"CPU", split->cpu_seconds, split->cpu_percent},
		{"GiB", split->gib_seconds, split->memory_percent}, {"GPU", split->gpu_seconds, split->gpu_percent}};

	*text = '\0';
	for (size_t i = 0; i < ARRAY_LENGTH(savings); i++)
		if (savings[i].seconds > 0)
			units_append(text, size, "%s%s", *text ? ", " : "",
				saving(savings[i].what, savings[i].seconds, percent ? savings[i].percent : UNKNOWN)
					.text);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

void split_write_json(const struct split *split, cJSON *object)
{
	if (!split->worth_it) {
		cJSON_AddNullToObject(object, "split");
		return;
	}
	cJSON *saving = cJSON_AddObjectToObject(object, "split");
	json_add_number(saving, "cpu_hours", split->cpu_seconds / 3600, 6);
	json_add_number(saving, "cpu_percent", split->cpu_percent, 2);
	json_add_number(saving, "gib_hours", split->gib_seconds / 3600, 6);
	json_add_number(saving, "memory_percent", split->memory_percent, 2);
	json_add_number(saving, "gpu_hours", split->gpu_seconds / 3600, 6);
	json_add_number(saving, "gpu_percent", split->gpu_percent, 2);
}
