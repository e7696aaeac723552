/* The run beside the earlier runs of its job: small bars of each figure, and a sentence on what is unusual.
 *
 * A figure is unusual when it is more than one and a half times the median of the earlier runs, or less than two thirds
 * of it. The bars are markup, so that they show without JavaScript and on paper. */
#include "report/compare/past.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/page/page.h"
#include "report/say/units.h"

#include <math.h>
#include <string.h>

static const double FAR = 1.5;

enum form { FORM_duration, FORM_figure };

static const struct multiple {
	enum measure_id measure;
	const char *name;
	enum form form;
	enum unit unit;
	bool judged; /* named in the sentence when unusual */
} multiples[] = {
	{MEASURE_wall_seconds, "Duration", FORM_duration, UNIT_count, true},
	{MEASURE_cpu_seconds, "CPU time", FORM_duration, UNIT_count, false},
	{MEASURE_mean_cpu_usage, "Mean CPU usage", FORM_figure, UNIT_cpus, true},
	{MEASURE_peak_memory_mib, "Peak memory", FORM_figure, UNIT_mib, true},
	{MEASURE_disk_read_bytes, "Read", FORM_figure, UNIT_bytes, false},
	{MEASURE_disk_write_bytes, "Written", FORM_figure, UNIT_bytes, false},
	{MEASURE_mean_gpu_usage, "Mean GPU usage", FORM_figure, UNIT_gpus, false},
	{MEASURE_peak_gpu_vram_mib, "Peak GPU memory", FORM_figure, UNIT_mib, false},
};

static struct figure figure_of(const struct multiple *multiple, double value)
{
	return multiple->form == FORM_duration ? units_duration(value) : units_figure(multiple->unit, value);
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

	for (size_t i = 0; i < ARRAY_LENGTH(multiples); i++) {
		double ratio = past_now(page->past, multiples[i].measure) /
			       past_median(page->past, multiples[i].measure, &runs);
		if (!multiples[i].judged || runs < PAST_HABIT || !(ratio > FAR || ratio < 1 / FAR))
			continue;
		markup_write(out, "%s", separator);
		write_name(out, multiples[i].name);
		markup_write(out, " %.1f×", ratio);
		separator = ", ";
		most = runs;
	}
	if (most > 0)
		markup_write(out, " the median of %zu earlier runs.</p>\n", most);
}

/* -- the bars -------------------------------------------------------------------------------------- */

enum { BAR_WIDTH = 14, BAR_STEP = 18, BARS_HEIGHT = 44 };

static void write_bars(FILE *out, const struct past *past, const struct multiple *multiple, double greatest)
{
	markup_write(out,
		"<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"xMinYMid\" role=\"img\" aria-label=\"%s, the oldest "
		"run first: ",
		(HISTORY_RUNS + 1) * BAR_STEP, BARS_HEIGHT, multiple->name);
	for (size_t i = 0; i < past->count; i++)
		markup_write(
			out, "%s%s", i > 0 ? ", " : "", figure_of(multiple, past->figures[i][multiple->measure]).text);
	markup_write(out, "\">");
	for (size_t i = 0; i < past->count; i++) {
		double value = past->figures[i][multiple->measure];
		double height = greatest > 0 && value > 0 ? fmax(BARS_HEIGHT * value / greatest, 1) : 1;
		if (!number_known(value))
			continue;
		markup_write(out, "<rect%s x=\"%zu\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"><title>%s</title></rect>",
			i + 1 == past->count ? " class=\"now\"" : "", i * BAR_STEP, BARS_HEIGHT - height, BAR_WIDTH,
			height, figure_of(multiple, value).text);
	}
	markup_write(out, "</svg>");
}

static void write_multiple(FILE *out, const struct past *past, const struct multiple *multiple)
{
	size_t runs;
	double now = past_now(past, multiple->measure), usual = past_median(past, multiple->measure, &runs);
	double greatest = 0;

	for (size_t i = 0; i < past->count; i++)
		greatest = fmax(greatest, past->figures[i][multiple->measure]);
	if (!number_known(now) || !number_known(usual) || !(greatest > 0))
		return;
	markup_write(out, "<div class=\"multiple\"><h4>%s</h4>\n", multiple->name);
	write_bars(out, past, multiple, greatest);
	markup_write(out, "\n<p><strong>%s</strong> <span>%s %s</span></p></div>\n", figure_of(multiple, now).text,
		runs > 1 ? "earlier median" : "before", figure_of(multiple, usual).text);
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
	for (size_t i = 0; i < ARRAY_LENGTH(multiples); i++)
		write_multiple(out, past, &multiples[i]);
	markup_write(out, "</div></section>");
}
