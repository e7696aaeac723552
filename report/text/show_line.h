/* A line of `show`: a label, a figure, and what it is to be judged by.
 *
 * What does not fit in the width goes on below, under the beginning of its text: an explanation is never cut. */
#ifndef RTRACK_REPORT_TEXT_SHOW_LINE_H
#define RTRACK_REPORT_TEXT_SHOW_LINE_H

#include "report/model/model.h"
#include "report/say/terminal.h"

enum { SHOW_LABEL_WIDTH = 12, SHOW_FIGURE_WIDTH = 13 };

struct show_view {
	struct terminal terminal;
	const struct run *run; /* of the model */
	const struct model *model;
	unsigned figure_width;   /* 0: no padding, and a comma behind the figure */
	bool without_sparklines; /* the screen is too low for them */
};

/* How many columns a line has left of which `used` are written. */
unsigned show_width_left(const struct show_view *view, unsigned used);

void show_line(const struct show_view *view, const char *label, const char *figure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A line with a text in the place of the figure. */
void show_text(const struct show_view *view, const char *label, const char *text);

#endif
