/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `show`'s output: how a run ended, its figures, one per line, and tables.
 *
 * A line has a label, a figure, and information to judge the figure by. Text beyond the width is wrapped, aligned with
 * its beginning; it is never truncated. */
#ifndef RTRACK_REPORT_TEXT_SHOW_H
#define RTRACK_REPORT_TEXT_SHOW_H

#include "report/model/model.h"
#include "report/say/terminal.h"

enum { SHOW_LABEL_WIDTH = 12, SHOW_FIGURE_WIDTH = 13 };

struct show_view {
	struct terminal terminal;
	const struct run *run; /* the run of the model */
	const struct model *model;
	unsigned figure_width;   /* 0: a comma follows the figure, without padding */
	bool without_sparklines; /* omit sparklines, because the screen is too low */
};

/* Returns the number of columns left in a line after `used` columns. */
unsigned show_width_left(const struct show_view *view, unsigned used);

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes a line with a text instead of a figure. */
void show_text(const struct show_view *view, const char *label, const char *text);

/* Writes the job and how it ended in `width` columns. If the line is too long, the job is truncated first. */
void show_end(const struct show_view *view, unsigned width);

/* Writes the first lines: the job and how it ended, its command line, and its start and host. */
void show_heading(const struct show_view *view);

/* Writes the last lines of stderr of a failed run, if stderr was a file. */
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

/* Writes the limit that was reached, the time, the killed process, the largest processes and the request. Writes
 * nothing if the run did not run out of memory. */
void show_postmortem(const struct terminal *terminal, const struct postmortem *postmortem,
	const struct code_moment *lines, double start_time, double ask_mib);

/* A command line without the path of its program, or the program's name if there is no command line. */
const char *show_command(const char *command, const char *program);

/* Writes as many programs as fit below `lines` lines, but at least SHOW_PROGRAMS_LEAST lines if there are as many
 * programs. Also writes usage in no record if it exceeds 1 % of the CPU time. */
enum { SHOW_PROGRAMS_LEAST = 7 };
void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines);

/* Writes the parts that the job named, if any. */
void show_parts(const struct terminal *terminal, const struct parts *parts);

/* Writes the process tree, one line per process, in the order of process_order. Siblings of one program without
 * children share a line if there are many. After `limit` lines, only the number of further lines is written. */
void show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit);

/* Writes at most `limit` rows of a bill, and one row for the others. Always writes the difference from the totals. */
void show_bill(const struct terminal *terminal, const struct bill *bill, bool by_process, double limit);

/* Writes at most `limit` lines of code or functions, and the lines at the memory peak. */
void show_lines(const struct terminal *terminal, const struct code *code, bool by_function, double limit);

/* Writes the balance of a group, the clock offsets, and its machines and ranks, or the runs of a script. Bars show CPU
 * time. Of a large group, only ranks that stand out are listed. */
void group_write_text(const struct terminal *terminal, const struct group *group);

#endif
