/* What the program says on stderr; see message.h. */
#include "report/message.h"

#include "report/progress.h"

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
	progress_clear();
	flockfile(stderr);
	fputs("rtrack-report: ", stderr);
	for (const char *byte = text; *byte; byte++) {
		unsigned char value = (unsigned char)*byte;
		if (value < 0x20 || value == 0x7f)
			fprintf(stderr, "\\x%02x", value);
		else
			fputc(value, stderr);
	}
	fputc('\n', stderr);
	funlockfile(stderr);
}

void message_cannot_read(const char *path, int error)
{
	message_print("cannot read '%s': %s", path, strerror(error));
}
