/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of line.csv and stack.csv. Each row of line.csv has a line of code that an interpreter was executing, and the
 * call stack of that line. */
#ifndef RTRACK_REPORT_SPOOL_CODE_ROWS_H
#define RTRACK_REPORT_SPOOL_CODE_ROWS_H

#include "core/base.h"
#include "report/spool/files.h"

#include <stddef.h>

enum { CODE_FRAMES_MAX = 256 }; /* further frames of a stack are left out; rtrack writes at most 64 */

/* A frame of a call stack. Equal strings have equal pointers, as in struct code_line. */
struct code_frame {
	const char *file; /* "" if unknown */
	double line;
	const char *function;
	bool own; /* the code is the user's */
};

struct code_stack {
	double id;                 /* the number in the column `stack` */
	size_t number;             /* 0 for the first stack that was read, 1 for the second, and so on */
	struct code_frame *frames; /* outermost first; owned */
	size_t count;
};

/* Figures of a line of code, either from one row or summed over several rows. Equal strings have equal pointers,
 * because each string is stored only once. */
struct code_line {
	const char *language;
	const char *file; /* "" if the line is unknown; `function` then contains the reason */
	double line;
	const char *function;
	const char *cell; /* "In [3]" if the file is a cell of a notebook that was found, or NULL */
	const char *text; /* text of the line in its cell, or NULL; set only in sums by line */
	double samples;
	double samples_cut;
	double seconds;
	double cpu_seconds;
	double memory_mib; /* maximum of all rows */
	double growth_mib;
	struct code_stack
		*stack; /* call stack, or NULL if it is unknown or if the figures are a sum over several stacks */
	/* Set only for functions: CPU time and number of the samples that have the function on the call stack. The
	 * figures above contain only samples in the function itself and in libraries that it called. */
	double total_cpu_seconds;
	double total_samples;
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
	struct code_stack **stacks; /* hash table; a slot is NULL if free */
	size_t stack_count, stack_room;
};

/* Adds the rows of a run. If line.csv is missing, adds nothing. If it cannot be read, prints a message and adds
 * nothing. Equal ids of stacks in several runs denote the same frames. */
void code_rows_add(struct code_rows *rows, const struct files *files);
/* Returns the stored copy of a string. */
const char *code_rows_text(struct code_rows *rows, struct text text);
void code_rows_free(struct code_rows *rows);

#endif
