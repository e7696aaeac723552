/* The run beside the earlier runs of its job: small bars of each figure, and a sentence on what is unusual.
 *
 * A figure is unusual when it is more than one and a half times the median of the earlier runs, or less than two thirds
 * of it. The bars are markup, so that they show without JavaScript and on paper. */
#include "report/compare/compare.h"
#include "report/compare/past.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/page/page.h"
#include "report/say/units.h"

#include <math.h>

static const double FAR = 1.5;

/* Named in the sentence when they are unusual. */
static const enum measure_id judged[] = {MEASURE_wall_seconds, MEASURE_mean_cpu_usage, MEASURE_peak_memory_mib};

static struct figure figure_of(enum measure_id measure, double value)
{
	return units_figure(compare_unit(measure), value);
}

/* Within a sentence: "duration", but "CPU time". */
static void write_name(FILE *out, const char *name)
{
	bool word = name[1] >= 'a' && name[1] <= 'z';
	markup_write(out, "%c%s", word ? name[0] - 'A' + 'a' : name[0], name + 1);
}

void page_write_unusual(FILE *out, const struct page *page)
{
	const char *separator = "<p class=\"note\">Unusual: ";
	size_t runs, most = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(judged); i++) {
		double ratio = past_now(page->past, judged[i]) / past_median(page->past, judged[i], &runs);
		if (runs < PAST_HABIT || !(ratio > FAR || ratio < 1 / FAR))
			continue;
		markup_write(out, "%s", separator);
		write_name(out, compare_label(judged[i]));
		markup_write(out, " %.1f×", ratio);
		separator = ", ";
		most = runs;
	}
	if (most > 0)
		markup_write(out, " the median of %zu earlier runs.</p>\n", most);
}

/* -- the bars -------------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 14, BAR_STEP = 18, BARS_HEIGHT = 44 };

static void write_bars(FILE *out, const struct past *past, enum measure_id measure, double greatest)
{
	markup_write(out,
		"<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"xMinYMid\" role=\"img\" aria-label=\"%s, the oldest "
		"run first: ",
		(HISTORY_RUNS + 1) * BAR_STEP, BARS_HEIGHT, compare_label(measure));
	for (size_t i = 0; i < past->count; i++)
		markup_write(out, "%s%s", i > 0 ? ", " : "", figure_of(measure, past->figures[i][measure]).text);
	markup_write(out, "\">");
	for (size_t i = 0; i < past->count; i++) {
		double value = past->figures[i][measure];
		double height = greatest > 0 && value > 0 ? fmax(BARS_HEIGHT * value / greatest, 1) : 1;
		if (!number_known(value))
			continue;
		markup_write(out, "<rect%s x=\"%zu\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"><title>%s</title></rect>",
			i + 1 == past->count ? " class=\"now\"" : "", i * BAR_STEP, BARS_HEIGHT - height, BAR_WIDTH,
			height, figure_of(measure, value).text);
	}
	markup_write(out, "</svg>");
}

static void write_multiple(FILE *out, const struct past *past, enum measure_id measure)
{
	size_t runs;
	double now = past_now(past, measure), usual = past_median(past, measure, &runs);
	double greatest = 0;

	for (size_t i = 0; i < past->count; i++)
		greatest = fmax(greatest, past->figures[i][measure]);
	if (!number_known(now) || !number_known(usual) || !(greatest > 0))
		return;
	markup_write(out, "<div class=\"multiple\"><h4>%s</h4>\n", compare_label(measure));
	write_bars(out, past, measure, greatest);
	markup_write(out, "\n<p><strong>%s</strong> <span>%s %s</span></p></div>\n", figure_of(measure, now).text,
		runs > 1 ? "earlier median" : "before", figure_of(measure, usual).text);
}

void page_write_past(FILE *out, const struct page *page)
{
	const struct past *past = page->past;

	if (past->count < 2)
		return;
	markup_write(out,
		"<section class=\"listing past\" aria-labelledby=\"past\"><h3 id=\"past\">Beside the run%s before "
		"it</h3>\n"
		"<p class=\"note\">A bar each, the oldest first; this run is the last.",
		past->count > 2 ? "s" : "");
	markup_more(out, "report.md#comparing");
	markup_write(out, "<div class=\"multiples\">\n");
	for (size_t i = 0; i < PAIR_MEASURES; i++)
		write_multiple(out, past, pair_measures[i]);
	markup_write(out, "</div></section>");
}
