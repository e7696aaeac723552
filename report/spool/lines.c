/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file line by line. */
#include "report/spool/lines.h"

#include "report/say/alloc.h"
#include "report/say/bounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1 << 18 };

void lines_take(struct lines *lines, int file, const char *what)
{
	struct stat status = {0};

	(void)fstat(file, &status);
	*lines = (struct lines){.file = file, .buffer = xmalloc(BUFFER_SIZE)};
	progress_begin(&lines->progress, what, (double)status.st_size);
}

void lines_close(struct lines *lines)
{
	progress_end(&lines->progress);
	close(lines->file);
	free(lines->buffer);
}

/* Reads more bytes into the buffer, after the unread ones. */
static void refill(struct lines *lines)
{
	memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
	lines->end -= lines->start;
	lines->start = 0;
	while (lines->end < BUFFER_SIZE && !lines->ended) {
		ssize_t got = read(lines->file, lines->buffer + lines->end, BUFFER_SIZE - lines->end);
		if (got > 0) {
			lines->end += (size_t)got;
			progress_advance(&lines->progress, (double)got);
		} else if (got == 0 || errno != EINTR) {
			lines->error = got < 0 ? errno : 0;
			lines->ended = true;
		}
	}
}

/* Skips the rest of a line. If the line is longer than BOUND_LINE, stops reading the file: to read a sparse file of
 * several terabytes would take hours, although the file contains no data. */
static void skip_rest_of_line(struct lines *lines)
{
	for (size_t skipped = 0;;) {
		char *end = memchr(lines->buffer + lines->start, '\n', lines->end - lines->start);
		lines->start = end ? (size_t)(end - lines->buffer) + 1 : lines->end;
		if (end || lines->ended)
			return;
		refill(lines);
		skipped += lines->end;
		if (skipped > BOUND_LINE) {
			lines->error = EFBIG;
			lines->ended = true;
			lines->start = lines->end;
			return;
		}
	}
}

bool lines_next(struct lines *lines, struct line *line)
{
	char *data = lines->buffer + lines->start;
	char *end = memchr(data, '\n', lines->end - lines->start);

	if (!end && !lines->ended) {
		refill(lines);
		data = lines->buffer;
		end = memchr(data, '\n', lines->end);
	}
	if (lines->start == lines->end)
		return false;
	size_t length = end ? (size_t)(end - data) : lines->end - lines->start;
	*line = (struct line){.data = data, .length = length, .number = ++lines->number, .torn = !end};
	lines->start += length + (end ? 1 : 0);
	if (length > BOUND_ROW) {
		line->cut = true;
		line->length = 0;
		if (!end && !lines->ended)
			skip_rest_of_line(lines);
	}
	return true;
}

const char *lines_problem(int error)
{
	return error == EFBIG ? BOUND_MESSAGE(LINE) : strerror(error);
}
