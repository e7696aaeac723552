/* SPDX-License-Identifier: Apache-2.0 */
/* Text output for people. */
#include "report/say/terminal.h"

#include "core/number.h"
#include "report/say/utf8.h"

#include <ctype.h>
#include <langinfo.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 80, PIPE_WIDTH = 120 /* longest line with a text that was cut */, WIDTH_LEAST = 20, WIDTH_MOST = 1000 };

static unsigned within(unsigned long width)
{
	return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : (unsigned)width;
}

/* Sets the width to that in the environment variable COLUMNS, if it is set. */
static void take_columns(struct terminal *terminal)
{
	const char *value = getenv("COLUMNS");
	uint64_t columns;

	if (!value || number_read_unsigned(text_of(value), &columns) != 0 || columns == 0)
		return;
	terminal->width = within(columns);
	terminal->whole = false;
}

struct terminal terminal_of(FILE *out)
{
	struct terminal terminal = {.out = out, .width = WIDTH};
	struct winsize size;
	const char *kind = getenv("TERM");
	const char *no_colour = getenv("NO_COLOR");

	terminal.live = isatty(fileno(out)) == 1;
	terminal.whole = !terminal.live;
	if (terminal.live) {
		terminal.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
		terminal.colour = kind && strcmp(kind, "dumb") != 0 && !(no_colour && *no_colour);
	}
	if (terminal.live && ioctl(fileno(out), TIOCGWINSZ, &size) == 0) {
		terminal.height = size.ws_row;
		terminal.width = size.ws_col > 0 ? within(size.ws_col) : WIDTH;
	}
	take_columns(&terminal);
	return terminal;
}

void terminal_colour(const struct terminal *terminal, enum colour colour)
{
	static const char *const codes[] = {
		[COLOUR_plain] = "0",
		[COLOUR_strong] = "1",
		[COLOUR_dim] = "2",
		[COLOUR_good] = "32",
		[COLOUR_bad] = "1;31",
		[COLOUR_warn] = "33",
		[COLOUR_line] = "36",
	};
	if (terminal->colour)
		fprintf(terminal->out, "\033[%sm", codes[colour]);
}

int terminal_put(const struct terminal *terminal, enum colour colour, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	terminal_colour(terminal, colour);
	int written = vfprintf(terminal->out, format, arguments);
	terminal_colour(terminal, COLOUR_plain);
	va_end(arguments);
	return written;
}

/* -- texts ----------------------------------------------------------------------------------------- */

struct range {
	uint32_t first;
	uint32_t last;
};

static bool is_in(const struct range *ranges, size_t count, uint32_t code)
{
	for (size_t i = 0; i < count; i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}

static unsigned columns_of(uint32_t code)
{
	static const struct range wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3}, {0xf900, 0xfaff},
		{0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
	static const struct range none[] = {{0x0300, 0x036f}, {0x1ab0, 0x1aff}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
	return is_in(none, ARRAY_LENGTH(none), code) ? 0 : is_in(wide, ARRAY_LENGTH(wide), code) ? 2 : 1;
}

struct glyph {
	struct utf8_shown shown;
	unsigned columns;
};

static struct glyph glyph_at(const struct terminal *terminal, const char *text)
{
	enum { LENGTH_MAX = 4 };
	struct glyph glyph = {utf8_show((struct text){text, LENGTH_MAX}, 0, terminal->live && !terminal->utf8), 0};

	glyph.columns = glyph.shown.code != 0 ? columns_of(glyph.shown.code) : (unsigned)strlen(glyph.shown.text);
	return glyph;
}

static bool fits(const struct terminal *terminal, const char *text, unsigned width)
{
	unsigned columns = 0;
	while (*text && columns <= width) {
		struct glyph glyph = glyph_at(terminal, text);
		columns += glyph.columns;
		text += glyph.shown.length;
	}
	return columns <= width;
}

unsigned terminal_text_in(
	const struct terminal *terminal, enum colour colour, const char *text, unsigned width, unsigned pad)
{
	terminal_colour(terminal, colour);
	unsigned columns = terminal_text(terminal, text, width, pad);
	terminal_colour(terminal, COLOUR_plain);
	return columns;
}

void terminal_dim_line(const struct terminal *terminal, const char *text)
{
	terminal_text_in(terminal, COLOUR_dim, text, terminal->width, 0);
	fputc('\n', terminal->out);
}

void terminal_replace(const struct terminal *terminal, char *text)
{
	static const struct {
		const char *sign;
		char plain;
	} signs[] = {{"×", 'x'}, {"–", '-'}};

	for (size_t i = 0; i < ARRAY_LENGTH(signs) && !terminal->utf8; i++) {
		size_t length = strlen(signs[i].sign);
		for (char *at = text; (at = strstr(at, signs[i].sign)); at++) {
			*at = signs[i].plain;
			memmove(at + 1, at + length, strlen(at + length) + 1);
		}
	}
}

unsigned terminal_columns(const struct terminal *terminal, const char *text)
{
	unsigned columns = 0;

	while (*text) {
		struct glyph glyph = glyph_at(terminal, text);
		columns += glyph.columns;
		text += glyph.shown.length;
	}
	return columns;
}

unsigned terminal_room(const struct terminal *terminal)
{
	return terminal->whole ? PIPE_WIDTH : terminal->width;
}

unsigned terminal_column_width(const struct terminal *terminal, unsigned longest, unsigned least, unsigned rest)
{
	unsigned width = terminal_room(terminal), room = width > rest + least ? width - rest : least;

	return longest < least ? least : longest < room ? longest : room;
}

unsigned terminal_cell(const struct terminal *terminal, const char *text, unsigned width, unsigned pad)
{
	const char *mark = terminal->utf8 ? "\u2026" : "...";
	unsigned room = terminal->utf8 ? 1 : 3, mark_columns = width < room ? width : room;
	bool cut = !fits(terminal, text, width);
	unsigned limit = cut ? width - mark_columns : UINT_MAX;
	unsigned columns = 0;

	while (*text) {
		struct glyph glyph = glyph_at(terminal, text);
		if (columns + glyph.columns > limit)
			break;
		fputs(glyph.shown.text, terminal->out);
		columns += glyph.columns;
		text += glyph.shown.length;
	}
	if (cut && mark_columns > 0) {
		fprintf(terminal->out, "%.*s", terminal->utf8 ? INT_MAX : (int)mark_columns, mark);
		columns += mark_columns;
	}
	for (; columns < pad; columns++)
		fputc(' ', terminal->out);
	return columns;
}

unsigned terminal_text(const struct terminal *terminal, const char *text, unsigned width, unsigned pad)
{
	return terminal_cell(terminal, text, terminal->whole ? width + PIPE_WIDTH - WIDTH : width, pad);
}

void terminal_text_line(const struct terminal *terminal, const char *text, unsigned used)
{
	unsigned width = terminal_room(terminal);

	terminal_cell(terminal, text, width > used ? width - used : 0, 0);
	fputc('\n', terminal->out);
}

/* Returns whether the space at `at` is between a number and its unit. */
static bool is_before_unit(const char *text, size_t at)
{
	return at > 0 && isdigit((unsigned char)text[at - 1]) && isalpha((unsigned char)text[at + 1]);
}

/* Returns the number of columns of the next word, and stores its length in bytes in *length. A number and its unit are
 * treated as one word, so that no line break separates them. */
static unsigned word_columns(const struct terminal *terminal, const char *text, size_t *length)
{
	unsigned columns = 0;

	for (*length = 0; text[*length] && (text[*length] != ' ' || is_before_unit(text, *length));) {
		struct glyph glyph = glyph_at(terminal, text + *length);
		columns += glyph.columns;
		*length += glyph.shown.length;
	}
	return columns;
}

void terminal_wrap(const struct terminal *terminal, const char *text, unsigned used, unsigned indent)
{
	enum { TEXT_LEAST = 16 };
	unsigned width = terminal->width, begin = indent + TEXT_LEAST <= width ? indent : 2;
	bool first = true;
	size_t length;

	unsigned word = word_columns(terminal, text, &length);
	if (begin + word > width)
		begin = 2;
	if (used + word > width && used > begin && !terminal->whole) {
		fprintf(terminal->out, "\n%*s", (int)begin, "");
		used = begin;
	}
	while (*text) {
		unsigned columns = word_columns(terminal, text, &length);
		if (!first && used + 1 + columns > width) {
			fprintf(terminal->out, "\n%*s", (int)begin, "");
			used = begin;
		} else if (!first) {
			fputc(' ', terminal->out);
			used++;
		}
		for (size_t i = 0; i < length;) {
			struct glyph glyph = glyph_at(terminal, text + i);
			fputs(glyph.shown.text, terminal->out);
			i += glyph.shown.length;
		}
		used += columns;
		text += length;
		text += *text == ' ';
		first = false;
	}
	fputc('\n', terminal->out);
}

/* -- sparklines ------------------------------------------------------------------------------------ */

/* Returns the mean of the known values from `first` to `last` − 1, or their maximum if `peaks` is true. */
static double height_of(const double *values, size_t first, size_t last, bool peaks)
{
	double sum = 0;
	double largest = UNKNOWN;
	double count = 0;

	for (size_t i = first; i < last; i++) {
		if (!number_known(values[i]))
			continue;
		sum += values[i];
		count++;
		if (!(values[i] <= largest))
			largest = values[i];
	}
	return count == 0 ? UNKNOWN : peaks ? largest : sum / count;
}

void terminal_sparkline(const struct terminal *terminal, const double *values, size_t count, bool peaks, unsigned width)
{
	enum { BLOCKS = 8 };
	static const char *const shapes[2][BLOCKS] = {{".", ":", "-", "=", "+", "*", "#", "@"},
		{"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"}};
	const char *const *blocks = shapes[terminal->utf8];
	double heights[WIDTH_MOST];
	double largest = 0;
	size_t columns = count < width ? count : width;

	if (!values)
		return;
	columns = columns < WIDTH_MOST ? columns : WIDTH_MOST;
	for (size_t i = 0; i < columns; i++) {
		heights[i] = height_of(values, i * count / columns, (i + 1) * count / columns, peaks);
		if (heights[i] > largest)
			largest = heights[i];
	}
	terminal_colour(terminal, COLOUR_line);
	for (size_t i = 0; i < columns; i++) {
		double part = largest > 0 ? heights[i] / largest : 0;
		size_t block = part > 0 ? (size_t)(part * BLOCKS) : 0;
		if (number_known(heights[i]))
			fputs(blocks[block < BLOCKS ? block : BLOCKS - 1], terminal->out);
		else
			fputc(' ', terminal->out);
	}
	terminal_colour(terminal, COLOUR_plain);
}

/* -- figures --------------------------------------------------------------------------------------- */

static struct figure ascii(struct figure figure)
{
	return (unsigned char)figure.text[0] < 0x80 ? figure : (struct figure){"-"};
}

struct figure terminal_figure(enum unit unit, double value)
{
	return ascii(units_figure(unit, value));
}

struct figure terminal_duration(double seconds)
{
	return ascii(units_duration(seconds));
}

struct figure terminal_brief(double seconds)
{
	return ascii(units_brief(seconds));
}

struct figure terminal_lived(double seconds)
{
	return ascii(units_lived(seconds));
}

static bool in_utc; /* set by terminal_use_utc */

void terminal_use_utc(void)
{
	in_utc = true;
}

bool terminal_is_utc(void)
{
	tzset();
	return in_utc || (timezone == 0 && daylight == 0);
}

struct figure terminal_time(double seconds)
{
	struct figure figure = ascii(units_time(seconds, false));
	struct tm tm;

	if (in_utc || strcmp(figure.text, "-") == 0)
		return figure;
	time_t whole = (time_t)floor(seconds);
	tzset();
	if (localtime_r(&whole, &tm))
		strftime(figure.text, sizeof figure.text, "%Y-%m-%d %H:%M:%S %Z", &tm);
	return figure;
}

struct figure terminal_count(double value)
{
	return fabs(value) < 1e15 ? units_count(value) : (struct figure){"-"};
}
