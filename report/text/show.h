/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the output of `show`: how a run ended, its figures, and tables. Each figure has a line with a label, the
 * figure, and information by which to judge the figure. Text beyond the width is not truncated. It is wrapped, and
 * aligned with its beginning. */
#ifndef RTRACK_REPORT_TEXT_SHOW_H
#define RTRACK_REPORT_TEXT_SHOW_H

#include "report/model/inner_jobs.h"
#include "report/model/model.h"
#include "report/say/terminal.h"

enum { SHOW_LABEL_WIDTH = 12, SHOW_FIGURE_WIDTH = 13 };

struct show_view {
	struct terminal terminal;
	const struct run *run; /* the run of the model */
	const struct model *model;
	const struct inner_jobs *inner_jobs;
	unsigned figure_width;   /* width to which figures are padded; 0 to write a comma after the figure instead */
	bool brief;              /* each figure is one line, truncated to the width */
	bool without_sparklines; /* omit sparklines, because the screen has too few lines */
};

/* Returns the number of columns left in a line after `used` columns. */
unsigned show_width_left(const struct show_view *view, unsigned used);

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Writes a line with a label, and a text instead of a figure. */
void show_text(const struct show_view *view, const char *label, const char *text);

/* Formats "failed with exit status 3 after 2 min 3 s". */
void show_describe_end(const struct show_view *view, char *text, size_t size);
enum colour show_outcome_colour(enum outcome outcome);

/* Writes the job and how it ended in a line of `width` columns. If the line is too long, the job is truncated first. */
void show_end(const struct show_view *view, unsigned width);

/* Writes the first lines of the output: the job and how it ended, its command line, and its start and host. */
void show_heading(const struct show_view *view);

/* Writes the last lines that a failed run wrote to stderr, or those of the task that made a pipeline fail. Writes
 * nothing if stderr was not a file. */
void show_output(const struct show_view *view);

void show_cpu(const struct show_view *view);
void show_memory(const struct show_view *view);
void show_gpus(const struct show_view *view);
void show_traffic(const struct show_view *view);
void show_energy(const struct show_view *view);
void show_others(const struct show_view *view);
/* Writes the processes that still run, such as "pid 4711 sleep 60", at most `most` of them, so that the user can end
 * them. */
void show_living(const struct show_view *view, size_t most);
void show_processes(const struct show_view *view);
void show_tracker(const struct show_view *view);
/* Writes the id and the user in run.json if they differ from the run's directory and its owner. */
void show_claims(const struct show_view *view);
void show_place(const struct show_view *view);

/* Writes how a run ran out of memory: the limit that was reached, the time, the killed process, the largest processes
 * and the request. Writes nothing for any other run. */
void show_postmortem(const struct terminal *terminal, const struct postmortem *postmortem,
	const struct code_moment *lines, double start_time, double ask_mib);

/* Writes the same post-mortem in at most three lines, without the request. */
void show_postmortem_brief(
	const struct show_view *view, const struct postmortem *postmortem, const struct code_moment *lines);

/* Returns a command line without the path of its program. If the command line is unknown, returns the name of the
 * program. */
const char *show_command(const char *command, const char *program);

/* Writes as many programs as fit on the screen below `lines` lines. The caller omits the table if fewer than
 * SHOW_PROGRAMS_LEAST lines are left. Usage in no record has a row if it exceeds 1 % of the CPU time. */
enum { SHOW_PROGRAMS_LEAST = 7 };
void show_programs(const struct terminal *terminal, const struct bill *bill, unsigned lines);

/* Writes the parts that the job named, if any. */
void show_parts(const struct terminal *terminal, const struct parts *parts);

/* Writes the jobs of the runs inside a pipeline, if any. Prices have a column if they are known. */
void show_inner_jobs(const struct terminal *terminal, const struct inner_jobs *jobs);

/* Writes the process tree in the order of process_order. Each process has a line. If a process has many children that
 * run the same program and have no children themselves, these children share a line. After `limit` lines, only the
 * number of further lines is written. */
void show_tree(
	const struct terminal *terminal, const struct processes *processes, const struct bill *programs, double limit);

/* Writes at most `limit` rows of a bill, and one row for the other rows. Also writes the difference between the totals
 * and the rows. */
void show_bill(const struct terminal *terminal, const struct bill *bill, bool by_process, double limit);

/* Write at most `limit` lines of code or functions, and then the code lines at the memory peak. If `deep` is set, the
 * library functions that a function called are written below the function. */
void show_lines(const struct terminal *terminal, const struct code *code, double limit);
void show_functions(const struct terminal *terminal, const struct code *code, bool deep, double limit);

/* Writes the balance of a group, the offsets of its clocks, and its machines and ranks. For a script, writes its runs.
 * Bars show CPU time. For a large group, only the ranks that stand out are written. */
void group_write_text(const struct terminal *terminal, const struct group *group);

#endif
