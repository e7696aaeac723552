/* SPDX-License-Identifier: Apache-2.0 */
/* The allowance rule. */
#include "report/advice/rule.h"

#include "core/number.h"
#include "report/model/median.h"

#include <math.h>
#include <stdlib.h>

static const double MARGIN = 1.0 / 50;
/* The next peak may exceed the largest peak by this multiple of the distance between largest peak and median. */
static const double TAIL = 4;
static const double CARE_SHARE = 0.002;
static const double FIT = 0.7;
/* If the next input is larger than all earlier inputs, the request grows by at most this factor. */
static const double GROWTH_MOST = 2;
static const double LIMIT_ROOM = 0.9;
static const double AFTER_DEATH = 1.1;
static const double AFTER_DEATH_BLIND = 2;
/* If the request exceeds a whole unit by less than this share of a unit, the excess is a rounding error. */
static const double ROUNDING = 1e-6;
/* maximum request, because damaged files may contain absurd figures */
static const double GREATEST_REQUEST = 1099511627776;

const struct rule_form rule_memory = {32, 16};
const struct rule_form rule_time = {60, 60};

double rule_care(double runs)
{
	return CARE_SHARE * runs;
}

/* The runs that the rule uses, classified by how they ended. */
struct seen {
	double peaks[RULE_RUNS_MAX];
	double inputs[RULE_RUNS_MAX]; /* input size of the run with this peak, or UNKNOWN */
	size_t count;
	double below; /* largest peak or limit of failed runs and of deaths before a finished run, or UNKNOWN */
	double death; /* largest limit of the runs that died after the last finished run, or UNKNOWN */
	double dead;  /* largest peak of the runs that died after the last finished run, or UNKNOWN */
	/* largest limit at which a run died whose input was not larger than the next input, or UNKNOWN */
	double limit;
};

struct line {
	size_t runs;
	double start;
	double slope;
	double fit;
	double largest;
	double above; /* the largest residual */
	double middle;
};

static bool usable(double value)
{
	return value >= 0 && isfinite(value);
}

/* Returns the median and sorts `values`, which must not be empty. */
static double median_of(double *values, size_t count)
{
	median_sort(values, count);
	return values[(count - 1) / 2];
}

/* -- the runs -------------------------------------------------------------------------------------- */

static void see_unfinished(
	struct seen *seen, struct rule_answer *answer, const struct rule_run *run, bool finished_later, double input)
{
	double peak = usable(run->peak) ? run->peak : UNKNOWN;
	double reached = peak;

	if (run->end == RULE_DIED) {
		answer->deaths++;
		reached = usable(run->limit) && run->limit > 0 ? run->limit : reached;
		if (!(usable(run->input) && input < run->input))
			seen->limit = known_larger(seen->limit, reached);
	}
	if (run->end == RULE_DIED && !finished_later) {
		seen->death = known_larger(seen->death, reached);
		seen->dead = known_larger(seen->dead, peak);
	} else if (number_known(reached)) {
		answer->failed++;
		seen->below = known_larger(seen->below, reached);
	}
}

/* Classifies the runs, beginning with the latest one, until RULE_RUNS_MAX finished runs are found. */
static void see(struct seen *seen, struct rule_answer *answer, const struct rule_question *question)
{
	seen->count = 0;
	seen->below = UNKNOWN;
	seen->death = UNKNOWN;
	seen->dead = UNKNOWN;
	seen->limit = UNKNOWN;
	for (size_t i = question->count; i > 0 && seen->count < RULE_RUNS_MAX; i--) {
		const struct rule_run *run = &question->runs[i - 1];
		if (run->end != RULE_FINISHED) {
			see_unfinished(seen, answer, run, seen->count > 0, question->input);
		} else if (usable(run->peak)) {
			seen->peaks[seen->count] = run->peak;
			seen->inputs[seen->count++] = usable(run->input) ? run->input : UNKNOWN;
		} else {
			answer->unmeasured++;
		}
	}
}

static void measure(const struct seen *seen, struct rule_answer *answer)
{
	double sorted[RULE_RUNS_MAX];

	answer->runs = seen->count;
	answer->largest = seen->below;
	answer->smallest = UNKNOWN;
	answer->highest = UNKNOWN;
	answer->median = UNKNOWN;
	if (seen->count == 0)
		return;
	for (size_t i = 0; i < seen->count; i++)
		sorted[i] = seen->peaks[i];
	answer->median = median_of(sorted, seen->count);
	answer->smallest = sorted[0];
	answer->highest = sorted[seen->count - 1];
	answer->largest = known_larger(answer->highest, seen->below);
}

/* -- the request ----------------------------------------------------------------------------------- */

double rule_margin(const struct rule_form *form, double top)
{
	return fmax(form->floor, top * MARGIN);
}

static double ask_form(const struct rule_form *form, double top, double mid, size_t runs, double care)
{
	return top + rule_margin(form, top) + care * (top + TAIL * (top - mid)) / (double)runs;
}

static double round_up(const struct rule_form *form, double request)
{
	return fmin(ceil(request / form->unit - ROUNDING) * form->unit, GREATEST_REQUEST);
}

double rule_request(const struct rule_form *form, double top, double mid, size_t runs, double care)
{
	return round_up(form, ask_form(form, top, mid, runs, care));
}

static double ask_of(const struct rule_question *question, double top, double mid, size_t runs)
{
	return ask_form(question->form, top, mid, runs, question->care);
}

/* Fits a line by least squares. The means are subtracted first, because the squares of sizes in bytes exceed the
 * precision of a double. Returns false if no line explains the peaks. */
static bool fit_line(struct line *line, const struct seen *seen)
{
	double residuals[RULE_RUNS_MAX];
	double input_mean = 0, peak_mean = 0, input_square = 0, peak_square = 0, product = 0;

	*line = (struct line){.above = -INFINITY};
	for (size_t i = 0; i < seen->count; i++) {
		if (!number_known(seen->inputs[i]))
			continue;
		line->runs++;
		input_mean += (seen->inputs[i] - input_mean) / (double)line->runs;
		peak_mean += (seen->peaks[i] - peak_mean) / (double)line->runs;
		line->largest = fmax(line->largest, seen->inputs[i]);
	}
	if (line->runs < RULE_LINE_RUNS_MIN || line->runs * 2 < seen->count)
		return false;
	for (size_t i = 0; i < seen->count; i++) {
		if (!number_known(seen->inputs[i]))
			continue;
		double input = seen->inputs[i] - input_mean;
		double peak = seen->peaks[i] - peak_mean;
		input_square += input * input;
		peak_square += peak * peak;
		product += input * peak;
	}
	line->slope = product / input_square;
	line->fit = product / sqrt(input_square) / sqrt(peak_square);
	line->start = peak_mean - line->slope * input_mean;
	/* A quotient is NaN if all sizes or all peaks are equal. Every comparison with NaN is false, so the negated
	 * condition rejects NaN. */
	if (!(line->slope > 0 && line->fit >= FIT && isfinite(line->slope) && isfinite(line->start)))
		return false;
	for (size_t i = 0, k = 0; i < seen->count; i++) {
		if (!number_known(seen->inputs[i]))
			continue;
		residuals[k] = seen->peaks[i] - (line->start + line->slope * seen->inputs[i]);
		line->above = fmax(line->above, residuals[k++]);
	}
	line->middle = median_of(residuals, line->runs);
	return true;
}

static double ask_by_line(
	const struct rule_question *question, const struct rule_answer *answer, const struct line *line, double request)
{
	double input = question->input;
	double top = fmax(line->start + line->slope * input + line->above, answer->smallest);
	double by_line = ask_of(question, top, top - line->above + line->middle, line->runs);

	if (input <= line->largest)
		return fmin(request, by_line);
	return fmax(request, fmin(by_line, request * fmin(GROWTH_MOST, input / line->largest)));
}

static double after_death(double largest, double limit)
{
	double more = largest * AFTER_DEATH;
	return more > limit ? more : limit * AFTER_DEATH_BLIND;
}

static void adopt(struct rule_answer *answer, double request, enum rule_reason reason)
{
	if (request == answer->request)
		return;
	answer->request = request;
	answer->reason = reason;
}

static void ask_by_runs(struct rule_answer *answer, const struct rule_question *question, const struct seen *seen)
{
	struct line line;

	answer->request = ask_of(question, answer->largest, known_first(answer->median, answer->largest),
		seen->count > 0 ? seen->count : 1);
	if (usable(question->input) && fit_line(&line, seen)) {
		answer->line_runs = line.runs;
		answer->line_start = line.start;
		answer->line_slope = line.slope;
		answer->line_fit = line.fit;
		answer->line_largest = line.largest;
		adopt(answer, ask_by_line(question, answer, &line, answer->request), RULE_BY_INPUT);
	}
	if (question->limit > 0 && answer->deaths == 0 && answer->largest <= question->limit * LIMIT_ROOM)
		adopt(answer, fmin(answer->request, question->limit), RULE_BY_LIMIT);
}

struct rule_answer rule_ask(const struct rule_question *question)
{
	struct rule_answer answer = {.request = UNKNOWN, .reason = RULE_BY_PEAKS};
	struct seen seen;

	see(&seen, &answer, question);
	measure(&seen, &answer);
	/* After a death, the request is 1.1 times the largest peak if that exceeds the limit, otherwise twice the
	 * limit. The largest peak excludes the run that died, because its peak equals the limit. */
	double others = answer.largest;
	answer.largest = known_larger(others, seen.dead);
	if (number_known(answer.largest))
		ask_by_runs(&answer, question, &seen);
	if (number_known(seen.dead) && !(seen.dead <= others) && answer.reason == RULE_BY_PEAKS)
		answer.reason = RULE_AFTER_DEATH;
	if (number_known(seen.death))
		adopt(&answer, known_larger(answer.request, after_death(others, seen.death)), RULE_AFTER_DEATH);
	if (answer.request <= seen.limit)
		adopt(&answer, ask_of(question, seen.limit, seen.limit, RULE_RUNS_MAX), RULE_AFTER_DEATH);
	if (number_known(answer.request))
		answer.request = round_up(question->form, answer.request);
	return answer;
}
