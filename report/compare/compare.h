/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between two runs, or two sets of runs, as text and JSON show it. */
#ifndef RTRACK_REPORT_COMPARE_COMPARE_H
#define RTRACK_REPORT_COMPARE_COMPARE_H

#include "report/compare/code_changes.h"
#include "report/compare/pairs.h"
#include "report/compare/side.h"
#include "report/say/terminal.h"

/* A program that either run had. */
struct program_change {
	const struct bill_row *a; /* NULL: it did not run there */
	const struct bill_row *b;
	double cpu_seconds; /* b − a */
};

struct comparison {
	struct side a;
	struct side b;
	struct program_change *programs; /* the largest change first */
	size_t program_count;
	const char *by; /* "line" or "function", of which are `code`; NULL: none were asked for */
	struct code_changes code;
	const struct conditions *conditions;
	int holds[CONDITIONS_MAX]; /* as condition_holds */
	bool by_phase;             /* else `pairs` has none */
	struct pairs pairs;
};

/* The sides have been read. */
void comparison_make(struct comparison *comparison, const struct conditions *conditions);
void comparison_free(struct comparison *comparison);

/* Its name: the label, or the program where the labels of the runs differ. */
struct label compare_program_label(const struct program_change *change);

/* Whether a figure of either side is among those that the other's runs had: what changed is noise. Only of sides of
 * several runs. */
bool compare_is_noise(const struct comparison *comparison, enum measure_id measure);

/* A part that the job named, in either run. */
struct part_pair {
	const struct part *a, *b; /* NULL: that run has no such part */
};
enum { PART_PAIRS_MAX = 2 * PARTS_MAX };
/* Pairs parts by their names, in the order of A and then of B; returns how many there are. */
size_t compare_parts(const struct comparison *comparison, struct part_pair pairs[PART_PAIRS_MAX]);
/* A figure of a part, with the names of PAIR_MEASURES; UNKNOWN of NULL and of what is not told of parts. */
double compare_part_figure(const struct part *part, enum measure_id measure);

/* A figure of a part, of a phase or of a line of code in both runs, as text and page list it. */
struct compare_row {
	const char *name; /* of the part for its first figure: "load", "load of A alone"; else of the figure: "  CPU
			     time" */
	enum measure_id measure;
	double a, b;
	double change;
	const char *instead; /* of the change, which says nothing; or NULL */
	bool few;            /* looks: no percentage */
};
typedef void compare_take(void *context, const struct compare_row *row);
bool compare_has_parts(const struct comparison *comparison);
/* Hands on the rows of each part, or of each phase; but for the first, none of which neither run has anything. */
void compare_each_part(const struct comparison *comparison, compare_take *take, void *context);
void compare_each_phase(const struct comparison *comparison, compare_take *take, void *context);
/* The CPU time of each of the first `limit` lines or functions; below that its growth of memory, if it grew in either.
 */
void compare_each_code(const struct comparison *comparison, size_t limit, compare_take *take, void *context);

/* Why a difference between two runs may be none, as a sentence: both values lie within what can be measured. False: it
 * is a difference, there is none, or either side is of several runs. */
bool compare_explain(const struct comparison *comparison, enum measure_id measure, char *text, size_t size);

const char *compare_label(enum measure_id measure);
enum unit compare_unit(enum measure_id measure);
/* The same as a part of something: "  CPU time". */
const char *compare_part_label(enum measure_id measure);
/* "300 MiB"; "-" when unknown. */
struct figure compare_figure(enum measure_id measure, double value);
/* "+30 MiB", "=", "-" when unknown. */
struct figure compare_change(enum measure_id measure, double a, double b);
/* "+10%"; "" when unknown or beyond all measure. */
struct figure compare_percent(double a, double b);

#endif
