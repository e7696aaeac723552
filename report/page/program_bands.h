/* SPDX-License-Identifier: Apache-2.0 */
/* CPU and memory of a job by program: the bands of two stacked charts. */
#ifndef RTRACK_REPORT_PAGE_PROGRAM_BANDS_H
#define RTRACK_REPORT_PAGE_PROGRAM_BANDS_H

#include "report/model/shares.h"
#include "report/page/downsample.h"
#include "report/page/page.h"

/* Bands that do not belong to one program: all other programs, and usage in no record. */
#define STACK_OTHERS SIZE_MAX
#define STACK_UNKNOWN (SIZE_MAX - 1)

/* The bands of a chart: named programs, all others, and for CPU, usage in no record. They add up to the whole line. */
struct stack {
	size_t bands; /* number of bands, or 0 if usage by program was not measured */
	size_t points;
	size_t programs[SHARES_MAX + 2]; /* indices into the page's programs, or STACK_OTHERS or STACK_UNKNOWN */
	double *values[SHARES_MAX + 2];  /* values of each band by point; owned */
};

struct stacks {
	struct stack cpu, memory;
};

/* Makes both stacks. Their sums are the lines of `cpu` and `memory` on the axis. */
void stacks_make(struct stacks *stacks, const struct page *page, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance);
void stacks_free(struct stacks *stacks);

/* Writes `,"stack":[…]` for report/page/assets/charts.js; nothing if there are no bands. */
void stack_write(FILE *out, const struct stack *stack, const struct page *page);

#endif
