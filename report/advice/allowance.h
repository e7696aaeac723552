/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the request for the next run by the allowance rule, from the latest hundred runs of a job.
 *
 * Memory, VRAM and run time use the formula of rule.h; CPUs use the rule of cpus.h. The request for GPUs is the maximum
 * number of GPUs in use at the same time. It has no allowance, because an extra GPU would idle. */
#ifndef RTRACK_REPORT_ADVICE_ALLOWANCE_H
#define RTRACK_REPORT_ADVICE_ALLOWANCE_H

#include "report/advice/recommend.h"

enum { ALLOWANCE_FAILURES = 500 }; /* By default, one run in 500 may get less than it needs. */

struct allowance_wish {
	size_t earlier;             /* maximum number of earlier runs to use */
	double failures;            /* One run in `failures` may get less than it needs. */
	double input;               /* input size of the next run in bytes, or UNKNOWN */
	const struct uses *at_hand; /* the earlier runs, or NULL to read them from the spool */
};

/* Sets `resources`, `runs`, `rule` and `basis` of the recommendation, and adds the notes of the allowance rule. */
void allowance_make(
	struct recommendation *recommendation, const struct model *model, const struct allowance_wish *wish);

/* Like allowance_make, but uses the given figures: at least one run, oldest first. Notes that need the full record of
 * the latest run are omitted. `vcpus` is the number of CPUs of the machine on which the latest run ran. */
void allowance_of_uses(struct recommendation *recommendation, const struct uses *uses, double vcpus,
	const struct allowance_wish *wish);

/* Formats the reason for a request of memory or time, such as "1.9 × the peak, because only one run is known". The text
 * is "" if there is no reason. */
void allowance_reason(const struct rule_answer *answer, bool time, char *text, size_t size);

#endif
