/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how many CPUs to request, from the time for which the runs wanted each number of CPUs. A run wants the CPUs
 * that it uses and the CPUs for which its threads wait.
 *
 * A job with too few CPUs takes longer but does not fail, so no allowance is added. Work is assumed divisible: one
 * second on six CPUs takes two seconds on three. The result is the smallest number of CPUs with which the runs would
 * take at most a fifth longer. The result is then raised by one CPU as long as that CPU would be in use for half of
 * the time. Each run has the same weight.
 *
 * If a CPU limit throttled a run, the number of CPUs that it wanted is unknown. Such runs are used only if there are
 * no others. The result is then 1.5 times the whole CPUs that they used, where a fraction of a CPU counts as one. */
#ifndef RTRACK_REPORT_ADVICE_CPUS_H
#define RTRACK_REPORT_ADVICE_CPUS_H

#include "report/history/uses.h"

struct cpus {
	double cpus; /* UNKNOWN if not measured */
	/* number of CPUs that suffice for the observed usage; less than `cpus` if all runs were throttled */
	double counted;
	double more_share;      /* share of the time in which more CPUs would have been used */
	double longer;          /* 0.2 if the runs would take 20 % longer with `cpus` CPUs */
	double throttled_share; /* share of the time in which a CPU limit throttled the runs */
	double got;             /* CPUs that the runs used on average */
	double wanted;          /* CPUs that the runs used or waited for on average */
	bool all_throttled;     /* whether a CPU limit throttled all of the runs */
	/* The runs wanted all available CPUs for at least half of the time. The request, the affinity mask or the
	 * machine determines how many are available. */
	bool all_in_use;
	bool is_machine; /* whether the machine has no more CPUs */
	size_t runs;
};

/* Computes the request from the latest `limit` finished runs, or from the last run if none finished. `vcpus` is the
 * number of CPUs of the machine. The request for throttled runs does not exceed it. */
struct cpus cpus_choose(const struct uses *uses, size_t limit, double vcpus);

/* Formats a text such as "the runs would use more CPUs in 12 % of the time, …". */
void cpus_reason(const struct cpus *cpus, char *text, size_t size);

/* Formats a text such as "2 CPUs: the runs would use more CPUs in 12 % of the time, …". */
void cpus_describe(const struct cpus *cpus, char *text, size_t size);

#endif
