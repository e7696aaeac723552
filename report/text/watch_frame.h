/* SPDX-License-Identifier: Apache-2.0 */
/* What `watch` shows of a run at one moment: a screen, a line, or an object of JSON. */
#ifndef RTRACK_REPORT_TEXT_WATCH_FRAME_H
#define RTRACK_REPORT_TEXT_WATCH_FRAME_H

#include "report/model/model.h"
#include "report/say/terminal.h"
#include "report/spool/run.h"

/* The processes that live at the last tick of a run. */
struct living {
	struct living_process {
		const struct process *process;
		double time; /* of its last row in member.csv, which has rows only where something changed */
		double cpus; /* in that tick */
		double memory_mib;
		const struct code_line *line; /* of the model, or NULL if unknown */
	} * items;                            /* the busiest first; owned */
	size_t count;
};

struct watch_frame {
	struct run run;
	struct model model;
	struct living living;
	double usual_seconds; /* the median duration of earlier runs, or UNKNOWN */
};

/* Reads the run in `directory` as it is now; a row that is still being written is left out without a message. With
 * `living`, also reads the living processes. `more` is a mask of further columns of process.csv. Returns 0, or -1 if
 * the run cannot be read. */
int watch_frame_read(struct watch_frame *frame, const char *directory, bool living, uint64_t more);
void watch_frame_free(struct watch_frame *frame);

/* Writes lines for the width and height of the terminal. If it is low, the least important lines are left out. */
void watch_frame_screen(const struct watch_frame *frame, const struct terminal *terminal);
void watch_frame_line(const struct watch_frame *frame, FILE *out);
void watch_frame_json(const struct watch_frame *frame, FILE *out);

#endif
