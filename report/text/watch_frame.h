/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `watch` for a run at one moment: a screen, a line, or a JSON object. */
#ifndef RTRACK_REPORT_TEXT_WATCH_FRAME_H
#define RTRACK_REPORT_TEXT_WATCH_FRAME_H

#include "report/model/model.h"
#include "report/say/terminal.h"
#include "report/spool/run.h"

/* The processes that are alive at the last tick of a run. */
struct living {
	struct living_process {
		const struct process *process;
		double time; /* time of the process's last row in member.csv, which has rows only for changes */
		double cpus; /* CPUs used in that tick */
		double memory_mib;
		const struct code_line *line; /* current code line, owned by the model; NULL if unknown */
	} * items;                            /* sorted by CPU usage, descending; owned */
	size_t count;
};

struct watch_frame {
	struct run run;
	struct model model;
	struct living living;
	double usual_seconds; /* median duration of earlier runs, or UNKNOWN */
};

/* Reads the current state of the run in `directory`. Skips an incomplete last row without a message. With `living`,
 * also reads the living processes. `more` is a mask of additional columns of process.csv. Returns 0, or -1 if the run
 * cannot be read. */
int watch_frame_read(struct watch_frame *frame, const char *directory, bool living, uint64_t more);
void watch_frame_free(struct watch_frame *frame);

/* Writes lines that fit the terminal. If the terminal has few lines, the least important lines are omitted. */
void watch_frame_screen(const struct watch_frame *frame, const struct terminal *terminal);
void watch_frame_line(const struct watch_frame *frame, FILE *out);
void watch_frame_json(const struct watch_frame *frame, FILE *out);

#endif
