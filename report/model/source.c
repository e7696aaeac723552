/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the text of a code line in a cell of a notebook, or in a source file that has not changed since the run
 * began. */
#define _GNU_SOURCE
#include "report/model/source.h"

#include "report/say/alloc.h"
#include "report/say/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE_FILE_MAX = 1 << 20 };

/* Seconds. File times are compared in whole seconds, and a script may be written in the same second in which its run
 * starts. */
static const double START_ROUNDED_SECONDS = 1;

static bool is_same(const struct stat *status, const struct run *run)
{
	return status->st_size <= SOURCE_FILE_MAX &&
	       (double)status->st_mtim.tv_sec < run->start_time + START_ROUNDED_SECONDS;
}

struct text source_line(struct text text, double line)
{
	const char *data = text.data, *end = text.data + text.length;

	if (!(line >= 1 && line <= SOURCE_FILE_MAX))
		return (struct text){end, 0};
	for (size_t left = (size_t)line - 1; left > 0 && data < end; left--) {
		const char *next = memchr(data, '\n', (size_t)(end - data));
		data = next ? next + 1 : end;
	}
	const char *stop = data < end ? memchr(data, '\n', (size_t)(end - data)) : NULL;
	stop = stop ? stop : end;
	while (data < stop && strchr(" \t", *data))
		data++;
	while (stop > data && strchr(" \t\r", stop[-1]))
		stop--;
	return utf8_cut((struct text){data, (size_t)(stop - data)}, SOURCE_TEXT_SIZE - 1);
}

const char *source_text(const struct run *run, const struct code_line *line, char text[SOURCE_TEXT_SIZE])
{
	struct stat status;

	snprintf(text, SOURCE_TEXT_SIZE, "%s", line->text ? line->text : "");
	if (line->text || line->file[0] != '/' || !(line->line >= 1))
		return text;
	int file = files_get_own(&run->files, line->file);
	char *data = file >= 0 && fstat(file, &status) == 0 && is_same(&status, run) ? xmalloc(SOURCE_FILE_MAX) : NULL;
	ssize_t length = data ? read(file, data, SOURCE_FILE_MAX) : -1;
	if (length > 0) {
		struct text found = source_line((struct text){data, (size_t)length}, line->line);
		snprintf(text, SOURCE_TEXT_SIZE, "%.*s", (int)found.length, found.data);
	}
	free(data);
	if (file >= 0)
		close(file);
	return text;
}
