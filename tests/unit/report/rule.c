/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of report/advice/rule.h: the request, exact to the MiB. */
#include "report/advice/rule.h"

#include "tests/unit/lib/tap.h"

#include <stdlib.h>

enum { PEAKS_MAX = 8 };

static const double GB = 1e9;

static struct rule_question memory_question(const struct rule_run *runs, size_t count)
{
	return (struct rule_question){
		.form = &rule_memory, .runs = runs, .count = count, .input = UNKNOWN, .limit = UNKNOWN, .care = 1};
}

static struct rule_run finished(double peak)
{
	return (struct rule_run){.peak = peak, .input = UNKNOWN, .limit = UNKNOWN};
}

static double ask(const struct rule_question *question)
{
	return rule_ask(question).request;
}

/* -- peaks alone ----------------------------------------------------------------------------------- */

struct peaks_case {
	const char *what;
	size_t repeat; /* number of times that the peaks are repeated */
	double peaks[PEAKS_MAX + 1];
	double care;
	double request;
};

static void peaks(void)
{
	static const struct peaks_case cases[] = {
		{"one run of 1000", 1, {1000}, 1, 2032},
		{"one run of 1000, care 1/2", 1, {1000}, 0.5, 1536},
		{"one run of 1000, care 2", 1, {1000}, 2, 3040},
		{"twice 1000", 2, {1000}, 1, 1536},
		{"ten times 1000", 10, {1000}, 1, 1136},
		{"100 times 1000", 100, {1000}, 1, 1056},
		{"150 times 1000", 150, {1000}, 1, 1056},
		{"five different peaks", 1, {400, 500, 600, 700, 1000}, 1, 1552},
		{"the order does not matter", 1, {1000, 600, 400, 700, 500}, 1, 1552},
		{"three similar peaks", 1, {8000, 8100, 8200}, 1, 11232},
		{"four: the lower of the two in the middle is the median", 1, {20000, 20010, 20005, 19990}, 1, 25424},
		{"a small one", 1, {5}, 1, 48},
		{"almost nothing", 1, {0.001}, 1, 48},
		{"a multiple of 16 is not rounded: 96 + 32 + 96", 1, {96}, 1, 224},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct rule_run runs[1000];
		size_t count = 0;
		for (size_t round = 0; round < cases[i].repeat; round++)
			for (const double *peak = cases[i].peaks; *peak > 0; peak++)
				runs[count++] = finished(*peak);
		struct rule_question question = memory_question(runs, count);
		question.care = cases[i].care;
		is_number(ask(&question), cases[i].request, cases[i].what);
	}
	is_number(rule_care(500), 1, "care 1 aims at 1 in 500");
	is_number(rule_care(1000), 2, "care 2 at 1 in 1000");
	is_number(rule_care(250), 0.5, "care 1/2 at 1 in 250");
}

static void latest_hundred(void)
{
	struct rule_run runs[101];
	struct rule_question question = memory_question(runs, 101);

	for (size_t i = 0; i < 101; i++)
		runs[i] = finished(1000);
	runs[0].peak = 9000;
	is_number(ask(&question), 1056, "a peak 101 runs ago does not count");
	question.count = 100;
	is_number(ask(&question), 9600, "a peak 100 runs ago counts: 9000 + 180 + (9000 + 4 * 8000) / 100");
}

/* -- the input's size ------------------------------------------------------------------------------ */

struct input_case {
	const char *what;
	double peaks[PEAKS_MAX + 1];
	double inputs[PEAKS_MAX + 1]; /* GB; negative if unknown */
	double next;                  /* GB; negative if unknown */
	double request;
	bool by_line; /* whether a line through the points is found */
};

static void inputs(void)
{
	static const struct input_case cases[] = {
		{"within", {100, 200, 300, 400, 500}, {1, 2, 3, 4, 5}, 2.5, 336, true},
		{"beyond", {100, 200, 300, 400, 500}, {1, 2, 3, 4, 5}, 8, 992, true},
		{"an input far beyond all others: at most twice as much", {100, 200, 300, 400, 500}, {1, 2, 3, 4, 5},
			50, 1584, true},
		{"not known", {100, 200, 300, 400, 500}, {1, 2, 3, 4, 5}, -1, 800, false},
		{"none", {100, 200, 300, 400, 500}, {1, 2, 3, 4, 5}, 0, 160, true},
		{"falling", {500, 400, 300, 200, 100}, {1, 2, 3, 4, 5}, 2.5, 800, false},
		{"with residuals", {1000, 2000, 2900, 4100, 5000, 6000, 7100, 8000}, {1, 2, 3, 4, 5, 6, 7, 8}, 1, 1296,
			true},
		{"too few sizes", {100, 200, 300, 400}, {1, 2, 3, 4}, 2, 736, false},
		{"five of eight sizes", {100, 200, 300, 400, 500, 500, 500, 500}, {1, 2, 3, 4, 5, -1, -1, -1}, 2.5, 336,
			true},
		{"four of eight sizes", {100, 200, 300, 400, 500, 500, 500, 500}, {1, 2, 3, 4, -1, -1, -1, -1}, 2.5,
			656, false},
		{"all sizes the same", {100, 200, 300, 400, 500}, {3, 3, 3, 3, 3}, 3, 800, false},
		{"all sizes 0", {100, 200, 300, 400, 500}, {0, 0, 0, 0, 0}, 1, 800, false},
		{"all peaks the same", {100.1, 100.1, 100.1, 100.1, 100.1}, {1, 2, 3, 4, 5}, 3, 160, false},
		{"no correlation: r is 0.5", {300, 100, 200, 300, 400}, {1, 2, 3, 4, 5}, 1, 592, false},
		{"peaks above the line", {100, 200, 300, 400, 500, 200}, {1, 2, 3, 4, 5, 1}, 1, 320, true},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct rule_run runs[PEAKS_MAX];
		struct rule_question question = memory_question(runs, 0);
		for (const double *peak = cases[i].peaks; *peak > 0; peak++) {
			runs[question.count] = finished(*peak);
			runs[question.count].input = cases[i].inputs[question.count] * GB;
			question.count++;
		}
		question.input = cases[i].next * GB;
		struct rule_answer answer = rule_ask(&question);
		is_number(answer.request, cases[i].request, cases[i].what);
		ok((answer.line_runs > 0) == cases[i].by_line, "  and whether a line explains it");
	}
}

/* If there are many runs, the input sizes of at least half of them must be known. */
static void half_with_sizes(void)
{
	struct rule_run runs[21];
	struct rule_question question = memory_question(runs, 20);

	for (size_t i = 0; i < 21; i++) {
		runs[i] = finished(100 * (double)(i % 10 + 1));
		runs[i].input = i < 10 ? (double)(i + 1) * GB : UNKNOWN;
	}
	question.input = GB;
	ok(rule_ask(&question).line_runs == 10, "10 of 20 sizes are enough");
	question.count = 21;
	ok(rule_ask(&question).line_runs == 0, "10 of 21 are not");
}

/* -- ends and limits ------------------------------------------------------------------------------- */

static void failures(void)
{
	struct rule_run runs[4] = {finished(1000), finished(1000), finished(1000), finished(1000)};
	struct rule_question question = memory_question(runs, 4);

	is_number(ask(&question), 1296, "four finished: 1000 + 32 + 1000 / 4");
	runs[3].end = RULE_FAILED;
	is_number(ask(&question), 1376, "a failed run does not count as finished: 1000 + 32 + 1000 / 3");
	runs[3].peak = 400;
	is_number(ask(&question), 1376, "a failed run does not lower the median");
	runs[3].peak = 2000;
	is_number(ask(&question), 4048, "a failed run's larger peak counts: 2000 + 40 + (2000 + 4 * 1000) / 3");
	ok(rule_ask(&question).runs == 3 && rule_ask(&question).failed == 1, "failed runs are counted separately");
	runs[3].peak = UNKNOWN;
	is_number(ask(&question), 1376, "a failed run's unknown peak does not count");
	for (size_t i = 0; i < 4; i++)
		runs[i] = (struct rule_run){1000, UNKNOWN, UNKNOWN, RULE_FAILED};
	is_number(ask(&question), 2032, "only failed runs: the request is as after one run");
}

static void deaths(void)
{
	struct rule_run runs[12];
	struct rule_question question = memory_question(runs, 11);

	for (size_t i = 0; i < 12; i++)
		runs[i] = finished(1000);
	runs[10] = (struct rule_run){1050, UNKNOWN, 1056, RULE_DIED};
	is_number(ask(&question), 1216,
		"out of memory below the request: its peak counts, 1050 + 32 + (1050 + 4 * 50) / 10");
	runs[10].limit = 1136;
	is_number(ask(&question), 2272,
		"out of memory at the request, with 1.1 * 1000 not above it: the request doubles");
	ok(rule_ask(&question).reason == RULE_AFTER_DEATH, "the reason is the death");
	question.care = 0;
	runs[10].limit = 1056;
	is_number(ask(&question), 1104, "out of memory at the request: 1.1 * 1000, which is above the limit");
	question.care = 1;
	runs[10].limit = UNKNOWN;
	runs[10].peak = 2000;
	is_number(ask(&question), 4000, "out of memory at an unknown limit: twice its peak");
	runs[10].peak = UNKNOWN;
	is_number(ask(&question), 1136, "out of memory without any figures");
	runs[10] = (struct rule_run){1050, UNKNOWN, 1136, RULE_DIED};
	runs[11] = (struct rule_run){3000, UNKNOWN, 3000, RULE_DIED};
	question.count = 12;
	is_number(ask(&question), 6000, "two deaths: twice the higher limit");
	runs[11] = (struct rule_run){900, UNKNOWN, 1000, RULE_DIED};
	is_number(ask(&question), 2272, "two deaths in the other order");
	runs[11] = finished(1200);
	is_number(ask(&question), 1424, "a later run finished with more: 1200 + 32 + (1200 + 4 * 200) / 11");
	runs[11] = finished(900);
	is_number(ask(&question), 1328,
		"a later run finished with less: the limit is a lower bound, 1136 + 32 + (1136 + 4 * 136) / 11");
	question.runs = &runs[10];
	question.count = 1;
	is_number(ask(&question), 2272, "only a death: twice the limit");
}

/* After a death, the request is never smaller than after another failure. This tests all histories of up to five runs
 * of four kinds, whose last run died or failed otherwise. */
static void death_or_failure(void)
{
	static const struct rule_run kinds[] = {{300, UNKNOWN, UNKNOWN, RULE_FINISHED},
		{1000, UNKNOWN, UNKNOWN, RULE_FINISHED}, {700, UNKNOWN, UNKNOWN, RULE_FAILED},
		{500, UNKNOWN, 600, RULE_DIED}};
	static const double peaks[] = {100, 205, 1000, 4000};
	struct rule_run runs[5];
	size_t smaller = 0;

	for (unsigned history = 0; history < 4 * 4 * 4 * 4; history++) {
		for (unsigned i = 0; i < 4; i++)
			runs[i] = kinds[history >> 2 * i & 3];
		for (size_t first = 0; first <= 4; first++)
			for (size_t i = 0; i < ARRAY_LENGTH(peaks); i++) {
				struct rule_question question = memory_question(runs + first, 5 - first);
				runs[4] = (struct rule_run){peaks[i], UNKNOWN, peaks[i], RULE_FAILED};
				double failed = ask(&question);
				runs[4].end = RULE_DIED;
				smaller += ask(&question) < failed;
			}
	}
	is_number((double)smaller, 0, "a death never makes a request smaller than another failure");
	struct rule_run alone = {205, UNKNOWN, 205, RULE_DIED};
	struct rule_question question = memory_question(&alone, 1);
	is_number(ask(&question), 448, "only a death, at its peak: 205 + 32 + 205, which is more than twice the limit");
	is_number(rule_ask(&question).largest, 205, "the peak of the run that died is the largest");
	ok(rule_ask(&question).reason == RULE_AFTER_DEATH, "the reason is the death");
	alone.peak = 150;
	is_number(ask(&question), 416, "a smaller peak at its limit: twice the limit");
}

static void limits(void)
{
	struct rule_run runs[3] = {finished(1000), finished(1000), finished(500)};
	struct rule_question question = memory_question(runs, 1);

	question.limit = 1600;
	is_number(ask(&question), 1600, "the request is at most a limit that was enough");
	ok(rule_ask(&question).reason == RULE_BY_LIMIT, "the reason is the limit");
	question.limit = 1112;
	is_number(ask(&question), 1120, "a limited request is rounded to whole units");
	question.limit = 1111;
	is_number(ask(&question), 2032, "the limit does not apply if the peak was within a tenth of the limit");
	question.limit = 4096;
	is_number(ask(&question), 2032, "a high limit changes nothing");
	question.limit = 0;
	is_number(ask(&question), 2032, "no limit");
	question.limit = 1200;
	runs[1] = (struct rule_run){1000, UNKNOWN, 1100, RULE_DIED};
	question.count = 3;
	ok(ask(&question) > 1200, "a limit at which an earlier run died does not apply");
}

/* -- odd cases ------------------------------------------------------------------------------------- */

static void odd(void)
{
	static const double none[] = {UNKNOWN, -1, INFINITY, -INFINITY};
	struct rule_run runs[8];
	struct rule_question question = memory_question(runs, 0);

	is_number(ask(&question), UNKNOWN, "no run");
	ok(rule_ask(&question).runs == 0, "no run is counted");
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
		runs[0] = finished(1000);
		runs[1] = finished(none[i]);
		question.count = 2;
		is_number(ask(&question), 2032, "an invalid peak does not count");
		question.runs = &runs[1];
		question.count = 1;
		is_number(ask(&question), UNKNOWN, "only invalid peaks give no request");
		question.runs = runs;
	}
	for (size_t i = 0; i < 8; i++) {
		runs[i] = finished(1e300 * (double)(i + 1));
		runs[i].input = 1e300 * (double)(i + 1);
	}
	question.count = 8;
	question.input = 1e307;
	is_number(ask(&question), 1099511627776, "absurd peaks give a printable request");
	for (size_t i = 0; i < 8; i++)
		runs[i].peak = 0;
	is_number(ask(&question), 32, "peaks of 0");
	for (size_t i = 0; i < 8; i++) {
		runs[i] = finished(1000 + (double)i);
		runs[i].input = none[i % ARRAY_LENGTH(none)];
	}
	question.input = 5;
	ok(rule_ask(&question).line_runs == 0, "invalid sizes are unknown");
}

static void very_many(void)
{
	enum { COUNT = 1000000 };
	struct rule_run *runs = malloc(COUNT * sizeof *runs);
	struct rule_question question = memory_question(runs, COUNT);

	if (!ok(runs != NULL, "memory for a million runs"))
		return;
	for (size_t i = 0; i < COUNT; i++)
		runs[i] = finished(i < COUNT - 100 ? 5000 : 1000);
	is_number(ask(&question), 1056, "of a million runs the last hundred count");
	for (size_t i = 0; i < COUNT; i++)
		runs[i].end = RULE_FAILED;
	is_number(ask(&question), 10112, "a million failed runs: 5000 + 100 + 5000");
	free(runs);
}

/* -- run time -------------------------------------------------------------------------------------- */

static void seconds(void)
{
	static const struct {
		const char *what;
		size_t repeat;
		double seconds;
		double request;
	} cases[] = {
		{"one run of 2 s: two minutes", 1, 2, 120},
		{"one run of an hour: 3600 + 72 + 3600 s", 1, 3600, 7320},
		{"ten runs of an hour: 3600 + 72 + 360 s", 10, 3600, 4080},
		{"a hundred runs of ten seconds", 100, 10, 120},
	};

	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct rule_run runs[100];
		struct rule_question question = memory_question(runs, cases[i].repeat);
		question.form = &rule_time;
		for (size_t k = 0; k < cases[i].repeat; k++)
			runs[k] = finished(cases[i].seconds);
		is_number(ask(&question), cases[i].request, cases[i].what);
	}
}

int main(void)
{
	peaks();
	latest_hundred();
	inputs();
	half_with_sizes();
	failures();
	deaths();
	death_or_failure();
	limits();
	odd();
	very_many();
	seconds();
	return done();
}
