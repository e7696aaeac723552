/* The parts that the job named: a table. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/model/parts.h"
#include "report/say/units.h"

static void write_part(FILE *out, const struct page *page, const struct part *part)
{
	char remark[PARTS_REMARK_SIZE];

	markup_write(out, "<tr data-start=\"%.3f\" data-stop=\"%.3f\"><th scope=\"row\" class=\"name\"><bdi>",
		part->start - page->model->run->start_time, part->stop - page->model->run->start_time);
	markup_write_text(out, text_of(part->name));
	markup_write(out, "</bdi>%s</th>", parts_remark(part, remark));
	markup_write_cell(out, units_figure(UNIT_count, part->times).text);
	markup_write_cell(out, units_duration(part->start - page->model->run->start_time).text);
	markup_write_cell(out, units_duration(part->seconds).text);
	markup_write_cell(out, units_duration(part->cpu_seconds).text);
	markup_write_cell(out, units_figure(UNIT_cpus, part->mean_cpu).text);
	markup_write_cell(out, units_figure(UNIT_mib, part->peak_memory_mib).text);
	markup_write_cell(out, units_figure(UNIT_bytes, part->read_bytes).text);
	markup_write_cell(out, units_figure(UNIT_bytes, part->write_bytes).text);
	markup_write(out, "</tr>\n");
}

void page_write_parts(FILE *out, const struct page *page)
{
	const struct parts *parts = &page->model->parts;

	if (parts->count == 0 || !number_known(page->model->run->start_time))
		return;
	markup_write(out,
		"<section class=\"listing phases parts\" aria-labelledby=\"parts\"><h3 id=\"parts\">Parts</h3>\n"
		"<p class=\"note\">What the job used while it was in a part that it named. “About”: a sample lies "
		"across its beginning or its end, and its CPU time is divided by time. “Peak up to”: the peak lies "
		"between the two figures.");
	markup_more(out, "report.md#parts");
	markup_write(out, "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Part</th>"
			  "<th scope=\"col\" class=\"number\">Times</th>"
			  "<th scope=\"col\" class=\"number\">Begins after</th>"
			  "<th scope=\"col\" class=\"number\">Duration</th>"
			  "<th scope=\"col\" class=\"number\">CPU time</th>"
			  "<th scope=\"col\" class=\"number\">CPUs, mean</th>"
			  "<th scope=\"col\" class=\"number\">Peak memory</th>"
			  "<th scope=\"col\" class=\"number\">Read</th>"
			  "<th scope=\"col\" class=\"number\">Written</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < parts->count; i++)
		write_part(out, page, &parts->items[i]);
	markup_write(out, "</tbody></table></div></section>");
}

enum { PARTS_SPANS = 200 }; /* above the charts; of more, the first */

void page_write_parts_data(FILE *out, const struct page *page)
{
	const struct parts *parts = &page->model->parts;
	double start = page->model->run->start_time;
	size_t written = 0;

	markup_write(out, "\"parts\":[");
	for (size_t i = 0; number_known(start) && i < parts->count; i++)
		for (size_t k = 0; k < parts->items[i].count && written < PARTS_SPANS; k++, written++) {
			const struct part_time *stretch = &parts->items[i].stretches[k];
			markup_write(out, "%s[%.3f,%.3f,", written > 0 ? "," : "", stretch->start - start,
				stretch->stop - start);
			markup_write_json(out, text_of(parts->items[i].name));
			markup_write(out, "]");
		}
	markup_write(out, "],\n");
}
