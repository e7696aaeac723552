/* SPDX-License-Identifier: Apache-2.0 */
/* The result of sampling the call stack of an interpreter in another process. */
#ifndef RTRACK_SAMPLER_LINES_PLACE_H
#define RTRACK_SAMPLER_LINES_PLACE_H

#include "core/base.h"

/* A frame of a call stack. The texts point into the reader's buffer, and are valid until the next frame is read. */
struct place_frame {
	struct text file; /* empty if unknown, as for a function of an R package */
	int32_t line;     /* 0 if unknown */
	struct text function;
	bool own; /* the code is the user's, and not the interpreter's or an installed package's */
};

/* The frame that represents a sample: the innermost frame of the user's code, or else the innermost public function of
 * an installed package. The texts are valid until the next sample of any interpreter. */
struct place {
	struct text file;
	int32_t line; /* 0 if unknown */
	struct text function;
	size_t depth;  /* number of functions that were equal in both readings */
	size_t frames; /* number of frames that can be read, including frames without a function */
	bool cut;      /* inner frames were dropped, because they differed between the two readings */
	bool deeper;   /* the stack has more frames than the reader can hold, so the outermost ones are missing */
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
