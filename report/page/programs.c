/* SPDX-License-Identifier: Apache-2.0 */
/* The table of usage by program, with bars. Its rows add up to the totals of the run: all programs after the first
 * PAGE_COMMANDS_SHOWN share one row, and another row has the difference between the totals and the records. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/bill.h"
#include "report/page/elements.h"

#include <math.h>

struct bill_view {
	FILE *out;
	double most; /* largest CPU time of any row */
	bool gpus;   /* a program used a GPU */
};

static void write_cell(FILE *out, double value, struct figure figure)
{
	if (number_known(value))
		markup_write(out, "<td class=\"number\" data-value=\"%.15g\">%s%s</td>", value, value < 0 ? "−" : "",
			figure.text);
	else
		markup_write(out, "<td class=\"number\">–</td>");
}

static void write_figures(const struct bill_view *bill, const struct bill_row *row)
{
	double seconds = row->cpu_seconds;

	write_cell(bill->out, row->processes, units_figure(UNIT_count, row->processes));
	markup_write(bill->out, "<td class=\"number\" data-value=\"%.15g\">%s%s", number_known(seconds) ? seconds : 0,
		seconds < 0 ? "−" : "", units_duration(fabs(seconds)).text);
	if (bill->most > 0)
		markup_write(bill->out,
			"<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
			"<rect width=\"%.1f\" height=\"8\"/></svg>",
			fmin(100 * fmax(seconds, 0) / bill->most, 100));
	markup_write(bill->out, "</td>");
	write_cell(bill->out, row->peak_memory_mib, units_figure(UNIT_mib, row->peak_memory_mib));
	write_cell(bill->out, row->read_bytes, units_figure(UNIT_bytes, fabs(row->read_bytes)));
	write_cell(bill->out, row->write_bytes, units_figure(UNIT_bytes, fabs(row->write_bytes)));
	if (bill->gpus) {
		write_cell(bill->out, row->gpu_seconds, units_duration(row->gpu_seconds));
		write_cell(bill->out, row->peak_vram_mib, units_figure(UNIT_mib, row->peak_vram_mib));
	}
	markup_write(bill->out, "</tr>\n");
}

static void write_program(const struct bill_view *bill, const struct bill_row *row, size_t program)
{
	struct label label = bill_label(row);
	struct text line = text_of(row->command);

	markup_write(bill->out, "<tr data-program=\"%zu\"><th scope=\"row\" class=\"name\"><span>%-s</span>", program,
		label.text);
	if (line.length > 0 && (row->differs || !text_is(line, label.text)))
		markup_write(bill->out, "<code>%-s%s</code>", row->command, row->differs ? " …" : "");
	markup_write(bill->out, "</th>");
	write_figures(bill, row);
}

/* Writes a row for several programs, or for usage that belongs to no program. `name` is trusted markup. */
static void write_other(const struct bill_view *bill, const struct bill_row *row, const char *name)
{
	markup_write(bill->out, "<tr><th scope=\"row\" class=\"name\">%s</th>", name);
	write_figures(bill, row);
}

void page_write_programs(FILE *out, const struct page *page)
{
	const struct bill *bill = &page->model->programs;
	const struct bill_row *difference = bill_difference(bill), *all = &bill->all;
	size_t shown = bill->programs < PAGE_COMMANDS_SHOWN ? bill->programs : PAGE_COMMANDS_SHOWN;
	struct bill_view view = {.out = out, .gpus = all->gpu_seconds > 0 || all->peak_vram_mib > 0};

	if (bill->programs == 0)
		return;
	for (size_t i = 0; i < shown; i++)
		view.most = fmax(view.most, bill->rows[i].cpu_seconds);
	markup_write(out,
		"<section class=\"commands\" id=\"commands\" aria-label=\"Programs\">\n<p class=\"note\">Totals by "
		"program. Memory: its largest process.");
	markup_more(out, "report.md#usage-by-program");
	markup_write(out,
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\">\n<thead><tr>"
		"<th scope=\"col\">Program</th><th scope=\"col\" class=\"number\">Processes</th>"
		"<th scope=\"col\" class=\"number\" aria-sort=\"descending\">CPU time</th>"
		"<th scope=\"col\" class=\"number\">Largest process</th><th scope=\"col\" class=\"number\">Read</th>"
		"<th scope=\"col\" class=\"number\">Written</th>%s</tr></thead>\n<tbody>\n",
		view.gpus ? "<th scope=\"col\" class=\"number\">GPU time</th><th scope=\"col\" class=\"number\">GPU "
			    "memory</th>"
			  : "");
	for (size_t i = 0; i < shown; i++)
		write_program(&view, &bill->rows[i], i);
	if (shown < bill->programs) {
		struct bill_row rest = bill_sum(bill, shown, bill->programs);
		write_other(&view, &rest, "all others");
	}
	if (difference)
		write_other(&view, difference, bill_label(difference).text);
	view.most = 0;
	markup_write(out, "</tbody>\n<tfoot>\n");
	write_other(&view, all, "All");
	markup_write(out, "</tfoot></table></div></section>");
}
