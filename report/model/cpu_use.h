/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how much longer a run would have taken with fewer CPUs, and how long it waited for CPUs.
 *
 * The estimate assumes that work can be divided freely: one second on six CPUs takes two seconds on three. It also
 * assumes that more CPUs than the run used at any time would not make it faster. Runs shorter than CPU_USE_SECONDS
 * have no estimate. */
#ifndef RTRACK_REPORT_MODEL_CPU_USE_H
#define RTRACK_REPORT_MODEL_CPU_USE_H

#include "report/spool/run.h"
#include "report/spool/series.h"

enum { CPU_USE_SECONDS = 10, CPU_PRICES_MAX = 3, CPU_USE_SIZE = 256 };

/* What would happen with more CPUs than the last item of struct cpu_prices has. */
enum cpu_more {
	CPU_MORE_IDLES,
	CPU_MORE_USED,  /* the run kept all available CPUs busy and might be faster with more */
	CPU_MORE_WAITED /* tasks waited for a CPU, so the run's real demand is unknown */
};

struct cpu_prices {
	size_t count; /* 0 if there is no estimate */
	struct {
		double cpus;
		double seconds;
		/* Sorted by CPUs, ascending. With the CPUs of the last item, the run is as fast as it was. */
	} items[CPU_PRICES_MAX];
	enum cpu_more more;
};

/* Estimates the duration of the run with fewer CPUs. `seconds` is its real duration. */
void cpu_prices_make(struct cpu_prices *prices, const struct series *process, const struct series *system,
	const struct run *run, double seconds);

/* Returns a phrase such as "more would idle". */
const char *cpu_more_words(enum cpu_more more);

/* Formats "1 CPU: about 14 min; 2: about 7 min; more would idle", or "" if there is no estimate. */
void cpu_prices_describe(const struct cpu_prices *prices, char text[CPU_USE_SIZE]);

/* Adds "cpu_prices" to `object`. */
void cpu_prices_write_json(const struct cpu_prices *prices, cJSON *object);

/* Formats how long tasks waited for a CPU, and how much CPU time the hypervisor took, such as "48 % of the time
 * tasks waited for a CPU". Formats "" if both are small. */
void cpu_waits_describe(
	const struct series *process, const struct series *system, const struct run *run, char text[CPU_USE_SIZE]);

/* Returns the columns of a table that this module needs, as a mask for series_load. */
uint64_t cpu_use_columns(enum table_id table);

#endif
