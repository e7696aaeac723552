/* SPDX-License-Identifier: Apache-2.0 */
/* CPU and memory of a job by program: the bands of the stacks in two of its charts. */
#ifndef RTRACK_REPORT_PAGE_PROGRAM_BANDS_H
#define RTRACK_REPORT_PAGE_PROGRAM_BANDS_H

#include "report/model/shares.h"
#include "report/page/downsample.h"
#include "report/page/page.h"

/* Bands of no single program: all other programs, and usage in no record. */
#define STACK_OTHERS SIZE_MAX
#define STACK_UNKNOWN (SIZE_MAX - 1)

/* The bands of a chart: named programs, all others and, for CPU, usage in no record. They add up to the whole. */
struct stack {
	size_t bands; /* 0 if not measured by program */
	size_t points;
	size_t programs[SHARES_MAX + 2]; /* positions in the page's commands, or one of the above */
	double *values[SHARES_MAX + 2];  /* owned */
};

struct stacks {
	struct stack cpu, memory;
};

/* Makes both stacks. Their wholes are the lines of `cpu` and `memory` on the axis. */
void stacks_make(struct stacks *stacks, const struct page *page, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance);
void stacks_free(struct stacks *stacks);

/* Writes `,"stack":[…]` for report/page/assets/charts.js; nothing when there are no bands. */
void stack_write(FILE *out, const struct stack *stack, const struct page *page);

#endif
