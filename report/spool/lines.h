/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file line by line, in a buffer of bounded size. */
#ifndef RTRACK_REPORT_SPOOL_LINES_H
#define RTRACK_REPORT_SPOOL_LINES_H

#include "core/base.h"
#include "report/say/progress.h"

enum { LINE_SKIPPED_MAX = 1 << 26 }; /* bytes of one line after which the rest of the file is not read */
enum { LINE_MAX_LENGTH = 1 << 16 };  /* rows of rtrack are at most SPOOL_ROW_MAX long */

struct line {
	char *data; /* the line without '\n'; may be modified; valid until the next line is read */
	size_t length;
	uint64_t number; /* line number, starting at 1 */
	bool torn;       /* the file ends without '\n' */
	bool cut;        /* the line exceeded LINE_MAX_LENGTH; its length is 0 */
};

struct lines {
	int file;
	char *buffer;
	size_t start; /* start of the unread bytes */
	size_t end;
	uint64_t number;
	bool ended;
	struct progress progress;
	int error; /* errno of a failed read, or EFBIG after a line that is too long; both end the file */
};

/* Takes an open file of any kind, which lines_close closes. `what` is the text shown as progress. *lines must not move
 * until lines_close. */
void lines_take(struct lines *lines, int file, const char *what);
void lines_close(struct lines *lines);

/* Reads the next line. Returns false at the end of the file. */
bool lines_next(struct lines *lines, struct line *line);

#endif
