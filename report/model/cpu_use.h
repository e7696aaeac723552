/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates how long a run would have taken with other numbers of CPUs, and how long it waited for CPUs.
 *
 * At each moment a run wants the CPUs that it uses plus those that its threads wait for. The estimate assumes that work
 * can be divided freely: one second on six CPUs takes two seconds on three. It also assumes that more CPUs than the run
 * wanted would not make it faster. Runs shorter than CPU_USE_SECONDS have no estimate. */
#ifndef RTRACK_REPORT_MODEL_CPU_USE_H
#define RTRACK_REPORT_MODEL_CPU_USE_H

#include "report/model/total.h"
#include "report/spool/run.h"
#include "report/spool/series.h"

enum { CPU_USE_SECONDS = 10, CPU_PRICES_MAX = 3, CPU_USE_SIZE = 256 };

/* What would happen with more CPUs than the last item of struct cpu_prices has. */
enum cpu_more {
	CPU_MORE_IDLES,
	CPU_MORE_USED /* the run kept all available CPUs busy and might be faster with more */
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

/* Estimates the duration of the run with several numbers of CPUs. `seconds` is its real duration. */
void cpu_prices_make(struct cpu_prices *prices, const struct series *process, const struct run *run, double seconds);

/* Returns how many CPUs the run used and waited for in a row of process.csv that lasted `seconds`, or UNKNOWN. */
double cpu_use_wanted(const struct series *process, size_t row, double seconds);

/* Returns a phrase such as "more would idle". */
const char *cpu_more_words(enum cpu_more more);

/* Formats "1 CPU: about 14 min; 2: about 7 min; more would idle", or "" if there is no estimate. */
void cpu_prices_describe(const struct cpu_prices *prices, char text[CPU_USE_SIZE]);

/* Adds "cpu_prices" to `object`. */
void cpu_prices_write_json(const struct cpu_prices *prices, cJSON *object);

/* Returns whether the run waited for CPUs for much of its time. */
bool cpu_use_is_short(const struct totals *totals);

/* Formats how many CPUs the run used and wanted, and how many other virtual machines took, such as "it got 0.7 and
 * wanted 2 CPUs, while others used 1.3 of 2". Formats "" if it hardly waited. */
void cpu_waits_describe(
	const struct totals *totals, const struct series *system, const struct run *run, char text[CPU_USE_SIZE]);

/* Returns the columns of a table that this module needs, as a mask for series_load. */
uint64_t cpu_use_columns(enum table_id table);

#endif
