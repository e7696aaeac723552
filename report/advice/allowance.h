/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the next request by the allowance rule, from the latest hundred runs of a job.
 *
 * Memory, VRAM and run time use the formula of rule.h; CPUs use the rule of cpus.h. GPUs are the most that were in use
 * at once, without an allowance, because an extra device would idle. */
#ifndef RTRACK_REPORT_ADVICE_ALLOWANCE_H
#define RTRACK_REPORT_ADVICE_ALLOWANCE_H

#include "report/advice/recommend.h"

enum { ALLOWANCE_FAILURES = 500 }; /* by default, one run in 500 gets too little */

struct allowance_wish {
	size_t earlier;             /* maximum number of runs before this one */
	double failures;            /* one run in this many may get too little */
	double input;               /* input size of the next run in bytes, or UNKNOWN */
	const struct uses *at_hand; /* the earlier runs, or NULL to read them from the spool */
};

/* Sets resources, runs, rule and basis, and adds the notes of the rule. */
void allowance_make(
	struct recommendation *recommendation, const struct model *model, const struct allowance_wish *wish);

/* Like allowance_make, from given figures: at least one run, oldest first. Notes that need the latest run's own record
 * are omitted. `vcpus` is the CPU count of the latest run's machine. */
void allowance_of_uses(struct recommendation *recommendation, const struct uses *uses, double vcpus,
	const struct allowance_wish *wish);

/* Formats the reason for a request of memory or time as part of a sentence: "1.9 × the peak, because only one run is
 * known"; "" if there is none. */
void allowance_reason(const struct rule_answer *answer, bool time, char *text, size_t size);

#endif
