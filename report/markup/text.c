/* Texts of a job inside a page: escaped for HTML and for JSON within a <script> element.
 *
 * Both escapes walk over characters, not bytes, because a browser shown a torn sequence may swallow
 * the quote that follows it: what is not UTF-8 is replaced before anything else is looked at. */
#include "report/markup/text.h"

#include <math.h>
#include <stdarg.h>

/* The length of the UTF-8 character at `from`, or 0 when there is none (RFC 3629: shortest form only,
 * no surrogates, nothing above U+10FFFF). */
static size_t character_length(struct text text, size_t from)
{
	const uint8_t *at = (const uint8_t *)text.data + from;
	size_t left = text.length - from;
	size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : (at[0] & 0xf0) == 0xe0 ? 3 : 4;
	if (length == 1)
		return 1;
	if (length > left || at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	bool overlong = (at[0] == 0xe0 && at[1] < 0xa0) || (at[0] == 0xf0 && at[1] < 0x90);
	bool beyond = (at[0] == 0xed && at[1] > 0x9f) || (at[0] == 0xf4 && at[1] > 0x8f);
	return overlong || beyond ? 0 : length;
}

static const char *html_escape(char byte)
{
	switch (byte) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	case '\t':
		return "\t";
	case '\n':
		return "\n";
	default:
		return NULL;
	}
}

static const char *json_escape(char byte)
{
	switch (byte) {
	case '<':
		return "\\u003c";
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\t':
		return "\\t";
	case '\n':
		return "\\n";
	default:
		return NULL;
	}
}

/* Whether a character beyond ASCII is a control or turns the direction of writing. */
static bool is_obeyed(const char *character, size_t length)
{
	const uint8_t *at = (const uint8_t *)character;

	if (length == 2)
		return at[0] == 0xc2 && at[1] < 0xa0;
	/* U+202A … U+202E and U+2066 … U+2069 */
	return length == 3 && at[0] == 0xe2 &&
	       ((at[1] == 0x80 && at[2] >= 0xaa && at[2] <= 0xae) || (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9));
}

static void write_escaped(FILE *out, struct text text, const char *(*escape)(char byte))
{
	for (size_t i = 0; i < text.length;) {
		size_t length = character_length(text, i);
		uint8_t first = (uint8_t)text.data[i];
		const char *escaped = length == 1 ? escape(text.data[i]) : NULL;
		if (escaped)
			fputs(escaped, out);
		else if (length == 0 || first < 0x20 || first == 0x7f || is_obeyed(text.data + i, length))
			fputs("\xef\xbf\xbd", out);
		else
			fwrite(text.data + i, 1, length, out);
		i += length == 0 ? 1 : length;
	}
}

void markup_write_text(FILE *out, struct text text)
{
	write_escaped(out, text, html_escape);
}

void markup_write_json(FILE *out, struct text text)
{
	putc('"', out);
	write_escaped(out, text, json_escape);
	putc('"', out);
}

void markup_write(FILE *out, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vfprintf(out, format, arguments);
	va_end(arguments);
}

double markup_step(double peak, int digits)
{
	return peak > 0 ? pow(10, floor(log10(peak)) - digits) : 1;
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

static void write_difference(FILE *out, bool known, long long difference)
{
	if (known)
		markup_write_number(out, difference);
	else
		putc('.', out);
}

void markup_write_points(FILE *out, const double *points, size_t count, double origin, double step)
{
	enum { WORTH = 3 }; /* fewer of the same are shorter written out */
	long long now = 0;

	putc('"', out);
	for (size_t i = 0, end; i < count; i = end) {
		bool known = isfinite(points[i]);
		long long change = known ? llround((points[i] - origin) / step) - now : 0;
		now += change;
		for (end = i + 1; end < count && isfinite(points[end]) == known; end++, now += change)
			if (known && llround((points[end] - origin) / step) - now != change)
				break;
		bool worth = end - i > WORTH;
		for (size_t same = i; same < (worth ? i + 1 : end); same++)
			write_difference(out, known, change);
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
