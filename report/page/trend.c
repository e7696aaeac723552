/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the outliers among a job's runs, and a probable reason for each. */
#include "report/page/trend.h"

#include "report/model/median.h"
#include "report/model/model.h"
#include "report/history/waste.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/spool/job_key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FAR = 1.5, SPREADS = 3, NORMAL = 1.4826, MUCH = 1.25;
static const double PART = 1.22; /* if the product of two factors is FAR, at least one of them is PART or more */

static const struct {
	const char *name, *word;
	bool judged;
} figures[TREND_FIGURES] = {
	[TREND_seconds] = {"Duration", "duration", true},
	[TREND_cpu] = {"CPU time", "CPU time", true},
	[TREND_memory] = {"Peak memory", "peak memory", true},
	[TREND_waste] = {"Memory not used", "memory not used", false},
	[TREND_cost] = {"Cost", "cost", false},
};

const char *trend_name(enum trend_figure figure)
{
	return figures[figure].name;
}

struct figure trend_figure(const struct trend *trend, enum trend_figure figure, double value)
{
	struct figure text;

	if (figure == TREND_seconds || figure == TREND_cpu)
		return units_duration(value);
	if (figure == TREND_memory)
		return units_figure(UNIT_mib, value);
	if (figure == TREND_cost && number_known(value))
		return units_money(value, trend->currency);
	if (!number_known(value))
		return units_duration(value);
	snprintf(text.text, sizeof text.text, "%.32s GiB-hours", units_hours(value).text);
	return text;
}

/* -- runs ------------------------------------------------------------------------------------------ */

/* Returns the GiB-hours of memory that were requested but not used, or UNKNOWN if no request is known. */
static double waste_of(const struct use *use)
{
	struct waste waste = {.runs = 0};

	waste_add(&waste, use);
	return waste.of[WASTE_MEMORY].runs > 0 ? waste_between(&waste, WASTE_MEMORY) : UNKNOWN;
}

static void free_run(struct trend_run *run)
{
	free(run->id);
	free(run->page);
	free(run->name);
	free(run->status);
	free(run->unit);
}

static int by_identity(const struct trend_run *a, const struct trend_run *b)
{
	int order = ORDER(a->identity.device, b->identity.device);

	return order ? order : ORDER(a->identity.number, b->identity.number);
}

void trend_add(struct trend *trend, const struct digest *digest, const char *name, size_t spool, char *page)
{
	const struct use *use = &digest->use;

	array_grow(&trend->runs, trend->count, sizeof *trend->runs);
	trend->runs[trend->count] = (struct trend_run){.id = xstrdup(digest->id),
		.page = page,
		.identity = digest->identity,
		.name = xstrdup(name),
		.status = xstrdup(outcome_word(use->outcome)),
		.unit = xstrdup(digest->unit),
		.spool = spool,
		.position = trend->count,
		.start_time = digest->start_time,
		.figures = {use->seconds, use->cpu_used, use->peak_mib, waste_of(use), UNKNOWN},
		.end = use->end,
		.finished = use_finished(use),
		.died = use->outcome == OUTCOME_OUT_OF_MEMORY,
		.over = strcmp(digest->status, "running") != 0,
		.input_bytes = use->input_bytes,
		.vcpus = use->vcpus,
		.throttled = use->throttled,
		.limit_mib = use->limit_mib};
	trend->count++;
}

void trend_free(struct trend *trend)
{
	for (size_t i = 0; i < trend->count; i++)
		free_run(&trend->runs[i]);
	free(trend->runs);
	*trend = (struct trend){0};
}

void trend_remove_twins(struct trend *trend)
{
	size_t kept = 0;

	for (size_t i = 0; i < trend->count; i++)
		if (kept > 0 && by_identity(&trend->runs[kept - 1], &trend->runs[i]) == 0)
			free_run(&trend->runs[i]);
		else
			trend->runs[kept++] = trend->runs[i];
	trend->count = kept;
}

void trend_price(struct trend *trend, double price, const char *currency)
{
	snprintf(trend->currency, sizeof trend->currency, "%s", currency);
	for (size_t i = 0; i < trend->count; i++)
		trend->runs[i].figures[TREND_cost] = trend->runs[i].figures[TREND_seconds] / 3600 * price;
}

/* -- outliers -------------------------------------------------------------------------------------- */

struct line {
	double median;
	double spread; /* typical deviation of the values' logarithms from the median */
};

static bool is_judged(const struct trend_run *run)
{
	return run->finished && run->end != USE_PART;
}

/* Collects the known values of a figure in finished runs. Returns the number of values. */
static size_t take_values(
	const struct trend *trend, double *values, double (*of)(const struct trend_run *, int), int figure)
{
	size_t count = 0;

	for (size_t i = 0; i < trend->count; i++) {
		double value = of(&trend->runs[i], figure);
		if (is_judged(&trend->runs[i]) && number_known(value))
			values[count++] = value;
	}
	return count;
}

static double figure_of(const struct trend_run *run, int figure)
{
	return run->figures[figure];
}

static struct line line_of(const struct trend *trend, double *values, enum trend_figure figure)
{
	size_t count = take_values(trend, values, figure_of, (int)figure);
	struct line line = {.median = median_known(values, count), .spread = UNKNOWN};

	if (count < TREND_ODD_LEAST || !(line.median > 0))
		return line;
	for (size_t i = 0; i < count; i++)
		values[i] = values[i] > 0 ? fabs(log(values[i] / line.median)) : INFINITY;
	line.spread = NORMAL * median_known(values, count);
	return line;
}

bool trend_stands_out(const struct trend_run *run)
{
	return run->finished && *run->reason;
}

/* -- reasons --------------------------------------------------------------------------------------- */

/* Figures of a run that may explain why it is an outlier. */
enum cause { CAUSE_input, CAUSE_vcpus, CAUSE_throttled, CAUSES };

static double cause_of(const struct trend_run *run, int cause)
{
	return cause == CAUSE_input ? run->input_bytes : cause == CAUSE_vcpus ? run->vcpus : run->throttled;
}

static bool differs(double value, double usual, double ratio)
{
	/* A cause must differ in the same direction as the figure: more input explains more time, not less. */
	double by = value / usual;
	return (ratio > 1 && by > MUCH) || (ratio < 1 && by < 1 / MUCH);
}

/* Explains an outlier in duration or CPU time by the amount of work and by waiting, because duration is CPU time plus
 * waiting. The text has both ratios, so that similar runs get similar texts. */
static void explain_work(char *text, size_t size, double time, double cpu)
{
	double busy = cpu / time;
	const char *work = cpu > PART ? "did more work" : 1 / cpu > PART ? "did less work" : "";
	const char *wait = time > PART && 1 / busy > PART   ? "waited"
			   : 1 / time > PART && busy > PART ? "waited less"
							    : "";

	if (!isfinite(cpu) || !isfinite(time) || !(*work || *wait))
		snprintf(text, size, "nothing in its records tells why");
	else
		snprintf(text, size, "it %s%s%s: %.1f times the CPU time in %.1f times the time", work,
			*work && *wait ? " and " : "", wait, cpu, time);
}

/* Sets run->reason to the strongest cause that applies. The causes are tried from the strongest to the weakest. */
static void find_reason(const struct trend *trend, struct trend_run *run, const double usual[CAUSES])
{
	double ratio[TREND_FIGURES];
	size_t size = sizeof run->reason;

	for (int figure = 0; figure < TREND_FIGURES; figure++)
		ratio[figure] = run->figures[figure] / trend->medians[figure];
	bool odd_time = run->odd & 1u << TREND_seconds;
	double main = odd_time ? ratio[TREND_seconds] : ratio[run->odd & 1u << TREND_cpu ? TREND_cpu : TREND_memory];
	const char *death = run->died ? "out of memory" : "one of its processes ran out of memory";

	if (run->end == USE_DIED && number_known(run->limit_mib))
		snprintf(run->reason, size, "%s at %s", death, units_figure(UNIT_mib, run->limit_mib).text);
	else if (run->end == USE_DIED)
		snprintf(run->reason, size, "%s", death);
	else if (run->end == USE_FAILED && run->over)
		snprintf(run->reason, size, "it did not finish: %s", run->status);
	else if (run->odd == 0)
		return;
	else if (differs(run->input_bytes, usual[CAUSE_input], main))
		snprintf(run->reason, size, "its input has %s, %.1f times the usual",
			units_figure(UNIT_bytes, run->input_bytes).text, run->input_bytes / usual[CAUSE_input]);
	else if (odd_time && main > 1 && run->throttled > usual[CAUSE_throttled] + 0.1 * run->figures[TREND_seconds])
		snprintf(run->reason, size, "held back by its CPU limit for %s", units_duration(run->throttled).text);
	else if (odd_time && number_known(run->vcpus) && !differs(run->vcpus, usual[CAUSE_vcpus], main) &&
		 differs(run->vcpus, usual[CAUSE_vcpus], 1 / main))
		snprintf(run->reason, size, "its machine had %.0f CPU%s, usually %.0f", run->vcpus,
			run->vcpus > 1 ? "s" : "", usual[CAUSE_vcpus]);
	else if (run->odd & (1u << TREND_seconds | 1u << TREND_cpu))
		explain_work(run->reason, size, ratio[TREND_seconds], ratio[TREND_cpu]);
	else
		snprintf(run->reason, size, "nothing in its records tells why");
}

static int by_start(const void *a, const void *b)
{
	const struct trend_run *x = a, *y = b;
	int order = ORDER(x->start_time, y->start_time);

	order = order ? order : strcmp(x->id, y->id);
	return order ? order : by_identity(x, y);
}

void trend_judge(struct trend *trend)
{
	double *values = xcalloc(trend->count, sizeof *values);
	double usual[CAUSES];

	array_sort(trend->runs, trend->count, by_start);
	for (int figure = 0; figure < TREND_FIGURES; figure++) {
		struct line line = line_of(trend, values, (enum trend_figure)figure);
		trend->medians[figure] = line.median;
		for (size_t i = 0; figures[figure].judged && i < trend->count; i++) {
			double value = trend->runs[i].figures[figure];
			double distance = value > 0 ? fabs(log(value / line.median)) : UNKNOWN;
			if (is_judged(&trend->runs[i]) && distance > log(FAR) && distance > SPREADS * line.spread)
				trend->runs[i].odd |= 1u << figure;
		}
	}
	for (int cause = 0; cause < CAUSES; cause++)
		usual[cause] = median_known(values, take_values(trend, values, cause_of, cause));
	for (size_t i = 0; i < trend->count; i++)
		find_reason(trend, &trend->runs[i], usual);
	free(values);
}

void trend_describe(const struct trend *trend, const struct trend_run *run, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (int figure = 0; figure < TREND_FIGURES && length < size; figure++)
		if (run->odd & 1u << figure)
			length += (size_t)snprintf(text + length, size - length, "%s%s %.1f times", length ? ", " : "",
				figures[figure].word, run->figures[figure] / trend->medians[figure]);
}

/* -- runs of one job ------------------------------------------------------------------------------- */

static bool is_of_job(const void *context, const struct digest *digest)
{
	return !digest->problem && strcmp(digest->key, context) == 0;
}

/* Finds the digest of a run if it is a run of the job `key`. `model` is the model of the run `own`. The digest of that
 * run is made from the model, because reading the run again would double the memory that a page needs. */
static bool find_digest(struct digest *digest, const struct runs *runs, const char *name, const char *own,
	const struct model *model, const char *key)
{
	if (strcmp(name, own) != 0)
		return digest_find(digest, runs, name, is_of_job, key);
	return !model->run->problem && digest_of_model(digest, model);
}

void trend_read(struct trend *trend, const struct model *model)
{
	const struct run *run = model->run;
	struct runs runs = {0};
	struct digest digest;
	const char *own = text_basename(text_of(run->directory)).data, *name;
	char *spool = xstrndup(run->directory, (size_t)(own - run->directory));
	char *key = job_key(run);

	*trend = (struct trend){0};
	if (runs_list(&runs, spool) == 0)
		while (trend->count < TREND_WINDOW && (name = runs_next_name(&runs)))
			if (find_digest(&digest, &runs, name, own, model, key)) {
				trend_add(trend, &digest, name, 0, xstrdup(name));
				digest_free(&digest);
			}
	free(key);
	free(spool);
	runs_free(&runs);
	trend_judge(trend);
}
