/* SPDX-License-Identifier: Apache-2.0 */
/* How many CPUs to ask for, out of how many were used for how long.
 *
 * A job with too few CPUs takes longer and does not fail, so nothing is added for what was not seen. Where a run used
 * six CPUs for a second, three would have taken two seconds: by that, the advice is the fewest CPUs with which the runs
 * would have taken at most a fifth longer; and one more, again and again, as long as that one would have been in use
 * for half of the time. Each run counts alike, however long it took. Runs that a CPU limit held back do not say how
 * many they would have used: they count only where there are no others, and then the advice is half as many again as
 * the whole CPUs that they used, which a limit of a part of a CPU makes one. */
#ifndef RTRACK_REPORT_ADVICE_CPUS_H
#define RTRACK_REPORT_ADVICE_CPUS_H

#include "report/history/uses.h"

struct cpus {
	double cpus;       /* UNKNOWN: it was not measured */
	double counted;    /* what would have done for what was used: less, where all were held back */
	double more_share; /* of the time in which more would have been used */
	double longer;     /* by what share of their time the runs would take longer for it */
	double held_share; /* of the time in which a CPU limit held them back */
	double waited;     /* %, of the time in which tasks of the machine waited for a CPU; UNKNOWN */
	bool only_held;    /* all that there are were held back */
	bool all_in_use;   /* the runs had no more, by affinity or of the machine, and used all for half of the time */
	size_t runs;
};

/* Over the latest `limit` runs that finished; over the last of all where none did. `vcpus`: of the machine, which
 * bounds what is said of runs that were held back. */
struct cpus cpus_choose(const struct uses *uses, size_t limit, double vcpus);

/* "the runs would use more CPUs in 12 % of the time, …" */
void cpus_reason(const struct cpus *cpus, char *text, size_t size);

/* "2 CPUs: the runs would use more CPUs in 12 % of the time, …" */
void cpus_describe(const struct cpus *cpus, char *text, size_t size);

#endif
