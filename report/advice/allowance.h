/* SPDX-License-Identifier: Apache-2.0 */
/* What to ask for the next time by the allowance rule (rule.h), out of the latest hundred runs of a job.
 *
 * Memory, VRAM and run time each have a request of the rule's form; CPUs are of cpus.h. GPUs are the most that were in
 * use at one time, with nothing added: a device is asked for or it is not, and one more would idle. */
#ifndef RTRACK_REPORT_ADVICE_ALLOWANCE_H
#define RTRACK_REPORT_ADVICE_ALLOWANCE_H

#include "report/advice/recommend.h"

enum { ALLOWANCE_FAILURES = 500 }; /* one in so many runs gets too little, unless the user wants another aim */

struct allowance_wish {
	size_t earlier;             /* runs before this one, at most */
	double failures;            /* one in so many may get too little */
	double input;               /* of the next run, bytes; UNKNOWN */
	const struct uses *at_hand; /* the earlier runs; NULL: they are looked for in the spool */
};

/* Fills resources, runs, rule, basis and what belongs to that, and notes what the rule has to say. */
void allowance_make(
	struct recommendation *recommendation, const struct model *model, const struct allowance_wish *wish);

/* The same from figures that are at hand, the oldest run first, one at least; notes that only the latest run's own
 * record could give are left out. `vcpus`: of the latest run's machine. */
void allowance_of_uses(struct recommendation *recommendation, const struct uses *uses, double vcpus,
	const struct allowance_wish *wish);

/* Why a request of memory, or of time, is what it is, as a part of a sentence: "1.9 × the peak, because only one run is
 * known"; "" where there is none. */
void allowance_reason(const struct rule_answer *answer, bool time, char *text, size_t size);

#endif
