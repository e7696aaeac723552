/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of line.csv. Each row has a line of code that an interpreter was executing. */
#ifndef RTRACK_REPORT_SPOOL_CODE_ROWS_H
#define RTRACK_REPORT_SPOOL_CODE_ROWS_H

#include "report/spool/files.h"

#include <stddef.h>

/* Figures of a line of code, either from one row or summed over several rows. Equal strings have equal pointers,
 * because each string is stored only once. */
struct code_line {
	const char *language;
	const char *file; /* "" if the line is unknown; `function` then contains the reason */
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

/* Adds the rows of a run. If line.csv is missing, adds nothing. If it cannot be read, prints a message and adds
 * nothing. */
void code_rows_add(struct code_rows *rows, const struct files *files);
void code_rows_free(struct code_rows *rows);

#endif
