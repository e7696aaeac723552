/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the allowance rule on the earlier runs of a job. */
#include "report/advice/replay.h"

#include "core/number.h"
#include "report/say/units.h"

#include <math.h>
#include <stdio.h>

static const double CONFIDENCE = 0.95;
enum { HALVINGS = 60 };

/* -- confidence interval --------------------------------------------------------------------------- */

/* Returns the probability of at most `count` hits in `runs` trials if each trial hits with probability `share`. The
 * terms may be too small for a double, so their logarithms are used. */
static double chance_of_at_most(size_t count, size_t runs, double share)
{
	double part = (double)runs * log1p(-share);
	double sum = exp(part);

	for (size_t i = 0; i < count; i++) {
		part += log((double)(runs - i) / (double)(i + 1)) + log(share) - log1p(-share);
		sum += exp(part);
	}
	return sum;
}

double replay_upper_bound(size_t count, size_t runs)
{
	double low = 0, high = 1;

	if (count >= runs)
		return 1;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		if (chance_of_at_most(count, runs, middle) > 1 - CONFIDENCE)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* -- the replay ------------------------------------------------------------------------------------ */

/* Returns 1 if the request would have been too small for the run, 0 if it would have sufficed, -1 if unknown. */
static int was_too_small(const struct rule_run *run, double request)
{
	double died_at = known_first(run->limit, run->peak);

	if (run->end == RULE_FINISHED)
		return number_known(run->peak) ? run->peak > request : -1;
	return run->end == RULE_DIED && request <= died_at ? 1 : -1;
}

struct replay replay_make(const struct rule_question *question, const struct replay_fact *facts)
{
	struct rule_question earlier = *question;
	struct replay replay = {.saved = UNKNOWN};
	double reserved = 0, asked_for = 0;
	bool any_finished = false;

	for (size_t i = 0; i < question->count; i++) {
		const struct rule_run *run = &question->runs[i];
		earlier.count = i;
		earlier.input = run->input;
		earlier.limit = facts[i].limit;
		double request = any_finished ? rule_ask(&earlier).request : UNKNOWN;
		int verdict = number_known(request) ? was_too_small(run, request) : -1;
		any_finished = any_finished || run->end == RULE_FINISHED;
		if (verdict < 0)
			continue;
		replay.runs++;
		replay.too_small += (size_t)verdict;
		if (!(facts[i].asked > 0) || !(facts[i].seconds > 0))
			continue;
		reserved += request * facts[i].seconds;
		asked_for += facts[i].asked * facts[i].seconds;
	}
	replay.at_most = replay_upper_bound(replay.too_small, replay.runs);
	if (asked_for > 0)
		replay.saved = 1 - reserved / asked_for;
	return replay;
}

void replay_describe(const struct replay *replay, char *text, size_t size)
{
	*text = '\0';
	if (replay->runs == 0)
		return;
	units_append(
		text, size, "Checked on %zu earlier run%s: too little ", replay->runs, replay->runs == 1 ? "" : "s");
	if (replay->too_small <= 1)
		units_append(text, size, replay->too_small == 1 ? "once" : "never");
	else
		units_append(text, size, "%zu times", replay->too_small);
	if (number_known(replay->saved))
		units_append(text, size, "; it would have reserved %.0f %% %s than was requested",
			fabs(100 * replay->saved), replay->saved < 0 ? "more" : "less");
	units_append(text, size, ".");
}

cJSON *replay_json(const struct replay *replay)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "runs", (double)replay->runs);
	cJSON_AddNumberToObject(object, "too_small", (double)replay->too_small);
	json_add_number(object, "too_small_at_most", replay->runs > 0 ? replay->at_most : UNKNOWN, 4);
	json_add_number(object, "reserved_less", replay->saved, 4);
	return object;
}
