/* SPDX-License-Identifier: Apache-2.0 */
/* What to ask for, worked out of what the earlier runs used: arithmetic, with no input, no output and no memory of its
 * own.
 *
 *   P = peaks of the runs that finished, the latest 100 of them; n = |P|, M = the largest, m = the median
 *   ask(top, mid, k) = top + max(floor, top / 50) + care * (top + 4 * (top - mid)) / k
 *   r = ask(M, m, n)
 *   when the next input's size is known, and those of k >= 5 of these runs and of at least half of them:
 *       peak = a + b * size by least squares over the k; only if b > 0 and Pearson's r >= 0.7:
 *       e = residuals, at = max(a + b * input + max(e), min(P)), q = ask(at, at - max(e) + median(e), k)
 *       input <= the largest size ? r = min(r, q) : r = max(r, min(q, r * min(2, input / largest)))
 *   when a limit is known, nothing died at one, and M <= 0.9 * limit: r = min(r, limit)
 *   after a death at limit L: r = max(r, 1.1 * D if that is above L, else 2 * L), where D is M without that death
 *   where r <= L of any death, of no larger an input than the next: r = L + max(floor, L / 50) + care * L / 100
 *   rounded up to whole units
 *
 * The last part of ask() is for what was not seen yet. When the next run is as likely to be the largest as each of
 * those before it, it is so with a chance of about 1 in n, so the allowance falls with n; and it grows with the
 * distance between largest and median, as a long tail goes on further. Care 1 aims at 1 run in 500 that gets too
 * little, care 0.002 / share at a share of another size.
 *
 * What the formula leaves open, and what was chosen:
 *   - the median is the value at (n - 1) / 2 of the sorted ones, the residuals' too;
 *   - a run that failed says what was needed at least: its peak may raise M, nothing else, and only if the run is
 *     younger than the oldest of P;
 *   - a run that died of what is asked for may raise M by its peak as one that failed, so that its death never makes a
 * request smaller. It needed more than its limit: while no later run has finished, the last line of the formula holds,
 * which only ever raises the request; afterwards it may raise M by its limit;
 *   - where no run finished, the largest peak of those that did not stands for one;
 *   - the limit is rounded up too, as everything is. */
#ifndef RTRACK_REPORT_ADVICE_RULE_H
#define RTRACK_REPORT_ADVICE_RULE_H

#include "core/number.h"

enum { RULE_RUNS_MAX = 100, RULE_LINE_RUNS_MIN = 5 };

/* How a kind of request is made: the least that is added to the largest peak, and the unit it is rounded up to. */
struct rule_form {
	double floor;
	double unit;
};

extern const struct rule_form rule_memory; /* MiB: 32, 16 */
/* Seconds: 60, 60, as schedulers count in minutes. */
extern const struct rule_form rule_time;

enum rule_end {
	RULE_FINISHED,
	RULE_FAILED, /* of something else, or it has not ended */
	RULE_DIED    /* of too little of what is asked for */
};

struct rule_run {
	double peak; /* the upper end where it is an interval; a run with a peak that is no number from 0 on is left out
		      */
	double input; /* bytes; UNKNOWN or below 0: not known */
	double limit; /* at which it died; UNKNOWN: at its peak */
	enum rule_end end;
};

struct rule_question {
	const struct rule_form *form;
	const struct rule_run *runs; /* the oldest first */
	size_t count;
	double input; /* of the next run, bytes; UNKNOWN */
	double limit; /* under which the job runs now; UNKNOWN */
	double care;  /* above 0 */
};

enum rule_reason { RULE_BY_PEAKS, RULE_BY_INPUT, RULE_BY_LIMIT, RULE_AFTER_DEATH };

struct rule_answer {
	double request; /* whole units; UNKNOWN: there is nothing to go by */
	enum rule_reason reason;
	size_t runs;     /* n */
	size_t failed;   /* runs that say what was needed at least */
	size_t deaths;   /* among the runs that were looked at */
	double largest;  /* M */
	double smallest; /* of P; this, the next one and the median are UNKNOWN where no run finished */
	double highest;  /* of P: M is more where a run that did not finish had more */
	double median;
	/* The line over the input's size; `line_runs` is 0 where there is none that explains the peaks. */
	size_t line_runs;
	double line_start;   /* a */
	double line_slope;   /* b, a byte */
	double line_fit;     /* Pearson's r */
	double line_largest; /* of the sizes, bytes */
};

struct rule_answer rule_ask(const struct rule_question *question);

/* ask(top, mid, runs), rounded up to whole units. */
double rule_request(const struct rule_form *form, double top, double mid, size_t runs, double care);

/* The care of an aim of 1 in `runs` that get too little. */
double rule_care(double runs);

#endif
