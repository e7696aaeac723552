/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the allowance rule on the earlier runs of a job: computes the request for each run from the runs before it, and
 * compares the request with what the run needed. */
#ifndef RTRACK_REPORT_ADVICE_REPLAY_H
#define RTRACK_REPORT_ADVICE_REPLAY_H

#include "report/advice/rule.h"
#include "report/say/json.h"

struct replay {
	size_t runs;      /* number of runs for which a request could be computed and whose need is known */
	size_t too_small; /* number of these runs for which the request would have been too small */
	double at_most;   /* upper bound of the true share of such runs, at 95 % confidence */
	/* Share of the requested MiB × seconds that the rule would have saved. Negative if the rule would have
	 * requested more, UNKNOWN if no run has a known request. */
	double saved;
};

/* Figures of one run. Unknown figures are UNKNOWN. */
struct replay_fact {
	double asked;
	double seconds;
	double limit; /* memory limit under which the run was started, or UNKNOWN */
};

/* Tests the rule on all runs of the question. `facts` has one element for each run. The input and the limit of the
 * question are ignored, because each run has its own. */
struct replay replay_make(const struct rule_question *question, const struct replay_fact *facts);

/* Returns the upper end of the one-sided 95 % confidence interval for a share that was `count` of `runs` (Clopper and
 * Pearson, Biometrika 26 (1934), 404–413). Returns 1 if `runs` is 0. */
double replay_upper_bound(size_t count, size_t runs);

/* Formats the result as "In 0 of 39 earlier runs …". */
void replay_describe(const struct replay *replay, char *text, size_t size);

cJSON *replay_json(const struct replay *replay);

#endif
