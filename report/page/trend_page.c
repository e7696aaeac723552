/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the runs of a job over time as HTML: charts, outliers, and a table. */
#include "report/page/trend_page.h"

#include "report/page/elements.h"
#include "report/say/hash.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WIDTH = 600, HEIGHT = 110, MARGIN = 6, LINE_WIDTH = 120, LINE_HEIGHT = 24, NAME_SHOWN = 60 };

/* -- names ----------------------------------------------------------------------------------------- */

void trend_file_name(char name[TREND_NAME_SIZE], const char *text)
{
	size_t length = 0;
	bool plain = *text != '\0';

	for (const char *at = text; *at; at++) {
		char byte = *at;
		bool fits = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
			    (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_' || (byte == '.' && at != text);
		if (length < NAME_SHOWN)
			name[length++] = fits ? byte : '_';
		/* File names must differ even on a file system that ignores case. A name with capitals therefore gets a
		 * hash, unless the capitals are part of a run's timestamp. */
		bool large = byte >= 'A' && byte <= 'Z' && !(at > text && at[-1] >= '0' && at[-1] <= '9');
		plain = plain && fits && length < NAME_SHOWN && !large;
	}
	name[length] = '\0';
	if (!plain)
		snprintf(
			name + length, TREND_NAME_SIZE - length, "-%016" PRIx64, hash_fnv1a(HASH_FNV1A, text_of(text)));
}

/* Writes the id of a run with a link to its page. */
static void write_run(FILE *out, const struct trend_run *run, const struct trend_links *links)
{
	char name[TREND_NAME_SIZE];

	trend_file_name(name, run->page);
	if (links && !run->told)
		markup_write(out, "<a href=\"%s%s.html\"><code>%-s</code></a>", links->runs, name, run->id);
	else
		markup_write(out, "<code>%-s</code>", run->id);
}

/* -- charts ---------------------------------------------------------------------------------------- */

/* The runs that are drawn: from `begin` up to the run before `end`. */
struct window {
	size_t begin, end, now;
};

static struct window window_of(const struct trend *trend, const char *now)
{
	struct window window = {.end = trend->count, .now = SIZE_MAX};

	for (size_t i = 0; now && i < trend->count; i++)
		if (strcmp(trend->runs[i].id, now) == 0)
			window.now = i;
	if (window.now != SIZE_MAX && window.now + TREND_WINDOW / 2 < window.end && window.end > TREND_WINDOW)
		window.end =
			window.now + TREND_WINDOW / 2 > TREND_WINDOW ? window.now + TREND_WINDOW / 2 : TREND_WINDOW;
	window.begin = window.end > TREND_WINDOW ? window.end - TREND_WINDOW : 0;
	return window;
}

static double greatest_of(const struct trend *trend, struct window window, enum trend_figure figure)
{
	double greatest = 0;

	for (size_t i = window.begin; i < window.end; i++)
		greatest = fmax(greatest, trend->runs[i].figures[figure]);
	return greatest;
}

static double place_of(struct window window, size_t i, double width)
{
	size_t steps = window.end - window.begin - 1;
	return MARGIN + (width - 2 * MARGIN) * (steps > 0 ? (double)(i - window.begin) / (double)steps : 0.5);
}

static double level_of(double value, double greatest, double height)
{
	return height - MARGIN - (height - 2 * MARGIN) * value / greatest;
}

static void write_path(FILE *out, const struct trend *trend, struct window window, enum trend_figure figure,
	double greatest, double width, double height)
{
	char step = 'M';

	markup_write(out, "<path d=\"");
	for (size_t i = window.begin; i < window.end; i++) {
		double value = trend->runs[i].figures[figure];
		if (!number_known(value))
			continue;
		markup_write(out, "%c%.0f %.0f", step, place_of(window, i, width), level_of(value, greatest, height));
		step = 'L';
	}
	markup_write(out, "\"/>");
}

static void write_points(
	FILE *out, const struct trend *trend, struct window window, enum trend_figure figure, double greatest)
{
	for (size_t i = window.begin; i < window.end; i++) {
		const struct trend_run *run = &trend->runs[i];
		double value = run->figures[figure];
		bool bad = run->over && !run->finished, odd = run->odd & 1u << figure;
		if (!number_known(value) || !(bad || odd || i == window.now))
			continue;
		markup_write(out,
			"<circle class=\"%s\" cx=\"%.0f\" cy=\"%.0f\" r=\"%d\"><title>%-s: %s</title></circle>",
			i == window.now ? "now"
			: bad           ? "bad"
					: "odd",
			place_of(window, i, WIDTH), level_of(value, greatest, HEIGHT), i == window.now ? 5 : 4, run->id,
			trend_figure(trend, figure, value).text);
	}
}

static void write_chart(FILE *out, const struct trend *trend, struct window window, enum trend_figure figure)
{
	double greatest = greatest_of(trend, window, figure), median = trend->medians[figure];

	if (!(greatest > 0))
		return;
	markup_write(out,
		"<div class=\"multiple over\"><h4>%s</h4>\n<svg class=\"trend\" viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"%s of %zu runs, the oldest first; maximum %s\">",
		trend_name(figure), WIDTH, HEIGHT, trend_name(figure), window.end - window.begin,
		trend_figure(trend, figure, greatest).text);
	if (number_known(median) && median <= greatest)
		markup_write(out, "<line x1=\"0\" x2=\"%d\" y1=\"%.0f\" y2=\"%.0f\"/>", WIDTH,
			level_of(median, greatest, HEIGHT), level_of(median, greatest, HEIGHT));
	write_path(out, trend, window, figure, greatest, WIDTH, HEIGHT);
	write_points(out, trend, window, figure, greatest);
	markup_write(out, "</svg>\n<p><strong>%s</strong> <span>median of all, maximum %s</span></p></div>\n",
		trend_figure(trend, figure, median).text, trend_figure(trend, figure, greatest).text);
}

void trend_write_charts(FILE *out, const struct trend *trend, const char *now)
{
	struct window window = window_of(trend, now);

	markup_write(out, "<div class=\"multiples trends\">\n");
	for (int figure = 0; figure < TREND_FIGURES; figure++)
		write_chart(out, trend, window, (enum trend_figure)figure);
	markup_write(out, "</div>\n");
}

void trend_write_line(FILE *out, const struct trend *trend)
{
	struct window window = window_of(trend, NULL);
	double greatest = greatest_of(trend, window, TREND_seconds);

	if (trend->count < 2 || !(greatest > 0))
		return;
	markup_write(out,
		"<svg class=\"trend small\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Durations of %zu runs, at "
		"most %s\">",
		LINE_WIDTH, LINE_HEIGHT, window.end - window.begin, trend_figure(trend, TREND_seconds, greatest).text);
	write_path(out, trend, window, TREND_seconds, greatest, LINE_WIDTH, LINE_HEIGHT);
	markup_write(out, "</svg>");
}

/* -- lists ----------------------------------------------------------------------------------------- */

void trend_write_item(FILE *out, const struct trend *trend, const struct trend_run *run,
	const struct trend_links *links, const char *job)
{
	char text[200];

	markup_write(out, "<li>");
	write_run(out, run, links);
	if (job)
		markup_write(out, " <strong>%-s</strong>", job);
	trend_describe(trend, run, text, sizeof text);
	markup_write(out, " %s%s%-s</li>\n", text, *text ? ": " : "", run->reason);
}

size_t trend_write_odd(FILE *out, const struct trend *trend, const struct trend_links *links, size_t limit)
{
	size_t written = 0;

	for (size_t i = trend->count; i > 0 && written < limit; i--) {
		const struct trend_run *run = &trend->runs[i - 1];
		if (!*run->reason)
			continue;
		markup_write(out, "%s", written++ == 0 ? "<ul class=\"odd\">\n" : "");
		trend_write_item(out, trend, run, links, NULL);
	}
	if (written > 0)
		markup_write(out, "</ul>\n");
	return written;
}

void trend_write_section(FILE *out, const struct trend *trend, const char *now, const struct trend_links *links)
{
	enum { LISTED = 5 };

	if (trend->count < TREND_SHOWN_LEAST)
		return;
	markup_write(out,
		"<section class=\"listing\" aria-labelledby=\"over-time\">"
		"<h3 id=\"over-time\">This job over time</h3>\n"
		"<p class=\"note\">%zu runs, the oldest first; the dashed line is the median of all that finished, "
		"the ring is this run. An outlier is far from that median, and further than these runs usually "
		"are: what is unusual beside the few runs before it need not be.",
		trend->count);
	if (links && links->job)
		markup_write(out, " <a href=\"%s\">All runs of this job</a>.", links->job);
	markup_more(out, "fleet.md#pages-of-all-runs");
	trend_write_charts(out, trend, now);
	(void)trend_write_odd(out, trend, links, LISTED);
	markup_write(out, "</section>\n");
}

void trend_write_table(FILE *out, const struct trend *trend, const struct trend_links *links)
{
	bool units = false;
	char heads[160];
	struct buffer titles = BUFFER(heads);

	for (size_t i = 0; i < trend->count; i++)
		units |= *trend->runs[i].unit != '\0';
	buffer_string(&titles, units ? "Run|Part of|Start|Status" : "Run|Start|Status");
	for (int figure = 0; figure < TREND_FIGURES; figure++)
		if (number_known(trend->medians[figure])) {
			buffer_string(&titles, "|#");
			buffer_string(&titles, trend_name((enum trend_figure)figure));
		}
	markup_write(out, "<section class=\"scroll wide\" tabindex=\"0\" aria-label=\"Table of runs\">");
	table_begin_plain(out, buffer_terminate(&titles));
	for (size_t i = trend->count; i > 0; i--) {
		const struct trend_run *run = &trend->runs[i - 1];
		markup_write(out, "<tr><th scope=\"row\">");
		write_run(out, run, links);
		markup_write(out, "</th>");
		if (units)
			markup_write(out, "<td>%-s</td>", run->unit);
		markup_write(out, "<td>");
		time_write(out, "", run->start_time);
		markup_write(out, "</td><td>%-s</td>", run->status);
		for (int figure = 0; figure < TREND_FIGURES; figure++)
			if (number_known(trend->medians[figure]))
				cell_write(
					out, trend_figure(trend, (enum trend_figure)figure, run->figures[figure]).text);
		markup_write(out, "</tr>\n");
	}
	markup_write(out, "</tbody></table></section>\n");
}
