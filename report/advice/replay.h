/* SPDX-License-Identifier: Apache-2.0 */
/* How sure a request is: the rule once more over the job's own runs, each time with those before it alone. */
#ifndef RTRACK_REPORT_ADVICE_REPLAY_H
#define RTRACK_REPORT_ADVICE_REPLAY_H

#include "report/advice/rule.h"
#include "report/say/json.h"

struct replay {
	size_t runs;      /* that had one before them and say what they needed */
	size_t too_small; /* of those, for how many the request would have been */
	double at_most;   /* the true share is below that with a confidence of 95 % */
	double saved; /* the share of MiB × seconds that it would have reserved less than was asked for, below 0: more;
			 UNKNOWN where that is not known of any */
};

/* Of each run; UNKNOWN where it is not known. */
struct replay_fact {
	double asked;
	double seconds;
	double limit; /* as that of a question */
};

/* `facts` of each of the question's runs. The question's own input and limit do not matter, those of the runs do. */
struct replay replay_make(const struct rule_question *question, const struct replay_fact *facts);

/* The upper end of the one-sided confidence interval of 95 % for a share of which `count` in `runs` were seen: Clopper
 * and Pearson, Biometrika 26 (1934), 404–413. 1 for no runs. */
double replay_upper_bound(size_t count, size_t runs);

/* "In 0 of 39 earlier runs …" */
void replay_describe(const struct replay *replay, char *text, size_t size);

cJSON *replay_json(const struct replay *replay);

#endif
