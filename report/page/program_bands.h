/* SPDX-License-Identifier: Apache-2.0 */
/* CPU and memory of a job, divided by program: the bands of two stacked charts. */
#ifndef RTRACK_REPORT_PAGE_PROGRAM_BANDS_H
#define RTRACK_REPORT_PAGE_PROGRAM_BANDS_H

#include "report/model/shares.h"
#include "report/page/downsample.h"
#include "report/page/page.h"

/* Values of stack.programs for bands that belong to no single program: all other programs, and usage in no record. */
#define STACK_OTHERS SIZE_MAX
#define STACK_UNKNOWN (SIZE_MAX - 1)

/* The bands of a chart: one for each named program, one for all other programs, and for CPU, one for usage in no
 * record. At each point, the bands add up to the line of the whole job. */
struct stack {
	size_t bands; /* number of bands, or 0 if usage by program was not measured */
	size_t points;
	size_t programs[SHARES_MAX + 2]; /* index into the page's programs, STACK_OTHERS or STACK_UNKNOWN */
	double *values[SHARES_MAX + 2];  /* values of each band at each point; owned */
};

struct stacks {
	struct stack cpu, memory;
};

/* Makes the stacks of CPU and of memory. Each stack adds up to the line of `cpu` or `memory` on the axis. */
void stacks_make(struct stacks *stacks, const struct page *page, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance);
void stacks_free(struct stacks *stacks);

/* Writes `,"stack":[…]` for report/page/assets/charts.js. Writes nothing if there are no bands. */
void stack_write(FILE *out, const struct stack *stack, const struct page *page);

#endif
