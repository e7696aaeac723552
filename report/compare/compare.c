/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what changed between two runs. */
#include "report/compare/compare.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_change(const void *a, const void *b)
{
	const struct program_change *x = a;
	const struct program_change *y = b;
	if (fabs(x->cpu_seconds) != fabs(y->cpu_seconds))
		return ORDER(fabs(y->cpu_seconds), fabs(x->cpu_seconds));
	return strcmp((x->a ? x->a : x->b)->program, (y->a ? y->a : y->b)->program);
}

static int by_name(const void *a, const void *b)
{
	const struct program_change *x = a;
	const struct program_change *y = b;
	return strcmp((x->a ? x->a : x->b)->program, (y->a ? y->a : y->b)->program);
}

struct label compare_program_label(const struct program_change *change)
{
	if (!change->a || !change->b)
		return bill_label(change->a ? change->a : change->b);
	struct label a = bill_label(change->a), b = bill_label(change->b);
	if (strcmp(a.text, b.text) != 0)
		snprintf(a.text, sizeof a.text, "%s", change->a->program);
	return a;
}

/* Merges two adjacent entries into one if they have the same name and come from different sides. Returns the new number
 * of entries. */
static size_t join(struct program_change *changes, size_t count)
{
	size_t joined = 0;

	for (size_t i = 0; i < count; i++) {
		struct program_change *last = joined > 0 ? &changes[joined - 1] : NULL;
		if (!last || by_name(last, &changes[i]) != 0) {
			changes[joined++] = changes[i];
			continue;
		}
		last->a = last->a ? last->a : changes[i].a;
		last->b = last->b ? last->b : changes[i].b;
	}
	return joined;
}

static void pair_programs(struct comparison *comparison)
{
	const struct bill *a = &comparison->a.model.programs;
	const struct bill *b = &comparison->b.model.programs;
	struct program_change *changes = xcalloc(a->programs + b->programs, sizeof *changes);

	for (size_t i = 0; i < a->programs; i++)
		changes[i].a = &a->rows[i];
	for (size_t i = 0; i < b->programs; i++)
		changes[a->programs + i].b = &b->rows[i];
	array_sort(changes, a->programs + b->programs, by_name);
	comparison->program_count = join(changes, a->programs + b->programs);
	for (size_t i = 0; i < comparison->program_count; i++)
		changes[i].cpu_seconds =
			(changes[i].b ? changes[i].b->cpu_seconds : 0) - (changes[i].a ? changes[i].a->cpu_seconds : 0);
	array_sort(changes, comparison->program_count, by_change);
	comparison->programs = changes;
}

static void pair_code(struct comparison *comparison)
{
	const struct code *a = &comparison->a.model.code, *b = &comparison->b.model.code;
	bool lines = strcmp(comparison->by, "line") == 0;

	code_changes_make(&comparison->code, lines ? &a->lines : &a->functions, lines ? &b->lines : &b->functions);
}

void comparison_make(struct comparison *comparison, const struct conditions *conditions)
{
	pair_programs(comparison);
	if (comparison->by)
		pair_code(comparison);
	if (comparison->by_phase)
		pairs_make(&comparison->pairs, &comparison->a.model, &comparison->b.model);
	comparison->conditions = conditions;
	for (size_t i = 0; i < conditions->count; i++) {
		enum measure_id measure = conditions->items[i].measure;
		comparison->holds[i] = condition_holds(
			&conditions->items[i], comparison->a.figures[measure], comparison->b.figures[measure]);
	}
}

void comparison_free(struct comparison *comparison)
{
	free(comparison->programs);
	code_changes_free(&comparison->code);
	side_free(&comparison->a);
	side_free(&comparison->b);
}

bool compare_is_noise(const struct comparison *comparison, enum measure_id measure)
{
	const struct side *a = &comparison->a, *b = &comparison->b;

	return a->runs > 1 && b->runs > 1 && a->figures[measure] != b->figures[measure] &&
	       b->figures[measure] >= a->least[measure] && b->figures[measure] <= a->greatest[measure] &&
	       a->figures[measure] >= b->least[measure] && a->figures[measure] <= b->greatest[measure];
}

/* -- verdict --------------------------------------------------------------------------------------- */

/* The verdict omits a figure if the larger value is less than this many times the smaller one. */
static const double SAME = 1.1;

/* Returns the figure of B divided by the figure of A, or 1 if the verdict omits the figure. */
static double ratio_of(const struct comparison *comparison, enum measure_id measure)
{
	double ratio = comparison->b.figures[measure] / comparison->a.figures[measure];

	return !isfinite(ratio) || (ratio < SAME && 1 / ratio < SAME) || compare_is_noise(comparison, measure) ? 1
													       : ratio;
}

/* Formats "1.3 times the", or "the same". */
static struct figure ratio_words(double ratio)
{
	struct figure figure = {"the same"};

	if (ratio != 1)
		snprintf(figure.text, sizeof figure.text, "%.20s times the", units_ratio(ratio).text);
	return figure;
}

const char *compare_verdict(const struct comparison *comparison, char text[COMPARE_VERDICT_SIZE])
{
	double time = ratio_of(comparison, MEASURE_wall_seconds), cpu = ratio_of(comparison, MEASURE_cpu_seconds),
	       memory = ratio_of(comparison, MEASURE_peak_memory_mib), busy = cpu / time;
	const char *work = cpu > SAME ? "did more work" : 1 / cpu > SAME ? "did less work" : "";
	const char *wait = time > SAME && 1 / busy > SAME   ? "waited longer"
			   : 1 / time > SAME && busy > SAME ? "waited less"
							    : "";

	*text = '\0';
	if (time == 1 && cpu == 1 && memory == 1)
		snprintf(text, COMPARE_VERDICT_SIZE, "B is like A in time, CPU time and peak memory.");
	else if (*work || *wait)
		snprintf(text, COMPARE_VERDICT_SIZE, "B %s%s%s: %s CPU time in %s time.", work,
			*work && *wait ? " and " : "", wait, ratio_words(cpu).text, ratio_words(time).text);
	else if (memory != 1)
		snprintf(text, COMPARE_VERDICT_SIZE, "B did the same work.");
	if (memory != 1)
		units_append(
			text, COMPARE_VERDICT_SIZE, " Peak memory is %s times that of A.", units_ratio(memory).text);
	return text;
}

/* -- parts ----------------------------------------------------------------------------------------- */

static const struct part *part_named(const struct parts *parts, const char *name)
{
	for (size_t i = 0; i < parts->count; i++)
		if (strcmp(parts->items[i].name, name) == 0)
			return &parts->items[i];
	return NULL;
}

size_t compare_parts(const struct comparison *comparison, struct part_pair pairs[PART_PAIRS_MAX])
{
	const struct parts *a = &comparison->a.model.parts, *b = &comparison->b.model.parts;
	size_t count = 0;

	for (size_t i = 0; i < a->count; i++)
		pairs[count++] = (struct part_pair){&a->items[i], part_named(b, a->items[i].name)};
	for (size_t i = 0; i < b->count; i++)
		if (!part_named(a, b->items[i].name))
			pairs[count++] = (struct part_pair){NULL, &b->items[i]};
	return count;
}

struct pair_figures compare_part_figures(const struct part *part)
{
	/* figures of GPUs remain UNKNOWN, because parts have none */
	struct pair_figures figures = pairs_figures(NULL);

	if (part)
		figures = (struct pair_figures){{part->seconds, part->cpu_seconds, part->mean_cpu,
			part->peak_memory_mib, part->read_bytes, part->write_bytes, UNKNOWN, UNKNOWN}};
	return figures;
}

static void part_name(char *text, size_t size, const struct part_pair *pair)
{
	const char *alone = !pair->a ? " of B alone" : !pair->b ? " of A alone" : "";

	snprintf(text, size, "%s%s", (pair->a ? pair->a : pair->b)->name, alone);
}

/* -- rows ------------------------------------------------------------------------------------------ */

static void hand_on(const char *name, struct pair_figures a, struct pair_figures b, bool one_is_exact,
	compare_take *take, void *context)
{
	for (size_t i = 0; i < PAIR_MEASURES; i++) {
		enum measure_id measure = pair_measures[i];
		struct compare_row row = {i == 0 ? name : compare_part_label(measure), measure, a.of[i], b.of[i],
			b.of[i] - a.of[i], NULL, false};
		if (one_is_exact && measure == MEASURE_peak_memory_mib)
			/* a change would be meaningless, because only bounds of the other value are known */
			row.instead = "one is exact";
		if (i == 0 || row.a > 0 || row.b > 0)
			take(context, &row);
	}
}

void compare_each_code(const struct comparison *comparison, size_t limit, compare_take *take, void *context)
{
	for (size_t i = 0; i < comparison->code.count && i < limit; i++) {
		const struct code_change *change = &comparison->code.items[i];
		double a = code_changes_cpu(change, 0), b = code_changes_cpu(change, 1);
		struct compare_row row = {change->name, MEASURE_cpu_seconds, a, b,
			known_first(b, 0) - known_first(a, 0), NULL, !code_changes_have_share(change)};
		take(context, &row);
		a = code_growth(&change->of[0]);
		b = code_growth(&change->of[1]);
		row = (struct compare_row){"  memory grew", MEASURE_peak_memory_mib, a, b,
			known_first(b, 0) - known_first(a, 0), NULL, true};
		if (number_known(a) || number_known(b))
			take(context, &row);
	}
}

bool compare_has_parts(const struct comparison *comparison)
{
	return comparison->a.model.parts.count + comparison->b.model.parts.count > 0;
}

void compare_each_part(const struct comparison *comparison, compare_take *take, void *context)
{
	struct part_pair pairs[PART_PAIRS_MAX];
	size_t count = compare_parts(comparison, pairs);
	char name[80];

	for (size_t i = 0; i < count; i++) {
		const struct part_pair *pair = &pairs[i];
		part_name(name, sizeof name, pair);
		hand_on(name, compare_part_figures(pair->a), compare_part_figures(pair->b),
			pair->a && pair->b && pair->a->exact_peak != pair->b->exact_peak, take, context);
	}
}

static void phase_name(char *text, size_t size, const struct pairs *pairs, size_t position)
{
	const struct phase_pair *pair = &pairs->items[position];
	size_t a = pairs_number(&pairs->a, pair->a), b = pairs_number(&pairs->b, pair->b);

	if (a > 0 && b > 0 && a != b)
		snprintf(text, size, "Phase %zu, in B %zu", a, b);
	else if (a > 0 && b > 0)
		snprintf(text, size, "Phase %zu", a);
	else
		snprintf(text, size, "Phase %zu of %s alone", a > 0 ? a : b, a > 0 ? "A" : "B");
}

void compare_each_phase(const struct comparison *comparison, compare_take *take, void *context)
{
	const struct pairs *pairs = &comparison->pairs;
	char name[64];

	for (size_t i = 0; i < pairs->count; i++) {
		phase_name(name, sizeof name, pairs, i);
		hand_on(name, pairs_figures(pairs->items[i].a), pairs_figures(pairs->items[i].b), false, take, context);
	}
}

/* -- noise ----------------------------------------------------------------------------------------- */

static const double TICK_SECONDS = 0.01; /* resolution of the CPU times from the kernel */

bool compare_explain(const struct comparison *comparison, enum measure_id measure, char *text, size_t size)
{
	const struct side *sides[2] = {&comparison->a, &comparison->b};
	const struct totals *a = &sides[0]->model.totals, *b = &sides[1]->model.totals;
	double change = sides[1]->figures[measure] - sides[0]->figures[measure];
	enum unit unit = compare_unit(measure);

	if (sides[0]->runs != 1 || sides[1]->runs != 1 || !number_known(change) || change == 0)
		return false;
	if (unit == UNIT_seconds && fabs(change) < TICK_SECONDS) {
		snprintf(text, size, "less than the kernel's clock can tell, 10 ms");
		return true;
	}
	if (measure == MEASURE_processes && !(a->exact_processes && b->exact_processes)) {
		snprintf(text, size, "the number of %s is a lower bound",
			a->exact_processes   ? "B"
			: b->exact_processes ? "A"
					     : "both");
		return true;
	}
	if (measure == MEASURE_peak_memory_mib && a->peak_memory_at_least_mib <= b->peak_memory_at_most_mib &&
		b->peak_memory_at_least_mib <= a->peak_memory_at_most_mib) {
		struct figure bounds[4] = {compare_figure(measure, a->peak_memory_at_least_mib),
			compare_figure(measure, a->peak_memory_at_most_mib),
			compare_figure(measure, b->peak_memory_at_least_mib),
			compare_figure(measure, b->peak_memory_at_most_mib)};
		snprintf(text, size, "that of A lies between %s and %s, that of B between %s and %s", bounds[0].text,
			bounds[1].text, bounds[2].text, bounds[3].text);
		return true;
	}
	return false;
}
