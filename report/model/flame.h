/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a flame graph of code lines for the page, and the frames of call stacks for exports.
 *
 * The graph of the page has up to four frames: program, file, line and function. Exports have whole call stacks, if the
 * run has them. */
#ifndef RTRACK_REPORT_MODEL_FLAME_H
#define RTRACK_REPORT_MODEL_FLAME_H

#include "report/model/model.h"

enum { FLAME_DEPTH = 4, FLAME_FRAMES_MAX = CODE_FRAMES_MAX + 1 };

/* A frame of a flame graph: a program, a file, a line or a function; or a frame of a call stack, which has a file, a
 * line and a function. Strings belong to the model. Equal files and equal functions have the same pointer. */
struct flame_frame {
	const char *program;  /* program name, or NULL if the frame is not a program */
	double pid;           /* pid if the frame is one process of a program, or UNKNOWN */
	const char *file;     /* source file, or NULL */
	double line;          /* line number, or UNKNOWN */
	const char *function; /* function name, or NULL if the frame is not a function */
	bool called;          /* the frame belongs to a call stack, so `file` and `line` are a place in the function */
};

struct flame_stack {
	size_t count;
	struct flame_frame frames[FLAME_DEPTH]; /* frames, outermost first */
};

/* The processes of a model, sorted to find the program of a pid. */
struct flame_programs {
	const struct process **items; /* sorted by pid; owned */
	size_t count;
};
void flame_programs_sort(struct flame_programs *programs, const struct model *model);
void flame_programs_free(struct flame_programs *programs);

/* Returns the name of the last program that a process ran, or "a program" if it is unknown. */
const char *flame_program(const struct flame_programs *programs, double pid);

struct flame_stack flame_stack_of(const char *program, double pid, const struct code_line *line);
/* Fills in the program and the frames of the call stack of a row. If the row has no call stack, fills in the frames of
 * flame_stack_of. Returns the number of frames. */
size_t flame_frames(
	const char *program, double pid, const struct code_line *line, struct flame_frame frames[FLAME_FRAMES_MAX]);
bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b);

/* Formats the frame's name: "R", "R (process 10)", "job.py", "job.py:42", "load" or "(unknown)". A frame of a call
 * stack has the name of its function. */
const char *flame_name(const struct flame_frame *frame, char name[CODE_NAME_SIZE]);

/* A frame of the graph. All processes of the same program are merged. */
struct flame_node {
	struct flame_frame frame;
	struct code_line sum; /* sum over this frame and its descendants; file, line and function are not set */
	double begin;         /* offset on the CPU time axis, in seconds */
	size_t depth;
	size_t from, to; /* range of leaves that this node merges; used only by flame_make */
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
