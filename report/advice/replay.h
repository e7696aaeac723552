/* SPDX-License-Identifier: Apache-2.0 */
/* Tests a request: applies the rule to each of the job's own runs, using only the runs before it. */
#ifndef RTRACK_REPORT_ADVICE_REPLAY_H
#define RTRACK_REPORT_ADVICE_REPLAY_H

#include "report/advice/rule.h"
#include "report/say/json.h"

struct replay {
	size_t runs;      /* runs that had a predecessor and whose need is known */
	size_t too_small; /* number of these runs for which the request would have been too small */
	double at_most;   /* upper bound of the true share, at 95 % confidence */
	/* share of MiB × seconds saved against the actual requests; negative if it would have reserved more; UNKNOWN if
	 * no request is known */
	double saved;
};

/* Figures of each run; UNKNOWN if not known. */
struct replay_fact {
	double asked;
	double seconds;
	double limit; /* like the limit in struct rule_question */
};

/* `facts` is indexed like the question's runs. The question's own input and limit are ignored, because each run has its
 * own. */
struct replay replay_make(const struct rule_question *question, const struct replay_fact *facts);

/* The upper end of the one-sided 95 % confidence interval for a share, given `count` of `runs`: Clopper and Pearson,
 * Biometrika 26 (1934), 404–413. 1 for no runs. */
double replay_upper_bound(size_t count, size_t runs);

/* Formats "In 0 of 39 earlier runs …". */
void replay_describe(const struct replay *replay, char *text, size_t size);

cJSON *replay_json(const struct replay *replay);

#endif
