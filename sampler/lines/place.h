/* What a look at an interpreter of another process says. */
#ifndef RTRACK_SAMPLER_LINES_PLACE_H
#define RTRACK_SAMPLER_LINES_PLACE_H

#include "core/base.h"

/* The texts are in the reader's room, and hold until the next reading. */
struct place {
	struct text file;     /* of the user's line: the innermost one of a file that is no installed package's */
	int32_t line;         /* 0: unknown */
	struct text function; /* the innermost one; of Python in any file, of R of the user's own if there is one */
	size_t depth;         /* frames that were the same twice */
	bool cut;             /* … and inner ones were not */
};

/* The kernel let others run in a reading that took longer. The same frames may be there again by chance. */
enum { PLACE_READING_MAX_NS = 1000000 };

enum place_result {
	PLACE_READ,
	PLACE_IDLE,    /* the thread runs no code of the language */
	PLACE_CHANGED, /* no frame was the same twice */
	PLACE_STRANGE, /* an object is of another type: the interpreter is another one than it looks like */
	PLACE_REFUSED, /* it may not be read, or has ended */
};

#endif
