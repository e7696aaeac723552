/* SPDX-License-Identifier: Apache-2.0 */
/* What `show` writes about a run: its end, its figures, a line each, and tables.
 *
 * A line has a label, a figure, and what the figure is to be judged by. What does not fit in the width goes on in the
 * next line, under the beginning of its text: an explanation is never cut. */
#ifndef RTRACK_REPORT_TEXT_SHOW_H
#define RTRACK_REPORT_TEXT_SHOW_H

#include "report/model/model.h"
#include "report/say/terminal.h"

enum { SHOW_LABEL_WIDTH = 12, SHOW_FIGURE_WIDTH = 13 };

struct show_view {
	struct terminal terminal;
	const struct run *run; /* of the model */
	const struct model *model;
	unsigned figure_width;   /* 0 for no padding, and a comma behind the figure */
	bool without_sparklines; /* because the screen is too low for them */
};

/* The columns that are left in a line of which `used` are written. */
unsigned show_width_left(const struct show_view *view, unsigned used);

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A line with a text instead of a figure. */
void show_text(const struct show_view *view, const char *label, const char *text);

/* Writes the job and its end in `width` columns. If they are too long, the job is cut first. */
void show_end(const struct show_view *view, unsigned width);

/* The first lines: the job and its end, its command line, when and where it ran. */
void show_heading(const struct show_view *view);

/* The last lines of stderr of a failed run, if it went to a file. */
void show_output(const struct show_view *view);

void show_cpu(const struct show_view *view);
void show_memory(const struct show_view *view);
void show_gpus(const struct show_view *view);
void show_traffic(const struct show_view *view);
void show_energy(const struct show_view *view);
void show_others(const struct show_view *view);
void show_processes(const struct show_view *view);
void show_tracker(const struct show_view *view);
void show_place(const struct show_view *view);

/* Writes which limit was met and when, the process that was killed, the holders of memory, and the request; nothing if
 * the run did not run out of memory. */
void show_postmortem(const struct terminal *terminal, const struct postmortem *postmortem,
	const struct code_moment *lines, double start_time, double ask_mib);

/* Writes the programs that fit below `lines` lines, and usage in no record, if it is more than a hundredth of the CPU
 * time. This takes SHOW_PROGRAMS_LEAST lines if there are as many. */
enum { SHOW_PROGRAMS_LEAST = 7 };
void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines);

/* Writes the parts that the job named, if any. */
void show_parts(const struct terminal *terminal, const struct parts *parts);

/* Writes a line for each process, with its children below it in their order (process_order). Several children of one
 * program without children of their own share a line. Beyond `limit` lines, only their number is written. */
void show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit);

/* Writes at most `limit` rows of a bill, the others as one, and always the difference to the totals. */
void show_bill(const struct terminal *terminal, const struct bill *bill, bool by_process, double limit);

/* Writes at most `limit` lines of code or functions, and the lines at the peak of memory. */
void show_lines(const struct terminal *terminal, const struct code *code, bool by_function, double limit);

#endif
