/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/advice/replay.h: the upper bound, and which requests count as too small. */
#include "report/advice/replay.h"

#include "tests/unit/lib/tap.h"

/* The expected values are Python's exact binomial sums, bisected until they are 0.05. */
static void bounds(void)
{
	static const struct {
		size_t count, runs;
		double bound;
	} cases[] = {{0, 1, 0.95}, {0, 39, 0.073938}, {1, 5, 0.657408}, {3, 100, 0.075711}, {50, 100, 0.586378},
		{99, 100, 0.999487}, {0, 10000, 0.0003}, {0, 0, 1}, {7, 7, 1}};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		is_number(round(1e6 * replay_upper_bound(cases[i].count, cases[i].runs)), round(1e6 * cases[i].bound),
			"the upper end of the Clopper-Pearson interval");
}

static struct replay replay_of(const struct rule_run *runs, size_t count, const struct replay_fact *facts)
{
	struct rule_question question = {
		.form = &rule_memory, .runs = runs, .count = count, .input = UNKNOWN, .limit = UNKNOWN, .care = 1};
	return replay_make(&question, facts);
}

static void runs(void)
{
	static const struct replay_fact nothing[4] = {
		{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
	const struct rule_run all[] = {{.peak = 100, .input = UNKNOWN, .limit = UNKNOWN, .end = RULE_FAILED},
		{.peak = 1000, .input = UNKNOWN, .limit = UNKNOWN}, {.peak = 2033, .input = UNKNOWN, .limit = UNKNOWN},
		{.peak = 5000, .input = UNKNOWN, .limit = UNKNOWN, .end = RULE_FAILED}};
	struct replay replay = replay_of(all, 4, nothing);

	is_number((double)replay.runs, 1, "a finished run counts if an earlier one finished");
	is_number((double)replay.too_small, 1, "a peak of 2033 MiB exceeds the request of 2032");
	is_number(replay.saved, UNKNOWN, "without a request, the saving is unknown");
	replay = replay_of(all, 2, nothing);
	is_number((double)replay.runs, 0, "the first finished run has no request");
	is_number(replay.at_most, 1, "without runs, the bound is 1");

	const struct rule_run died[] = {{.peak = 1000, .input = UNKNOWN, .limit = UNKNOWN},
		{.peak = 1900, .input = UNKNOWN, .limit = 2032, .end = RULE_DIED}};
	is_number((double)replay_of(died, 2, nothing).too_small, 1, "a run that died at the request had too little");
	struct rule_run less[] = {died[0], died[1]};
	less[1].limit = 2000;
	is_number((double)replay_of(less, 2, nothing).runs, 0, "a run that died below the request does not count");

	const struct replay_fact facts[] = {{NAN, 10, NAN}, {4000, 10, NAN}, {1000, 30, NAN}};
	const struct rule_run steady[] = {all[1], all[1], all[1]};
	/* 2032 MiB for 10 s and 1536 MiB for 30 s instead of 4000 MiB and 1000 MiB */
	is_number(replay_of(steady, 3, facts).saved, 1 - 66400.0 / 70000, "MiB and seconds together");
	const struct replay_fact limited[] = {{NAN, NAN, NAN}, {NAN, NAN, 1200}, {NAN, NAN, NAN}};
	const struct rule_run tight[] = {all[1], {.peak = 1300, .input = UNKNOWN, .limit = UNKNOWN}, all[1]};
	is_number((double)replay_of(tight, 3, limited).too_small, 1, "the request is limited as it was then");
}

int main(void)
{
	bounds();
	runs();
	return done();
}
