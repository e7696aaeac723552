/* SPDX-License-Identifier: Apache-2.0 */
/* Draws lines over time as SVG, for mails and browsers without JavaScript. A picture has only 120 intervals, and shows
 * the maximum of each interval, so that all pictures of a page take about 10 KB. */
#include "report/page/spark.h"

#include "core/number.h"
#include "report/say/markup.h"

#include <math.h>

enum { PARTS = 120, PART_WIDTH = 4, HEIGHT = 100 };

void spark_begin(FILE *out, const char *title)
{
	markup_write(out,
		"<svg class=\"spark\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%s\">",
		PARTS * PART_WIDTH, HEIGHT, title);
}

/* State of an SVG path that consists of relative moves. Horizontal segments are merged, which halves the size of the
 * path. */
struct pen {
	int x, y, flat; /* current position, and the x at which the last horizontal segment ends */
	bool down;
};

static void pen_draw(FILE *out, struct pen *pen, int x, int y)
{
	int right = x - pen->x, below = y - pen->y;

	markup_write(out, "%s%d%s%d", pen->down ? " " : "l", right, below < 0 ? "" : " ", below);
	pen->x = pen->flat = x;
	pen->y = y;
	pen->down = true;
}

/* Extends the line to a point. The line is horizontal from the start of the run to its first point. */
static void pen_go(FILE *out, struct pen *pen, int x, int y)
{
	if (pen->flat == 0) {
		markup_write(out, "M0 %d", y);
		pen->y = y;
	} else if (y != pen->y) {
		if (pen->flat > pen->x)
			pen_draw(out, pen, pen->flat, pen->y);
		pen_draw(out, pen, x, y);
	}
	pen->flat = x;
}

/* Returns the vertical position of a value. */
static double height_of(double value, double greatest)
{
	return greatest > 0 ? HEIGHT - (HEIGHT - 2) * value / greatest - 1 : HEIGHT - 1;
}

void spark_level(FILE *out, double value, double greatest)
{
	markup_write(out, "<path class=\"border\" d=\"M0 %.0fH%d\"/>", height_of(value, greatest), PARTS * PART_WIDTH);
}

void spark_line(FILE *out, const struct thin_axis *axis, const double *points, double start, double seconds,
	double greatest, const char *color)
{
	double parts[PARTS];
	struct pen pen = {0};

	for (int i = 0; i < PARTS; i++)
		parts[i] = UNKNOWN;
	for (size_t i = 0; i < axis->points; i++) {
		double place = seconds > 0 ? (axis->times[i] - start) / seconds * PARTS : 0;
		int part = (int)fmin(fmax(place, 0), PARTS - 1);
		parts[part] = fmax(parts[part], points[i]);
	}
	markup_write(out, "<path class=\"%s\" d=\"", color);
	for (int i = 0; i < PARTS; i++) {
		if (!number_known(parts[i]))
			continue;
		double y = height_of(parts[i], greatest);
		pen_go(out, &pen, i * PART_WIDTH + PART_WIDTH / 2, (int)fmin(fmax(round(y), 0), HEIGHT));
	}
	if (pen.flat > pen.x)
		pen_draw(out, &pen, pen.flat, pen.y);
	markup_write(out, "\"/>");
}

void spark_end(FILE *out)
{
	markup_write(out, "</svg>");
}

/* Writes the labels at both ends and in the middle of an axis. */
static void write_axis(FILE *out, const char *kind, const char *first, const char *middle, const char *last)
{
	markup_write(out, "<div class=\"%s\" aria-hidden=\"true\"><span>%s</span><span>%s</span><span>%s</span></div>",
		kind, first, middle, last);
}

void spark_begin_axes(FILE *out, enum unit unit, double greatest)
{
	markup_write(out, "<div class=\"axes\">");
	write_axis(out, "up", units_figure(unit, greatest).text, units_figure(unit, greatest / 2).text, "0");
}

void spark_end_axes(FILE *out, double seconds)
{
	write_axis(out, "along", "0", units_brief(seconds / 2).text, units_brief(seconds).text);
	markup_write(out, "</div>");
}
