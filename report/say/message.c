/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on stderr. */
#include "report/say/message.h"

#include "report/say/exit.h"

#include "report/say/progress.h"
#include "report/say/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 8192 };

static bool is_quiet;

bool message_quiet(bool quiet)
{
	bool before = is_quiet;

	is_quiet = quiet;
	return before;
}

static void print_line(const char *line)
{
	struct text all = text_of(line);

	progress_clear();
	flockfile(stderr);
	fputs("rtrack-report: ", stderr);
	for (size_t at = 0; at < all.length;) {
		struct utf8_shown shown = utf8_show(all, at, false);
		fputs(shown.text, stderr);
		at += shown.length;
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

/* Returns whether the same line was printed before. Only the first 16 lines are remembered, because printing a line
 * twice does no harm. */
static bool was_said(const char *line)
{
	static char *said[16];

	for (size_t i = 0; i < ARRAY_LENGTH(said); i++) {
		if (!said[i]) {
			said[i] = strdup(line);
			return false;
		}
		if (strcmp(said[i], line) == 0)
			return true;
	}
	return false;
}

static void say(bool once, const char *format, va_list arguments)
{
	char line[LINE_SIZE];

	if (is_quiet)
		return;
	vsnprintf(line, sizeof line, format, arguments);
	if (!once || !was_said(line))
		print_line(line);
}

void message_print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(false, format, arguments);
	va_end(arguments);
}

void message_print_once(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	say(true, format, arguments);
	va_end(arguments);
}

void message_cannot_read(const char *path, int error)
{
	message_print("'%s' cannot be read: %s", path, strerror(error));
}

int message_cannot_write(const char *path)
{
	message_print("'%s' cannot be written: %s", path, strerror(errno));
	return EXIT_NO_DATA;
}
