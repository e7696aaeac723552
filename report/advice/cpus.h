/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how many CPUs to request from how many were in use for how long.
 *
 * A job with too few CPUs takes longer but does not fail, so no allowance is added. Work is assumed divisible: one
 * second on six CPUs takes two seconds on three. The result is the fewest CPUs with which the runs would take at most a
 * fifth longer. It is raised by one CPU as long as that CPU would be in use for half of the time. Each run has the same
 * weight. The demand of runs that a CPU limit throttled is unknown, so they count only if there are no others. The
 * result is then 1.5 times the whole CPUs that they used, where a fraction of a CPU counts as one. */
#ifndef RTRACK_REPORT_ADVICE_CPUS_H
#define RTRACK_REPORT_ADVICE_CPUS_H

#include "report/history/uses.h"

struct cpus {
	double cpus;       /* UNKNOWN if not measured */
	double counted;    /* CPUs that suffice for the observed use; less than `cpus` if all runs were throttled */
	double more_share; /* share of the time in which more CPUs would have been used */
	double longer;     /* share by which the runs would take longer */
	double held_share; /* share of the time in which a CPU limit throttled the runs */
	double waited;     /* %, time in which tasks of the machine waited for a CPU, or UNKNOWN */
	bool only_held;    /* all considered runs were throttled */
	/* the runs could use no more CPUs, by affinity or of the machine, and used all for half of the time */
	bool all_in_use;
	size_t runs;
};

/* Uses the latest `limit` finished runs, or the last run if none finished. `vcpus` is the CPU count of the machine, an
 * upper bound for throttled runs. */
struct cpus cpus_choose(const struct uses *uses, size_t limit, double vcpus);

/* Formats "the runs would use more CPUs in 12 % of the time, …". */
void cpus_reason(const struct cpus *cpus, char *text, size_t size);

/* Formats "2 CPUs: the runs would use more CPUs in 12 % of the time, …". */
void cpus_describe(const struct cpus *cpus, char *text, size_t size);

#endif
