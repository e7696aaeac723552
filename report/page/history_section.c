/* SPDX-License-Identifier: Apache-2.0 */
/* The section "History": a comparison of this run with earlier runs of its job, and the resources that all of these
 * runs requested and used. A figure is unusual if it is above 1.5 times the median of the earlier runs, or below two
 * thirds of it. The bars are SVG, so they also appear without JavaScript and on paper. */
#include "report/advice/recommend.h"
#include "report/compare/compare.h"
#include "report/compare/side.h"
#include "report/page/elements.h"
#include "report/page/page.h"

#include <math.h>

static const double FAR = 1.5;

/* Figures that the first sentence mentions if they are unusual. */
static const enum measure_id judged[] = {MEASURE_wall_seconds, MEASURE_mean_cpu_usage, MEASURE_peak_memory_mib};

static struct figure figure_of(enum measure_id measure, double value)
{
	return units_figure(compare_unit(measure), value);
}

bool page_write_unusual(FILE *out, const struct page *page)
{
	const char *separator = "<p class=\"warning\">Unusual: ";
	size_t runs, most = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(judged); i++) {
		double ratio = past_now(page->past, judged[i]) / past_median(page->past, judged[i], &runs);
		if (runs < PAST_HABIT || !(ratio > FAR || ratio < 1 / FAR))
			continue;
		const char *name = compare_label(judged[i]);
		bool word = name[1] >= 'a' && name[1] <= 'z'; /* true for "Duration", false for "CPU time" */
		markup_write(out, "%s%c%s %.1f×", separator, word ? name[0] - 'A' + 'a' : name[0], name + 1, ratio);
		separator = ", ";
		most = runs;
	}
	if (most > 0)
		markup_write(out, " the median of %zu earlier runs.</p>\n", most);
	return most > 0;
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

void page_write_earlier(FILE *out, const struct page *page)
{
	const struct past *past = page->past;

	if (past->count < 2)
		return;
	section_begin(out, "listing past", "past",
		past->count > 2 ? "Compared with earlier runs" : "Compared with the run before it",
		"A bar each, the oldest first; this run is the last.", "report.md#comparing");
	markup_write(out, "<div class=\"multiples\">\n");
	for (size_t i = 0; i < PAIR_MEASURES; i++)
		write_multiple(out, past, pair_measures[i]);
	markup_write(out, "</div></section>");
}

/* -- requested and used ---------------------------------------------------------------------------- */

static const struct kind {
	enum waste_kind kind;
	const char *name;
	const char *unit;
} kinds[] = {
	{WASTE_MEMORY, "Memory", "GiB-hours"},
	{WASTE_CPU, "CPUs", "CPU-hours"},
	{WASTE_GPU, "GPUs", "GPU-hours"},
};

static void write_kind(FILE *out, const struct kind *kind, const struct waste_sum *sum)
{
	double share = sum->asked > 0 ? 100 * sum->used / sum->asked : 0;

	if (sum->runs == 0)
		return;
	markup_write(out, "<tr><th scope=\"row\">%s <small>%s</small></th>", kind->name, kind->unit);
	cell_write(out, units_hours(sum->asked).text);
	cell_write(out, units_hours(sum->used).text);
	cell_write(out, units_hours(fmax(sum->asked - sum->used, 0)).text);
	markup_write(out, "<td>");
	bar_write(out, share, "used");
	markup_write(out, " %.0f %%</td></tr>\n", share);
}

/* Returns true if the table would show any value other than zero. */
static bool is_worth_a_row(const struct waste *waste)
{
	static const double LEAST = 0.0005; /* hours; smaller values are shown as "~0" */
	double most = 0;

	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		if (waste->of[kinds[i].kind].runs > 0)
			most = fmax(most, waste->of[kinds[i].kind].asked);
	return most >= LEAST;
}

void page_write_waste(FILE *out, const struct page *page)
{
	const struct waste *waste = page->recommendation ? &page->recommendation->waste : NULL;

	if (!waste || waste->runs < 2 || !is_worth_a_row(waste))
		return;
	const char *unit = recommend_unit(page->recommendation);
	section_begin(out, "listing waste", "waste", "Requested and used", "", NULL);
	markup_write(out, "%zu %s%s of this job, %s in all%s. Memory counts with its peak, for as long as a %s took.",
		waste->runs, unit, waste->runs > 1 ? "s" : "", units_duration(waste->hours * 3600).text,
		page->recommendation->of_groups ? ", each by one of its machines" : "", unit);
	if (number_known(page->waste_money))
		markup_write(out,
			" What was not used cost <strong>%-s</strong>, by the cheapest servers that have the one and "
			"the "
			"other.",
			units_money(page->waste_money, page->waste_currency).text);
	markup_more(out, "recommend.md#waste");
	table_begin(out, NULL, "Of|#Requested|#Used|#Not used|Share used");
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		write_kind(out, &kinds[i], &waste->of[kinds[i].kind]);
	table_end(out, NULL);
	markup_write(out, "</section>");
}
