/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file line by line, in a buffer of bounded size. */
#ifndef RTRACK_REPORT_SPOOL_LINES_H
#define RTRACK_REPORT_SPOOL_LINES_H

#include "core/base.h"
#include "report/say/progress.h"

struct line {
	char *data; /* text of the line without '\n'; may be modified; valid until the next line is read */
	size_t length;
	uint64_t number; /* line number, starting at 1 */
	bool torn;       /* the line is the last one and has no '\n' */
	bool cut;        /* the line was longer than BOUND_ROW, so `length` is 0 */
};

struct lines {
	int file;
	char *buffer;
	size_t start; /* offset of the first unread byte in `buffer` */
	size_t end;
	uint64_t number;
	bool ended;
	struct progress progress;
	/* errno of a failed read, or EFBIG if a line was longer than BOUND_LINE; reading stops in both cases */
	int error;
};

/* Begins to read an open file of any type; lines_close closes it. `what` is the text that is shown as progress. The
 * struct must not be moved or copied before lines_close. */
void lines_take(struct lines *lines, int file, const char *what);
void lines_close(struct lines *lines);

/* Reads the next line. Returns false at the end of the file. */
bool lines_next(struct lines *lines, struct line *line);

/* Returns the message for an error of `struct lines`. */
const char *lines_problem(int error);

#endif
