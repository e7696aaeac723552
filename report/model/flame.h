/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of call stacks, for the flame graph of the page and for exports.
 *
 * The outermost frame is the program. A row of line.csv without a call stack, as older versions wrote, has the frames
 * program, file, line and function. */
#ifndef RTRACK_REPORT_MODEL_FLAME_H
#define RTRACK_REPORT_MODEL_FLAME_H

#include "report/model/model.h"

enum { FLAME_FRAMES_MAX = CODE_FRAMES_MAX + 1 };

/* A frame of a flame graph: a program, a file, a line or a function; or a frame of a call stack, which has a file, a
 * line and a function. Strings belong to the model. Equal files and equal functions have the same pointer. */
struct flame_frame {
	const char *program;  /* program name, or NULL if the frame is not a program */
	double pid;           /* pid if the frame is one process of a program, or UNKNOWN */
	const char *file;     /* source file, or NULL */
	double line;          /* line number, or UNKNOWN */
	const char *function; /* function name, or NULL if the frame is not a function */
	bool called;          /* the frame belongs to a call stack, so `file` and `line` are a place in the function */
	bool own;             /* the frame belongs to a call stack, and its code is the user's */
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

/* Fills in the frames of a row, outermost first: the program, and the call stack. If the row has no call stack, fills
 * in the program, the file, the line and the function. Returns the number of frames. */
size_t flame_frames(
	const char *program, double pid, const struct code_line *line, struct flame_frame frames[FLAME_FRAMES_MAX]);
bool flame_is_same(const struct flame_frame *a, const struct flame_frame *b);

/* Distinct frames, with an index for each one. Frames with different callers are distinct. */
struct flame_item {
	struct flame_frame frame;
	size_t caller; /* index of the frame that called this one, or 0 */
};
struct flame_set {
	struct flame_item *items; /* owned */
	size_t count;
	size_t *slots; /* hash table: index of the frame + 1, or 0 if the slot is free; owned */
	size_t slot_count;
};

/* Returns the index of a frame. If the set does not contain the frame, adds it with the index set->count. */
size_t flame_set_add(struct flame_set *set, size_t caller, const struct flame_frame *frame);
void flame_set_free(struct flame_set *set);

/* Formats the frame's name: "R", "R (process 10)", "job.py", "job.py:42", "load" or "(unknown)". A frame of a call
 * stack has the name of its function. */
const char *flame_name(const struct flame_frame *frame, char name[CODE_NAME_SIZE]);

#endif
