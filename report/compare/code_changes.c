/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the lines of code, or the functions, of two runs. */
#include "report/compare/compare.h"

#include "core/number.h"
#include "report/say/array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct code_change *)a)->name, ((const struct code_change *)b)->name);
}

static double changed(const struct code_change *change)
{
	return change->of[1].cpu_seconds - change->of[0].cpu_seconds;
}

static int by_change(const void *a, const void *b)
{
	double x = fabs(changed(a)), y = fabs(changed(b));
	return x != y ? ORDER(y, x) : by_name(a, b);
}

static void take(struct code_changes *changes, const struct code_list *list, int side)
{
	char name[CODE_NAME_SIZE];

	for (size_t i = 0; i < list->count; i++) {
		/* A function that only calls others has no figures of its own. */
		if (list->items[i].samples == 0 && list->items[i].cpu_seconds == 0)
			continue;
		struct code_change *change = &changes->items[changes->count];
		*change = (struct code_change){.name = xstrdup(code_name(&list->items[i], name))};
		change->there[side] = true;
		change->of[side] = list->items[i];
		changes->count++;
	}
}

static void add(struct code_change *sum, const struct code_change *change)
{
	for (int side = 0; side < 2; side++) {
		sum->there[side] |= change->there[side];
		sum->of[side].cpu_seconds += change->of[side].cpu_seconds;
		sum->of[side].growth_mib += change->of[side].growth_mib;
		sum->of[side].samples += change->of[side].samples;
	}
}

static void join(struct code_changes *changes)
{
	size_t kept = 0;

	for (size_t i = 0; i < changes->count; i++) {
		if (kept == 0 || by_name(&changes->items[kept - 1], &changes->items[i]) != 0) {
			changes->items[kept++] = changes->items[i];
			continue;
		}
		add(&changes->items[kept - 1], &changes->items[i]);
		free(changes->items[i].name);
	}
	changes->count = kept;
}

void code_changes_make(struct code_changes *changes, const struct code_list *a, const struct code_list *b)
{
	*changes = (struct code_changes){.items = xcalloc(a->count + b->count, sizeof *changes->items)};
	take(changes, a, 0);
	take(changes, b, 1);
	array_sort(changes->items, changes->count, by_name);
	join(changes);
	array_sort(changes->items, changes->count, by_change);
}

void code_changes_free(struct code_changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		free(changes->items[i].name);
	free(changes->items);
	*changes = (struct code_changes){0};
}

double code_changes_cpu(const struct code_change *change, int side)
{
	return change->there[side] ? change->of[side].cpu_seconds : UNKNOWN;
}

double code_changes_growth(const struct code_change *change, int side)
{
	return change->there[side] ? change->of[side].growth_mib : UNKNOWN;
}

bool code_changes_have_share(const struct code_change *change)
{
	return change->of[0].samples >= CODE_SAMPLES_LEAST && change->of[1].samples >= CODE_SAMPLES_LEAST;
}
