/* SPDX-License-Identifier: Apache-2.0 */
/* The allowance rule: computes a request from the usage of earlier runs. It is pure arithmetic, without I/O or
 * allocation.
 *
 *   P = peaks of the latest 100 finished runs; n = |P|, M = the largest, m = the median
 *   ask(top, mid, k) = top + max(floor, top / 50) + care * (top + 4 * (top - mid)) / k
 *   r = ask(M, m, n)
 *   if the next input's size is known, and those of k >= 5 and at least half of these runs:
 *       peak = a + b * size by least squares over the k runs; only if b > 0 and Pearson's r >= 0.7:
 *       e = residuals, at = max(a + b * input + max(e), min(P)), q = ask(at, at - max(e) + median(e), k)
 *       input <= the largest size ? r = min(r, q) : r = max(r, min(q, r * min(2, input / largest)))
 *   if a limit is known, no run died at one, and M <= 0.9 * limit: r = min(r, limit)
 *   after a death at limit L: r = max(r, 1.1 * D if that is above L, else 2 * L), where D is M without that death
 *   if r <= L of any death whose input was not larger: r = L + max(floor, L / 50) + care * L / 100
 *   rounded up to whole units
 *
 * The last term of ask() allows for peaks beyond those seen. If the next run is as likely to be the largest as each of
 * the runs before it, its chance is about 1 in n, so the allowance falls with n. It grows with the distance between
 * largest and median, because a long tail extends further. Care 1 aims at 1 run in 500 that gets too little; care
 * 0.002 / share aims at any other share.
 *
 * Choices that the formula leaves open:
 *   - the median is the sorted value at index (n - 1) / 2, also for residuals;
 *   - the peak of a failed run is a lower bound: it may raise M but nothing else, and only if the run is
 *     younger than the oldest of P;
 *   - a run that died for lack of the resource may raise M by its peak like a failed run, so that a death never makes a
 * request smaller. It needed more than its limit: while no later run has finished, the last line of the formula holds,
 * which can only raise the request; afterwards it may raise M by its limit;
 *   - if no run finished, the largest peak of the others is used as if it had;
 *   - the limit is rounded up too. */
#ifndef RTRACK_REPORT_ADVICE_RULE_H
#define RTRACK_REPORT_ADVICE_RULE_H

#include "core/number.h"

enum { RULE_RUNS_MAX = 100, RULE_LINE_RUNS_MIN = 5 };

/* Constants of a kind of request: the least amount added to the largest peak, and the rounding unit. */
struct rule_form {
	double floor;
	double unit;
};

extern const struct rule_form rule_memory; /* MiB: floor 32, unit 16 */
/* Seconds: floor 60, unit 60, because schedulers use minutes. */
extern const struct rule_form rule_time;

enum rule_end {
	RULE_FINISHED,
	RULE_FAILED, /* The run failed for another reason, or has not ended. */
	RULE_DIED    /* The run died for lack of the resource. */
};

struct rule_run {
	double peak;  /* peak or the upper bound of the peak; a run is ignored if its peak is negative or unknown */
	double input; /* size of the input in bytes; UNKNOWN or negative if not known */
	double limit; /* limit at which the run died, or UNKNOWN if the limit equals the peak */
	enum rule_end end;
};

struct rule_question {
	const struct rule_form *form;
	const struct rule_run *runs; /* runs, oldest first */
	size_t count;
	double input; /* input size of the next run in bytes, or UNKNOWN */
	double limit; /* current limit of the job, or UNKNOWN */
	double care;  /* weight of the allowance for unseen peaks, greater than 0 */
};

/* What determined the request: the peaks, the size of the next input, the current limit, or a run that died for lack of
 * the resource. RULE_AFTER_DOUBT, set by allowance.c: a run may have been killed for memory. */
enum rule_reason { RULE_BY_PEAKS, RULE_BY_INPUT, RULE_BY_LIMIT, RULE_AFTER_DEATH, RULE_AFTER_DOUBT };

struct rule_answer {
	double request; /* request in whole units; UNKNOWN if no run is usable */
	enum rule_reason reason;
	size_t runs;       /* number of finished runs with a known peak, n in the formula */
	size_t unmeasured; /* number of finished runs without a known peak */
	size_t failed;     /* number of failed runs; their peaks are only lower bounds */
	size_t deaths;     /* number of runs that died for lack of the resource */
	double largest;    /* M in the formula */
	double smallest;   /* minimum of P; `smallest`, `highest` and `median` are UNKNOWN if `runs` is 0 */
	double highest;    /* maximum of P; less than `largest` if an unfinished run had a larger peak */
	double median;
	/* The regression line over input size; `line_runs` is 0 if no line explains the peaks. */
	size_t line_runs;
	double line_start;   /* a in the formula */
	double line_slope;   /* slope of the line, per byte of input; b in the formula */
	double line_fit;     /* Pearson's correlation coefficient r */
	double line_largest; /* largest input size in bytes among the runs of the line */
};

struct rule_answer rule_ask(const struct rule_question *question);

/* Returns ask(top, mid, runs) of the formula above, rounded up to whole units. */
double rule_request(const struct rule_form *form, double top, double mid, size_t runs, double care);

/* Returns the margin of a request above the peak `top`: max(floor, top / 50). */
double rule_margin(const struct rule_form *form, double top);

/* Returns the value of `care` with which one run in `runs` gets less than it needs. */
double rule_care(double runs);

#endif
