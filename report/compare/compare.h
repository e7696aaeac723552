/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what changed between two runs, or between two sets of runs. The result is shown as text or JSON. */
#ifndef RTRACK_REPORT_COMPARE_COMPARE_H
#define RTRACK_REPORT_COMPARE_COMPARE_H

#include "report/model/code.h"
#include "report/compare/pairs.h"
#include "report/compare/side.h"
#include "report/say/terminal.h"

struct code_change {
	/* result of code_name without the folder, because the scripts of two runs are seldom in the same folder */
	char *name;
	bool there[2];
	struct code_line of[2]; /* figures in A and B; their strings are not set */
};

struct code_changes {
	struct code_change *items; /* sorted by change of CPU time, largest first */
	size_t count;
};

/* The figures of a program that ran in A, in B, or in both. */
struct program_change {
	const struct bill_row *a; /* the program's row in A, or NULL if the program did not run in A */
	const struct bill_row *b;
	double cpu_seconds; /* b − a */
};

struct comparison {
	struct side a;
	struct side b;
	struct program_change *programs; /* sorted by change, largest first */
	size_t program_count;
	const char *by; /* what an item of `code` is: "line" or "function"; NULL if code was not requested */
	struct code_changes code;
	const struct conditions *conditions;
	int holds[CONDITIONS_MAX]; /* result of condition_holds for each condition */
	bool by_phase;             /* whether `pairs` has any pairs of phases */
	struct pairs pairs;
};

/* Compares the two sides, which the caller must have read before. */
void comparison_make(struct comparison *comparison, const struct conditions *conditions);
void comparison_free(struct comparison *comparison);

/* Returns the name of a program. It is the program's label, or the name of the executable if the labels of the two runs
 * differ. */
struct label compare_program_label(const struct program_change *change);

/* Returns whether the change of a figure may be noise. This is so if the figure of each side lies within the range of
 * the runs of the other side. Always false if a side has only one run. */
bool compare_is_noise(const struct comparison *comparison, enum measure_id measure);

/* A part that exists in at least one of two runs. The job named its parts itself. */
struct part_pair {
	const struct part *a, *b; /* the part in A and in B, or NULL if it does not exist there */
};
enum { PART_PAIRS_MAX = 2 * PARTS_MAX };
/* Pairs the parts of A and B by name. Keeps the order of A, and appends the parts that only B has. Returns the number
 * of pairs. */
size_t compare_parts(const struct comparison *comparison, struct part_pair pairs[PART_PAIRS_MAX]);
/* Returns the figures of a part, or UNKNOWN for figures that parts do not have. If `part` is NULL, all figures are
 * UNKNOWN. */
struct pair_figures compare_part_figures(const struct part *part);

/* One row of the comparison of parts, phases or code lines, with a figure of both runs. */
struct compare_row {
	/* for the first row of a part, its name, such as "load" or "load of A alone"; for other rows, the name of the
	 * figure, such as " CPU time" */
	const char *name;
	enum measure_id measure;
	double a, b;
	double change;
	const char *instead; /* text to show instead of the change if the change is meaningless, or NULL */
	bool few;            /* there are too few samples to show the change in percent */
};
typedef void compare_take(void *context, const struct compare_row *row);
bool compare_has_parts(const struct comparison *comparison);
/* Calls take(context, row) for each row of each part or phase. The first row of a part or phase is always passed. Other
 * rows are skipped if neither run has a value. */
void compare_each_part(const struct comparison *comparison, compare_take *take, void *context);
void compare_each_phase(const struct comparison *comparison, compare_take *take, void *context);
/* Calls take(context, row) with the CPU time of each of the first `limit` lines or functions. If either run has memory
 * growth in that line or function, also passes a row with the growth. */
void compare_each_code(const struct comparison *comparison, size_t limit, compare_take *take, void *context);

/* Formats the result in one or two sentences: "B did more work: 3.8 times the CPU time in 2.1 times the time. Peak
 * memory is 1.3 times that of A." Omits differences of less than a tenth, and differences that may be noise. */
enum { COMPARE_VERDICT_SIZE = 200 };
const char *compare_verdict(const struct comparison *comparison, char text[COMPARE_VERDICT_SIZE]);

/* Stores a sentence which says that a difference between two runs may be a measurement error. Returns false if the
 * difference is real, if there is none, or if a side has several runs. */
bool compare_explain(const struct comparison *comparison, enum measure_id measure, char *text, size_t size);

const char *compare_label(enum measure_id measure);
enum unit compare_unit(enum measure_id measure);
/* Returns the label of a measure with two spaces before it, such as "  CPU time". It is shown below the name of a
 * part. */
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

/* Returns the CPU time or the memory growth of a line or function on one side. UNKNOWN if it does not occur on that
 * side. */
double code_changes_cpu(const struct code_change *change, int side);
double code_changes_growth(const struct code_change *change, int side);

/* Returns whether both sides have enough samples to show the change in percent. */
bool code_changes_have_share(const struct code_change *change);

#endif
