/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Request": the recommended request in the syntax of each tool, and its price. The page contains the lines
 * of every tool, so that they can be read and printed without JavaScript. With JavaScript, the page shows one tool at a
 * time, and has a button that copies its lines. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/dialects.h"
#include "report/advice/recommend.h"
#include "report/page/elements.h"

#include <stdlib.h>

static void write_money(FILE *out, const char *before, double amount, const char *currency, const char *after)
{
	markup_write(out, "%s<strong>%-s</strong>%s", before, units_money(amount, currency).text, after);
}

static void write_choice(FILE *out, const struct server *server)
{
	markup_write(out, "<p>Cheapest fit: <strong>%-s</strong> <small>%-s%s%-s</small>",
		*server->name ? server->name : server->id, server->vendor, *server->region ? ", " : "", server->region);
	if (number_known(server->price))
		write_money(out, ", ", server->price, server->currency, " an hour");
	if (number_known(server->spot_price))
		write_money(out, ", spot ", server->spot_price, server->currency, "");
	markup_write(out, ".</p>\n");
}

static void write_cost(FILE *out, const struct cost *cost)
{
	markup_write(out, "<p>");
	if (number_known(cost->current))
		write_money(out, "This run cost ", cost->current, cost->currency, number_known(cost->run) ? "; " : ".");
	if (number_known(cost->run))
		write_money(out, number_known(cost->current) ? "there it costs " : "There this run costs ", cost->run,
			cost->currency, "");
	if (number_known(cost->run) && cost->saving > 0) {
		markup_write(out, ", <strong>%s</strong>", units_figure(UNIT_percent, cost->saving_percent).text);
		write_money(out, " or ", cost->saving, cost->currency, " less");
	}
	markup_write(out, "%s</p>\n", number_known(cost->run) ? "." : "");
}

static void write_ask(FILE *out, const struct resources *resources, enum dialect dialect)
{
	char *lines = dialect_lines(resources, dialect);

	if (lines && *lines) {
		markup_write(out, "<div class=\"ask\"><h3>%s</h3><pre tabindex=\"0\">", dialect_names[dialect].title);
		markup_write_lines(out, text_of(lines));
		markup_write(out, "</pre></div>\n");
	}
	free(lines);
}

static void write_remark(FILE *out, const char *text)
{
	markup_write(out, "<p class=\"note\">%-s</p>\n", text);
}

void page_write_request(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!next)
		return;
	markup_write(out,
		"<section class=\"card next\" aria-labelledby=\"next\">\n<div><h2 id=\"next\">Next run: "
		"request</h2>\n<p class=\"says\">By what this job’s runs needed, and how much they differed.");
	markup_more(out, "recommend.md#the-rule");
	markup_write(out, "<p class=\"big\">");
	resources_write(out, &next->resources, " <span>·</span> ");
	if (next->resources.vram_mib > 0 && next->resources.gpu > 0)
		markup_write(out, " <small>with %s of GPU memory</small>",
			units_figure(UNIT_mib, next->resources.vram_mib).text);
	markup_write(out, "</p>\n");
	if (next->has_server)
		write_choice(out, &next->server);
	if (next->has_cost)
		write_cost(out, &next->cost);
	for (size_t i = 0; i < BASIS_COUNT; i++)
		if (*next->basis[i])
			write_remark(out, next->basis[i]);
	for (size_t i = 0; i < next->note_count; i++)
		write_remark(out, next->notes[i]);
	if (!next->has_server && !page->priced)
		markup_write(out,
			"<p class=\"note\">What it costs is not known: <code>rtrack-report html --prices</code> "
			"asks for prices, <code>--catalog FILE</code> has your own.</p>\n");
	markup_write(out, "</div>\n<div class=\"asks\">\n");
	for (int dialect = DIALECT_text + 1; dialect < DIALECT_COUNT; dialect++)
		write_ask(out, &next->resources, (enum dialect)dialect);
	markup_write(out, "</div>\n</section>");
}
