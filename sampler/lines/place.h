/* SPDX-License-Identifier: Apache-2.0 */
/* The result of sampling an interpreter in another process. */
#ifndef RTRACK_SAMPLER_LINES_PLACE_H
#define RTRACK_SAMPLER_LINES_PLACE_H

#include "core/base.h"

/* Texts point into the reader's buffer and are valid until the next reading. */
struct place {
	struct text file;     /* file of the user's line: of the innermost frame outside installed packages */
	int32_t line;         /* 0 if unknown */
	struct text function; /* innermost function: for Python in any file, for R the user's own if there is one */
	size_t depth;         /* number of frames that were the same in both readings */
	bool cut;             /* … and inner frames were not */
};

/* Maximum duration of a reading. In a longer one, the kernel has let other processes run, and equal frames may be a
 * coincidence. */
enum { PLACE_READING_MAX_NS = 1000000 };

enum place_result {
	PLACE_READ,
	PLACE_IDLE,    /* the thread executes no code of the language */
	PLACE_CHANGED, /* no frame was the same in both readings */
	PLACE_STRANGE, /* an object has an unexpected type: the interpreter is not the one assumed */
	PLACE_REFUSED, /* the process is unreadable or has ended */
};

#endif
