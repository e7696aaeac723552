/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of line.csv: at which lines of code the interpreters of a run were. */
#ifndef RTRACK_REPORT_SPOOL_CODE_ROWS_H
#define RTRACK_REPORT_SPOOL_CODE_ROWS_H

#include <stddef.h>

/* A line of code, in one row or in many together. Texts that are equal are the same pointer. */
struct code_line {
	const char *language;
	const char *file; /* "": no line; `function` says why */
	double line;
	const char *function;
	double samples;
	double samples_cut;
	double seconds;
	double cpu_seconds;
	double memory_mib; /* the largest */
	double growth_mib;
};

struct code_row {
	size_t position; /* in the files */
	double time;
	double pid;
	struct code_line line;
};

struct code_rows {
	struct code_row *items;
	size_t count;
	char **texts; /* a table of hashes; NULL: free */
	size_t text_count, text_room;
};

/* Adds the rows of a run to those that are there. A missing file has none; one that cannot be read has none either,
 * after a message. */
void code_rows_add(struct code_rows *rows, const char *directory);
void code_rows_free(struct code_rows *rows);

#endif
