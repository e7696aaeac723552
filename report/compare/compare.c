/* What changed between two runs; see compare.h. */
#include "report/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_change(const void *a, const void *b)
{
	const struct program_change *x = a;
	const struct program_change *y = b;
	if (fabs(x->cpu_seconds) != fabs(y->cpu_seconds))
		return fabs(x->cpu_seconds) < fabs(y->cpu_seconds) ? 1 : -1;
	return strcmp((x->a ? x->a : x->b)->program, (y->a ? y->a : y->b)->program);
}

static int by_name(const void *a, const void *b)
{
	const struct program_change *x = a;
	const struct program_change *y = b;
	return strcmp((x->a ? x->a : x->b)->program, (y->a ? y->a : y->b)->program);
}

/* Joins neighbours with the same name, one of each side, to one change. */
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

static int pair_programs(struct comparison *comparison)
{
	const struct bill *a = &comparison->a.model.programs;
	const struct bill *b = &comparison->b.model.programs;
	struct program_change *changes = calloc(a->programs + b->programs + 1, sizeof *changes);

	if (!changes)
		return -1;
	for (size_t i = 0; i < a->programs; i++)
		changes[i].a = &a->rows[i];
	for (size_t i = 0; i < b->programs; i++)
		changes[a->programs + i].b = &b->rows[i];
	qsort(changes, a->programs + b->programs, sizeof *changes, by_name);
	comparison->program_count = join(changes, a->programs + b->programs);
	for (size_t i = 0; i < comparison->program_count; i++)
		changes[i].cpu_seconds =
			(changes[i].b ? changes[i].b->cpu_seconds : 0) - (changes[i].a ? changes[i].a->cpu_seconds : 0);
	qsort(changes, comparison->program_count, sizeof *changes, by_change);
	comparison->programs = changes;
	return 0;
}

static int pair_code(struct comparison *comparison)
{
	const struct code *a = &comparison->a.model.code, *b = &comparison->b.model.code;
	bool lines = strcmp(comparison->by, "line") == 0;

	return code_changes_make(
		&comparison->code, lines ? &a->lines : &a->functions, lines ? &b->lines : &b->functions);
}

int comparison_make(struct comparison *comparison, const struct conditions *conditions)
{
	if (pair_programs(comparison) != 0 || (comparison->by && pair_code(comparison) != 0))
		return -1;
	if (comparison->by_phase)
		pairs_make(&comparison->pairs, &comparison->a.model, &comparison->b.model);
	comparison->conditions = conditions;
	for (size_t i = 0; i < conditions->count; i++) {
		enum measure_id measure = conditions->items[i].measure;
		comparison->holds[i] = condition_holds(
			&conditions->items[i], comparison->a.figures[measure], comparison->b.figures[measure]);
	}
	return 0;
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
