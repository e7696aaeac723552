/* SPDX-License-Identifier: Apache-2.0 */
/* The result of sampling the code line of an interpreter in another process. */
#ifndef RTRACK_SAMPLER_LINES_PLACE_H
#define RTRACK_SAMPLER_LINES_PLACE_H

#include "core/base.h"

/* The texts point into the reader's buffer. They are valid until the next reading. */
struct place {
	struct text file; /* file of the innermost frame outside installed packages */
	int32_t line;     /* 0 if unknown */
	/* Innermost function; for R, the innermost function of the user, if there is one. */
	struct text function;
	size_t depth; /* number of frames that were equal in both readings */
	bool cut;     /* inner frames were dropped, because they differed between the two readings */
};

/* Maximum duration of a reading. If a reading takes longer, the sampler was probably interrupted, and equal frames may
 * be a coincidence. */
enum { PLACE_READING_MAX_NS = 1000000 };

enum place_result {
	PLACE_READ,
	PLACE_IDLE,    /* the thread executes no code of the language */
	PLACE_CHANGED, /* no frame was equal in both readings */
	PLACE_STRANGE, /* an object has an unexpected type, so the assumed interpreter or version is wrong */
	PLACE_REFUSED, /* the process cannot be read, or has ended */
};

#endif
