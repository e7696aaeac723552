/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of code as a flame graph. The page draws it, and export --to speedscope writes it.
 *
 * line.csv keeps no whole stacks. A row has the user's line and the innermost function of any file. So a stack has up
 * to four frames: the program, the file, its line, the function. */
#ifndef RTRACK_REPORT_MODEL_FLAME_H
#define RTRACK_REPORT_MODEL_FLAME_H

#include "report/model/model.h"

enum { FLAME_DEPTH = 4 };

/* Texts are those of the model: the same text is the same pointer. */
struct flame_frame {
	const char *program;  /* NULL: the frame is code */
	double pid;           /* of one process of the program; UNKNOWN: all of them, or code */
	const char *file;     /* NULL: none */
	double line;          /* UNKNOWN: none */
	const char *function; /* NULL: the frame is a file, or a line of it */
};

struct flame_stack {
	size_t count;
	struct flame_frame frames[FLAME_DEPTH]; /* the outermost first */
};

/* The program of a process: its last one. */
const char *flame_program(const struct model *model, double pid);

struct flame_stack flame_stack_of(const char *program, double pid, const struct code_line *line);
bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b);

/* "R", "R (process 10)", "job.py", "job.py:42", "load", "(unknown)". */
const char *flame_name(const struct flame_frame *frame, char name[CODE_NAME_SIZE]);

/* A frame of all processes of a program together. */
struct flame_node {
	struct flame_frame frame;
	struct code_line sum; /* what it and the frames below it used; only figures count */
	double begin;         /* CPU seconds of the frames before it, and of those before the frame above it */
	size_t depth;
	size_t from, to; /* its leaves; for flame_make alone */
};

struct flame {
	struct flame_node *nodes; /* by depth, then by `begin`: of the same parent the most CPU time first; owned */
	size_t count;
	double cpu_seconds; /* the width of all */
};

/* What used CPU time, of all rows. */
void flame_make(struct flame *flame, const struct model *model);
void flame_free(struct flame *flame);

#endif
