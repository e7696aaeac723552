/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a file, one after another, in a buffer that stays bounded whatever the bytes are. */
#ifndef RTRACK_REPORT_SPOOL_LINES_H
#define RTRACK_REPORT_SPOOL_LINES_H

#include "core/base.h"
#include "report/say/progress.h"

enum { LINE_MAX_LENGTH = 1 << 16 }; /* no row of ours is longer than SPOOL_ROW_MAX */

struct line {
	char *data; /* may be written to until the next line is read; without its '\n' */
	size_t length;
	uint64_t number; /* the first is 1 */
	bool torn;       /* the file ends before its '\n' */
	bool cut;        /* it was longer than LINE_MAX_LENGTH: its length is 0 */
};

struct lines {
	int file;
	char *buffer;
	size_t start; /* of the bytes that no line was made of yet */
	size_t end;
	uint64_t number;
	bool ended;
	struct progress progress;
	int error; /* errno of a read that failed, which counts as the file's end */
};

/* `what`: the text of report/say/progress.h. Returns 0, or -1 with errno. *lines must not move until lines_close. */
int lines_open(struct lines *lines, const char *path, const char *what);
/* As lines_open, for an open file of any kind, which lines_close closes. */
void lines_take(struct lines *lines, int file, const char *what);
void lines_close(struct lines *lines);

/* Reads the next line; false at the end of the file. */
bool lines_next(struct lines *lines, struct line *line);

#endif
