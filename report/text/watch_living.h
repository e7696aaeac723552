/* The processes that live in a run at its last tick, and what each uses just then. */
#ifndef RTRACK_REPORT_TEXT_WATCH_LIVING_H
#define RTRACK_REPORT_TEXT_WATCH_LIVING_H

#include "report/model/model.h"
#include "report/say/terminal.h"

struct living {
	struct living_process {
		const struct process *process;
		double time; /* of its last row in member.csv: a row is written only where something changed */
		double cpus; /* in that tick */
		double memory_mib;
		const struct code_line *line; /* of the model; NULL: unknown */
	} * items;                            /* the busiest first; owned */
	size_t count;
};

/* Reads member.csv; the model has its lines, and stays. Returns 0, or -1 with errno when there is no memory. */
int living_make(struct living *living, const struct model *model);
void living_free(struct living *living);

/* Writes a table of as many as `lines` hold with their title, and of how many there are more. */
void living_show(const struct living *living, const struct terminal *terminal, unsigned lines);

#endif
