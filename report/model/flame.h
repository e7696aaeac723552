/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a flame graph of code lines, for the page and for export --to speedscope.
 *
 * line.csv stores no full stacks. A row has the user's line and the innermost function of any file. A stack therefore
 * has up to four frames: program, file, line and function. */
#ifndef RTRACK_REPORT_MODEL_FLAME_H
#define RTRACK_REPORT_MODEL_FLAME_H

#include "report/model/model.h"

enum { FLAME_DEPTH = 4 };

/* Strings belong to the model and are interned: equal strings have equal pointers. */
struct flame_frame {
	const char *program;  /* program, or NULL if the frame is code */
	double pid;           /* process of the program; UNKNOWN for all its processes, or for code */
	const char *file;     /* source file, or NULL */
	double line;          /* line number, or UNKNOWN */
	const char *function; /* function, or NULL if the frame is a file or a line */
};

struct flame_stack {
	size_t count;
	struct flame_frame frames[FLAME_DEPTH]; /* frames, outermost first */
};

/* The last program that a process ran. */
const char *flame_program(const struct model *model, double pid);

struct flame_stack flame_stack_of(const char *program, double pid, const struct code_line *line);
bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b);

/* Formats the frame's name: "R", "R (process 10)", "job.py", "job.py:42", "load" or "(unknown)". */
const char *flame_name(const struct flame_frame *frame, char name[CODE_NAME_SIZE]);

/* A frame that merges all processes of a program. */
struct flame_node {
	struct flame_frame frame;
	struct code_line sum; /* figures of this frame and all frames below it; only numbers are set */
	double begin;         /* offset on the CPU time axis, in seconds */
	size_t depth;
	size_t from, to; /* range of leaves; internal to flame_make */
};

struct flame {
	struct flame_node *nodes; /* sorted by depth, then by `begin`; siblings by CPU time, descending; owned */
	size_t count;
	double cpu_seconds; /* total width in CPU seconds */
};

/* Builds the flame graph from all rows that have CPU time. */
void flame_make(struct flame *flame, const struct model *model);
void flame_free(struct flame *flame);

#endif
