/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of line.csv: the lines of code that interpreters were executing. */
#ifndef RTRACK_REPORT_SPOOL_CODE_ROWS_H
#define RTRACK_REPORT_SPOOL_CODE_ROWS_H

#include "report/spool/files.h"

#include <stddef.h>

/* Figures of a line of code, from one row or summed over rows. Each string is stored once, so equal strings have equal
 * pointers. */
struct code_line {
	const char *language;
	const char *file; /* "" if there is no line; `function` then has the reason */
	double line;
	const char *function;
	double samples;
	double samples_cut;
	double seconds;
	double cpu_seconds;
	double memory_mib; /* maximum of all rows */
	double growth_mib;
};

struct code_row {
	size_t position; /* index in file order */
	double time;
	double pid;
	struct code_line line;
};

struct code_rows {
	struct code_row *items;
	size_t count;
	char **texts; /* hash table; a slot is NULL if free */
	size_t text_count, text_room;
};

/* Adds the rows of a run. A missing line.csv counts as empty. An unreadable line.csv also counts as empty, after a
 * message. */
void code_rows_add(struct code_rows *rows, const struct files *files);
void code_rows_free(struct code_rows *rows);

#endif
