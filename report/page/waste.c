/* What this job's runs asked for and what they used of it: a row for memory, CPUs and GPUs, as far as it is known. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"

#include <math.h>

static const struct kind {
	enum waste_kind kind;
	const char *name;
	const char *unit;
} kinds[] = {
	{WASTE_MEMORY, "Memory", "GiB-hours"},
	{WASTE_CPU, "CPUs", "CPU-hours"},
	{WASTE_GPU, "GPUs", "GPU-hours"},
};

static void write_amount(FILE *out, double value)
{
	markup_write(out, "<td class=\"number\">%s</td>", units_hours(value).text);
}

static void write_kind(FILE *out, const struct kind *kind, const struct waste_sum *sum)
{
	double share = sum->asked > 0 ? 100 * sum->used / sum->asked : 0;

	if (sum->runs == 0)
		return;
	markup_write(out, "<tr><th scope=\"row\">%s <small>%s</small></th>", kind->name, kind->unit);
	write_amount(out, sum->asked);
	write_amount(out, sum->used);
	write_amount(out, fmax(sum->asked - sum->used, 0));
	markup_write(out,
		"<td><svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"%.0f %% used\"><rect width=\"%.1f\" height=\"8\"/></svg> %.0f %%</td></tr>\n",
		share, fmin(share, 100), share);
}

/* What shorter runs ask for is a row of zeros. */
static bool is_worth_a_row(const struct waste *waste)
{
	static const double LEAST = 0.0005; /* hours: what is shown as more than "~0" */
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
	markup_write(out,
		"<section class=\"listing waste\" aria-labelledby=\"waste\"><h3 id=\"waste\">Asked for and used</h3>\n"
		"<p class=\"note\">%zu %s%s of this job, %s in all%s. Memory counts with its peak, for as long as a %s "
		"took.",
		waste->runs, unit, waste->runs > 1 ? "s" : "", units_duration(waste->hours * 3600).text,
		page->recommendation->of_groups ? ", each by one of its machines" : "", unit);
	if (number_known(page->waste_money)) {
		markup_write(out, " What was not used cost <strong>");
		markup_write_text(out, text_of(units_money(page->waste_money, page->waste_currency).text));
		markup_write(out, "</strong>, by the cheapest servers that have the one and the other.");
	}
	markup_more(out, "recommend.md#waste");
	markup_write(out,
		"<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Of</th>"
		"<th scope=\"col\" class=\"number\">Asked for</th><th scope=\"col\" class=\"number\">Used</th>"
		"<th scope=\"col\" class=\"number\">Not used</th><th scope=\"col\">Share used</th></tr></thead>\n"
		"<tbody>\n");
	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
		write_kind(out, &kinds[i], &waste->of[kinds[i].kind]);
	markup_write(out, "</tbody></table></div></section>");
}
