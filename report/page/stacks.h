/* CPU and memory of a job by program: the bands of the stacks in two of its charts. */
#ifndef RTRACK_REPORT_PAGE_STACKS_H
#define RTRACK_REPORT_PAGE_STACKS_H

#include "report/figures/shares.h"
#include "report/markup/thin.h"
#include "report/page/model.h"

/* One chart's bands. The last one is what the named programs leave of the whole. */
struct html_stack {
	size_t bands; /* 0: not measured by program */
	size_t points;
	size_t programs[SHARES_MAX + 1]; /* positions in the model's commands; SIZE_MAX: all others */
	double *values[SHARES_MAX + 1];  /* owned */
};

struct html_stacks {
	struct html_stack cpu, memory;
};

/* The whole of each is what `cpu` and `memory` are on the axis. Returns 0, or -1 with errno when there is no memory. */
int html_stacks_make(struct html_stacks *stacks, const struct html_model *model, const struct thin_axis *axis,
	const struct thin_source *cpu, const struct thin_source *memory, double tolerance);
void html_stacks_free(struct html_stacks *stacks);

/* `,"stack":[…]` for report/page/assets/charts.js; nothing when there are no bands. */
void html_stack_write(FILE *out, const struct html_stack *stack, const struct html_model *model);

#endif
