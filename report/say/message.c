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

/* Writes one character; returns how many bytes of the text it is made of. */
static size_t put_character(const char *text)
{
	uint32_t code;
	size_t length = utf8_decode(text, &code);

	if (length > 0 && !utf8_is_control(code)) {
		fwrite(text, 1, length, stderr);
		return length;
	}
	length = length > 0 ? length : 1;
	for (size_t i = 0; i < length; i++)
		fprintf(stderr, "\\x%02x", (unsigned char)text[i]);
	return length;
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
	for (const char *at = text; *at;)
		at += put_character(at);
	fputc('\n', stderr);
	funlockfile(stderr);
}

void message_cannot_read(const char *path, int error)
{
	message_print("cannot read '%s': %s", path, strerror(error));
}
