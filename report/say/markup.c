/* SPDX-License-Identifier: Apache-2.0 */
/* Writes untrusted text into a page.
 *
 * A browser may treat a quote after a truncated UTF-8 sequence as part of that character. Therefore, the functions that
 * escape text first replace invalid UTF-8, and then escape whole characters. */
#include "report/say/markup.h"

#include "report/say/utf8.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* The escape of each character, or NULL if it can be written unchanged. */
static const char *const html_escapes[UCHAR_MAX + 1] = {
	['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\''] = "&#39;"};
static const char *const json_escapes[UCHAR_MAX + 1] = {['<'] = "\\u003c", ['"'] = "\\\"", ['\\'] = "\\\\"};

static void write_escaped(FILE *out, struct text text, const char *const *escapes)
{
	for (size_t at = 0; at < text.length;) {
		struct utf8_shown shown = utf8_show(text, at, false);
		for (const char *byte = shown.text; *byte; byte++) {
			const char *escaped = escapes[(unsigned char)*byte];
			if (escaped)
				fputs(escaped, out);
			else
				putc(*byte, out);
		}
		at += shown.length;
	}
}

void markup_write_text(FILE *out, struct text text)
{
	write_escaped(out, text, html_escapes);
}

void markup_write_lines(FILE *out, struct text text)
{
	for (size_t from = 0, to; from < text.length; from = to + 1) {
		to = text_find(text, '\n', from);
		write_escaped(out, (struct text){text.data + from, to - from}, html_escapes);
		if (to < text.length)
			putc('\n', out);
	}
}

void markup_write_json(FILE *out, struct text text)
{
	putc('"', out);
	write_escaped(out, text, json_escapes);
	putc('"', out);
}

/* Writes the first conversion in `format`, such as "%.1f", with its arguments. Returns the length of the conversion. */
static size_t write_conversion(FILE *out, const char *format, va_list *arguments)
{
	char one[16];
	size_t length = strcspn(format + 1, "scduzfg%") + 2;
	bool sized = format[length - 1] == 'z';

	snprintf(one, sizeof one, "%.*s", (int)(length + sized), format);
	/* NOLINTBEGIN(bugprone-branch-clone): the branches differ in the type of the argument. */
	if (strcmp(one, "%-s") == 0)
		markup_write_text(out, text_of(va_arg(*arguments, const char *)));
	else if (sized)
		fprintf(out, one, va_arg(*arguments, size_t));
	else if (format[length - 1] == 's')
		fprintf(out, one, va_arg(*arguments, const char *));
	else if (format[length - 1] == 'c' || format[length - 1] == 'd')
		fprintf(out, one, va_arg(*arguments, int));
	else if (format[length - 1] == 'f' || format[length - 1] == 'g')
		fprintf(out, one, va_arg(*arguments, double));
	else
		putc('%', out);
	/* NOLINTEND(bugprone-branch-clone) */
	return length + sized;
}

void markup_write(FILE *out, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	while (*format) {
		size_t plain = strcspn(format, "%");
		fwrite(format, 1, plain, out);
		format += plain;
		if (*format)
			format += write_conversion(out, format, &arguments);
	}
	va_end(arguments);
}

double markup_step(double peak, int digits)
{
	return peak > 0 ? pow(10, floor(log10(peak)) - digits) : 1;
}

long long markup_whole(double value)
{
	static const double most = 0x1p51;

	return llround(fmin(fmax(value, -most), most));
}

void markup_write_number(FILE *out, long long number)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned long long rest =
		number < 0 ? -2ULL * (unsigned long long)number - 1 : 2ULL * (unsigned long long)number;

	for (; rest >= 32; rest /= 32)
		putc(digits[32 + rest % 32], out);
	putc(digits[rest], out);
}

void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step)
{
	enum { WORTH = 3 }; /* repetitions up to this length are shorter if they are written out */
	long long now = 0;

	putc('"', out);
	for (size_t i = 0, end; i < count; i = end) {
		bool known = isfinite(points[i]);
		long long change = known ? markup_whole((points[i] - origin) / step) - now : 0;
		now += change;
		for (end = i + 1; end < count && isfinite(points[end]) == known; end++, now += change)
			if (known && markup_whole((points[end] - origin) / step) - now != change)
				break;
		bool worth = end - i > WORTH;
		for (size_t same = i; same < (worth ? i + 1 : end); same++)
			if (known)
				markup_write_number(out, change);
			else
				putc('.', out);
		if (worth) {
			putc('~', out);
			markup_write_number(out, (long long)(end - i) - 1);
		}
	}
	putc('"', out);
}

void markup_anchor(char *anchor, size_t size, const char *heading)
{
	size_t length = 0;

	for (const char *c = heading; *c && length + 1 < size; c++) {
		bool letter = (*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9');
		if (*c >= 'A' && *c <= 'Z')
			anchor[length++] = (char)(*c - 'A' + 'a');
		else if (letter || *c == '-' || *c == '_')
			anchor[length++] = *c;
		else if (*c == ' ')
			anchor[length++] = '-';
	}
	anchor[length] = '\0';
}
