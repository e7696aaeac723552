/* Usage by program: a table with bars. Its rows sum to the totals of the run.
 *
 * Programs beyond PAGE_COMMANDS_SHOWN are one row. So is the difference between the totals and the records
 * (report/model/bill.h). */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/bill.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"

#include <math.h>

struct bill_view {
	FILE *out;
	double most; /* the most CPU time of any row */
	bool gpus;   /* a program used one */
};

static void write_bill_cell(FILE *out, double value, struct figure figure)
{
	if (number_known(value))
		markup_write(out, "<td class=\"number\" data-value=\"%.15g\">%s%s</td>", value, value < 0 ? "−" : "",
			figure.text);
	else
		markup_write(out, "<td class=\"number\">–</td>");
}

static void write_bill_figures(const struct bill_view *bill, const struct bill_row *row)
{
	double seconds = row->cpu_seconds;

	write_bill_cell(bill->out, row->processes, units_figure(UNIT_count, row->processes));
	markup_write(bill->out, "<td class=\"number\" data-value=\"%.15g\">%s%s", number_known(seconds) ? seconds : 0,
		seconds < 0 ? "−" : "", units_duration(fabs(seconds)).text);
	if (bill->most > 0)
		markup_write(bill->out,
			"<svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
			"<rect width=\"%.1f\" height=\"8\"/></svg>",
			fmin(100 * fmax(seconds, 0) / bill->most, 100));
	markup_write(bill->out, "</td>");
	write_bill_cell(bill->out, row->peak_memory_mib, units_figure(UNIT_mib, row->peak_memory_mib));
	write_bill_cell(bill->out, row->read_bytes, units_figure(UNIT_bytes, fabs(row->read_bytes)));
	write_bill_cell(bill->out, row->write_bytes, units_figure(UNIT_bytes, fabs(row->write_bytes)));
	if (bill->gpus) {
		write_bill_cell(bill->out, row->gpu_seconds, units_duration(row->gpu_seconds));
		write_bill_cell(bill->out, row->peak_vram_mib, units_figure(UNIT_mib, row->peak_vram_mib));
	}
	markup_write(bill->out, "</tr>\n");
}

static void write_command(const struct bill_view *bill, const struct bill_row *row, size_t program)
{
	struct label label = bill_label(row);
	struct text name = text_of(label.text), line = text_of(row->command);

	markup_write(bill->out, "<tr data-program=\"%zu\"><th scope=\"row\" class=\"name\"><span>", program);
	markup_write_text(bill->out, name);
	markup_write(bill->out, "</span>");
	if (line.length > 0 && (row->differs || !text_equal(line, name))) {
		markup_write(bill->out, "<code>");
		markup_write_text(bill->out, line);
		markup_write(bill->out, "%s</code>", row->differs ? " …" : "");
	}
	markup_write(bill->out, "</th>");
	write_bill_figures(bill, row);
}

/* Writes a row that is not one program's; `name` is our own text. */
static void write_other(const struct bill_view *bill, const struct bill_row *row, const char *name)
{
	markup_write(bill->out, "<tr><th scope=\"row\" class=\"name\">%s</th>", name);
	write_bill_figures(bill, row);
}

void page_write_commands(FILE *out, const struct page *page)
{
	const struct bill *bill = &page->model->programs;
	const struct bill_row *difference = bill_difference(bill);
	size_t programs = page->model->programs.programs;
	size_t shown = programs < PAGE_COMMANDS_SHOWN ? programs : PAGE_COMMANDS_SHOWN;
	const struct bill_row *all = &bill->all;
	struct bill_view view = {.out = out, .gpus = all->gpu_seconds > 0 || all->peak_vram_mib > 0};

	if (programs == 0)
		return;
	for (size_t i = 0; i < shown; i++)
		view.most = fmax(view.most, bill->rows[i].cpu_seconds);
	markup_write(out,
		"<section class=\"commands\" aria-labelledby=\"commands\"><h3 id=\"commands\">Commands</h3>\n"
		"<p class=\"note\">What each program used, by what the kernel said at the end of each process. "
		"Processes, CPU time and bytes sum to the totals; memory is that of the largest process.");
	markup_more(out, "report.md#usage-by-program");
	markup_write(out,
		"<div class=\"scroll\" tabindex=\"0\"><table class=\"sortable\">\n<thead><tr>"
		"<th scope=\"col\">Command</th><th scope=\"col\" class=\"number\">Processes</th>"
		"<th scope=\"col\" class=\"number\" aria-sort=\"descending\">CPU time</th>"
		"<th scope=\"col\" class=\"number\">Largest process</th><th scope=\"col\" class=\"number\">Read</th>"
		"<th scope=\"col\" class=\"number\">Written</th>%s</tr></thead>\n<tbody>\n",
		view.gpus ? "<th scope=\"col\" class=\"number\">GPU time</th><th scope=\"col\" class=\"number\">GPU "
			    "memory</th>"
			  : "");
	for (size_t i = 0; i < shown; i++)
		write_command(&view, &bill->rows[i], i);
	if (shown < programs) {
		struct bill_row rest = bill_sum(bill, shown, programs);
		write_other(&view, &rest, "all others");
	}
	if (difference)
		write_other(&view, difference, difference->program);
	view.most = 0;
	markup_write(out, "</tbody>\n<tfoot>\n");
	write_other(&view, all, "All");
	markup_write(out, "</tfoot></table></div></section>");
}
