/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run would have taken with fewer CPUs, and what it waited for them: the price of a CPU in time.
 *
 * What used six CPUs for a second takes two seconds on three, if it can be divided so. With more than it used at any
 * time, it would not be quicker. Nothing is said of a run that took less than CPU_USE_SECONDS. */
#ifndef RTRACK_REPORT_MODEL_CPU_USE_H
#define RTRACK_REPORT_MODEL_CPU_USE_H

#include "report/spool/run.h"
#include "report/spool/series.h"

enum { CPU_USE_SECONDS = 10, CPU_PRICES_MAX = 3, CPU_USE_SIZE = 256 };

/* What more CPUs than the last price has would have done. */
enum cpu_more {
	CPU_MORE_IDLES,
	CPU_MORE_USED,  /* the run had all there were in use, so more might be quicker */
	CPU_MORE_WAITED /* tasks waited for one, so how many the run would have used is not known */
};

struct cpu_prices {
	size_t count; /* 0: nothing is said */
	struct {
		double cpus;
		double seconds;
	} items[CPU_PRICES_MAX]; /* the fewest CPUs first; with the last, it is as quick as it was */
	enum cpu_more more;
};

/* `seconds`: that the run took. */
void cpu_prices_make(struct cpu_prices *prices, const struct series *process, const struct series *system,
	const struct run *run, double seconds);

/* "more would idle", and the like. */
const char *cpu_more_words(enum cpu_more more);

/* "1 CPU: about 14 min; 2: about 7 min; more would idle"; "" where nothing is said. */
void cpu_prices_describe(const struct cpu_prices *prices, char text[CPU_USE_SIZE]);

/* "cpu_prices" of an object. */
void cpu_prices_write_json(const struct cpu_prices *prices, cJSON *object);

/* "48 % of the time tasks waited for a CPU, while others used 1.2 of them", and what the hypervisor took; "" where
 * neither is worth a word. */
void cpu_waits_describe(
	const struct series *process, const struct series *system, const struct run *run, char text[CPU_USE_SIZE]);

/* The columns of a table that these need. */
uint64_t cpu_use_columns(enum table_id table);

#endif
