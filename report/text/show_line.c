/* Lines of `show`; see show_line.h. */
#include "report/text/show_line.h"

#include <stdarg.h>

unsigned show_width_left(const struct show_view *view, unsigned used)
{
	return view->terminal.width > used ? view->terminal.width - used : 0;
}

static void begin_line(const struct show_view *view, const char *label)
{
	if (view->figure_width == 0)
		fputs("  ", view->terminal.out);
	terminal_put(&view->terminal, COLOUR_dim, "%-*s", SHOW_LABEL_WIDTH, label);
}

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
{
	char rest[640];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(rest, sizeof rest, format, arguments);
	va_end(arguments);
	begin_line(view, label);
	int used = terminal_put(&view->terminal, COLOUR_strong, "%-*s", *rest ? (int)view->figure_width : 0, figure);
	if (view->figure_width == 0 && *rest && *rest != ' ')
		used += fprintf(view->terminal.out, ", ");
	unsigned column = SHOW_LABEL_WIDTH + (view->figure_width == 0 ? 2 : 0);
	used += (int)column;
	/* Behind figures that have no column of their own nothing stands below them either. */
	terminal_wrap(&view->terminal, rest, (unsigned)used, view->figure_width == 0 ? column : (unsigned)used);
}

void show_text(const struct show_view *view, const char *label, const char *text)
{
	begin_line(view, label);
	unsigned used = SHOW_LABEL_WIDTH + (view->figure_width == 0 ? 2 : 0);
	terminal_wrap(&view->terminal, text, used, used);
}
