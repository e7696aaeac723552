/* What the program says on stderr; see message.h. */
#include "report/say/message.h"

#include "report/say/progress.h"
#include "report/say/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_quiet;

void message_quiet(bool quiet)
{
	is_quiet = quiet;
}

void message_print(const char *format, ...)
{
	char text[8192];
	va_list arguments;

	if (is_quiet)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	struct text all = text_of(text);
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

void message_cannot_read(const char *path, int error)
{
	message_print("cannot read '%s': %s", path, strerror(error));
}
