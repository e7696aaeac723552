/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what changed between two runs, or two sets of runs, for text and JSON. */
#ifndef RTRACK_REPORT_COMPARE_COMPARE_H
#define RTRACK_REPORT_COMPARE_COMPARE_H

#include "report/model/code.h"
#include "report/compare/pairs.h"
#include "report/compare/side.h"
#include "report/say/terminal.h"

struct code_change {
	/* name from code_name, without the folder, because two runs seldom have their scripts in the same folder */
	char *name;
	bool there[2];
	struct code_line of[2]; /* figures of A and B; strings are unset */
};

struct code_changes {
	struct code_change *items; /* sorted by change of CPU time, descending */
	size_t count;
};

/* A program that at least one run executed. */
struct program_change {
	const struct bill_row *a; /* the program's row in A, or NULL if A did not execute it */
	const struct bill_row *b;
	double cpu_seconds; /* b − a */
};

struct comparison {
	struct side a;
	struct side b;
	struct program_change *programs; /* sorted by change, descending */
	size_t program_count;
	const char *by; /* "line" or "function", the kind of `code`; NULL if not requested */
	struct code_changes code;
	const struct conditions *conditions;
	int holds[CONDITIONS_MAX]; /* results of condition_holds */
	bool by_phase;             /* false if `pairs` is empty */
	struct pairs pairs;
};

/* Compares the sides, which must have been read. */
void comparison_make(struct comparison *comparison, const struct conditions *conditions);
void comparison_free(struct comparison *comparison);

/* Name of a program: its label, or the executable's name if the labels of the runs differ. */
struct label compare_program_label(const struct program_change *change);

/* Whether the change of a figure is noise: the figure of each side lies within the range of the other side's runs.
 * Always false if a side has a single run. */
bool compare_is_noise(const struct comparison *comparison, enum measure_id measure);

/* A part that the job named in one or both of the runs. */
struct part_pair {
	const struct part *a, *b; /* the part in each run, or NULL if that run lacks it */
};
enum { PART_PAIRS_MAX = 2 * PARTS_MAX };
/* Pairs parts by name, in the order of A. Parts that only B has come last. Returns the number of pairs. */
size_t compare_parts(const struct comparison *comparison, struct part_pair pairs[PART_PAIRS_MAX]);
/* Returns the figures of a part. All are UNKNOWN if `part` is NULL. Figures that parts do not have are also UNKNOWN. */
struct pair_figures compare_part_figures(const struct part *part);

/* A figure of a part, phase or code line in both runs, as shown in text and on the page. */
struct compare_row {
	/* name of the part in its first row, such as "load" or "load of A alone"; name of the figure in the other rows,
	 * such as " CPU time" */
	const char *name;
	enum measure_id measure;
	double a, b;
	double change;
	const char *instead; /* text shown instead of a meaningless change, or NULL */
	bool few;            /* too few samples for a percentage */
};
typedef void compare_take(void *context, const struct compare_row *row);
bool compare_has_parts(const struct comparison *comparison);
/* Calls take(context, row) for the rows of each part, or of each phase. The first row of a part is always passed. Other
 * rows are skipped if neither run has a value. */
void compare_each_part(const struct comparison *comparison, compare_take *take, void *context);
void compare_each_phase(const struct comparison *comparison, compare_take *take, void *context);
/* Calls take(context, row) for the CPU time of the first `limit` lines or functions, each followed by its memory growth
 * if either run has some. */
void compare_each_code(const struct comparison *comparison, size_t limit, compare_take *take, void *context);

/* Explains in a sentence that a difference between two runs may not be real, because it is within the measurement
 * error. Returns false if the difference is real, if there is none, or if a side has several runs. */
bool compare_explain(const struct comparison *comparison, enum measure_id measure, char *text, size_t size);

const char *compare_label(enum measure_id measure);
enum unit compare_unit(enum measure_id measure);
/* The label of a measure, indented to stand below the name of a part, such as "  CPU time". */
const char *compare_part_label(enum measure_id measure);
/* Formats "300 MiB", or "-" if unknown. */
struct figure compare_figure(enum measure_id measure, double value);
/* Formats "+30 MiB", "=", or "-" if unknown. */
struct figure compare_change(enum measure_id measure, double a, double b);
/* Formats "+10%", or "" if unknown or infinite. */
struct figure compare_percent(double a, double b);

/* Compares the lines of code, or the functions, of two runs. */
void code_changes_make(struct code_changes *changes, const struct code_list *a, const struct code_list *b);
void code_changes_free(struct code_changes *changes);

/* The CPU time or the memory growth of a line on one side, or UNKNOWN if that side lacks the line. */
double code_changes_cpu(const struct code_change *change, int side);
double code_changes_growth(const struct code_change *change, int side);

/* Whether both sides have enough samples for a ratio. */
bool code_changes_have_share(const struct code_change *change);

#endif
