/* SPDX-License-Identifier: Apache-2.0 */
/* Phases, parts and marks in the section "Timeline": the phases of the run, the saving if each phase were a separate
 * job, the parts and marks that the job set, and the run's duration with fewer CPUs. The charts also show phases, parts
 * and marks. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/advice/split.h"
#include "report/model/cpu_use.h"
#include "report/model/parts.h"
#include "report/model/phases.h"
#include "report/page/elements.h"
#include "report/spool/marks.h"

#include <ctype.h>

/* Returns the earlier runs on which the request of a phase is based. The result has 0 runs if there are no earlier
 * runs; the classic rule then applies. */
static struct split_basis basis_of(const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!next || next->classic)
		return (struct split_basis){.runs = 0};
	return split_basis_of(&page->model->phases, &next->memory, next->failures);
}

static void write_phase(FILE *out, const struct page *page, size_t i, bool gpu)
{
	const struct phase *phase = &page->model->phases.items[i];
	struct split_basis basis = basis_of(page);
	const struct resources needs = split_needs(phase, basis.runs > 0 ? &basis : NULL);
	double start = page->model->run->start_time;

	markup_write(out, "<tr data-start=\"%.3f\" data-stop=\"%.3f\"><th scope=\"row\" class=\"name\">%zu</th>",
		phase->start - start, phase->stop - start, i + 1);
	cell_figure(out, UNIT_seconds, phase->start - start);
	cell_figure(out, UNIT_seconds, phase->stop - phase->start);
	cell_figure(out, UNIT_cpus, phase->mean_cpu);
	cell_figure(out, UNIT_cpus, phase->peak_cpu);
	cell_figure(out, UNIT_mib, phase->peak_memory_mib);
	cell_figure(out, UNIT_bytes, phase->read_bytes);
	cell_figure(out, UNIT_bytes, phase->write_bytes);
	if (gpu) {
		cell_figure(out, UNIT_gpus, phase->mean_gpu);
		cell_figure(out, UNIT_mib, phase->peak_vram_mib);
	}
	markup_write(out, "<td>");
	resources_write(out, &needs, ", ");
	markup_write(out, "</td></tr>\n");
}

static void write_split(FILE *out, const struct page *page)
{
	const struct phases *phases = &page->model->phases;
	struct split_basis basis = basis_of(page);
	struct split split = split_of(phases, basis.runs > 0 ? &basis : NULL);
	char saving[256];

	if (!split.worth_it)
		return;
	split_describe(&split, true, saving, sizeof saving);
	markup_write(out,
		"<p>As %zu jobs, each asking for what its phase needs, it would reserve less: "
		"<strong>%s</strong>.</p>\n"
		"<p class=\"note\">Compared with one job that is no slower, and so asks for the most that any phase "
		"needs for as long as it runs. What one job hands on to the next has to go through files.</p>\n",
		phases->count, saving);
}

void page_write_phases(FILE *out, const struct page *page)
{
	const struct phases *phases = &page->model->phases;

	if (phases->count == 0 || !number_known(page->model->run->start_time))
		return;
	bool gpu = false;
	char heads[160];
	for (size_t i = 0; i < phases->count; i++)
		gpu |= phases->items[i].mean_gpu > 0 || phases->items[i].peak_vram_mib > 0;
	snprintf(heads, sizeof heads,
		"Phase|#Begins after|#Duration|#CPUs, mean|#CPUs, peak|#Peak memory|#Read|#Written%s|Request",
		gpu ? "|#GPUs, mean|#GPU memory" : "");
	section_begin(
		out, "listing phases", "phases", "Phases", "The job’s phases, found in its usage.", "report.md#phases");
	table_begin(out, NULL, heads);
	for (size_t i = 0; i < phases->count; i++)
		write_phase(out, page, i, gpu);
	table_end(out, NULL);
	markup_write(out, "\n");
	write_split(out, page);
	markup_write(out, "</section>");
}

/* -- parts ----------------------------------------------------------------------------------------- */

static void write_part(FILE *out, const struct page *page, const struct part *part)
{
	char remark[PARTS_REMARK_SIZE];
	double start = page->model->run->start_time;

	markup_write(out,
		"<tr data-start=\"%.3f\" data-stop=\"%.3f\"><th scope=\"row\" class=\"name\"><bdi>%-s</bdi>%s</th>",
		part->start - start, part->stop - start, part->name, parts_remark(part, remark));
	cell_figure(out, UNIT_count, part->times);
	cell_figure(out, UNIT_seconds, part->start - start);
	cell_figure(out, UNIT_seconds, part->seconds);
	cell_figure(out, UNIT_seconds, part->cpu_seconds);
	cell_figure(out, UNIT_cpus, part->mean_cpu);
	cell_figure(out, UNIT_mib, part->peak_memory_mib);
	cell_figure(out, UNIT_bytes, part->read_bytes);
	cell_figure(out, UNIT_bytes, part->write_bytes);
	markup_write(out, "</tr>\n");
}

void page_write_parts(FILE *out, const struct page *page)
{
	const struct parts *parts = &page->model->parts;

	if (parts->count == 0 || !number_known(page->model->run->start_time))
		return;
	section_begin(out, "listing phases parts", "parts", "Parts",
		"What the job used while it was in a part that it named. “About”: a sample lies across its beginning "
		"or "
		"its end, and its CPU time is divided by time. “Peak up to”: the peak lies between the two figures.",
		"report.md#parts");
	table_begin(out, NULL, "Part|#Times|#Begins after|#Duration|#CPU time|#CPUs, mean|#Peak memory|#Read|#Written");
	for (size_t i = 0; i < parts->count; i++)
		write_part(out, page, &parts->items[i]);
	table_end(out, NULL);
	markup_write(out, "</section>");
}

/* -- marks ----------------------------------------------------------------------------------------- */

/* Returns true if a mark begins or ends a part that the page shows. The part then appears instead of the mark. */
static bool is_end_of_part(const struct page *page, const struct mark *mark)
{
	const struct parts *parts = &page->model->parts;
	struct text name;

	if (parts_end_of(text_of(mark->label), &name) == PART_END_NONE)
		return false;
	for (size_t i = 0; i < parts->count; i++)
		if (text_is(name, parts->items[i].name))
			return true;
	return false;
}

static void write_mark(FILE *out, const struct page *page, const struct mark *mark)
{
	char pid[24] = "";

	if (number_known(mark->pid))
		snprintf(pid, sizeof pid, "%.0f", mark->pid);
	markup_write(out, "<tr><th scope=\"row\" class=\"number\">%s</th><td><bdi>%-s</bdi></td>",
		units_duration(mark->time - page->model->run->start_time).text, mark->label);
	cell_write(out, pid);
	markup_write(out, "<td class=\"number\">");
	time_write(out, " class=\"short\"", mark->time);
	markup_write(out, "</td></tr>\n");
}

void page_write_marks(FILE *out, const struct page *page)
{
	const struct marks *marks = &page->model->marks;
	size_t shown = 0;

	for (size_t i = 0; i < marks->count; i++)
		shown += !is_end_of_part(page, &marks->items[i]);
	if (shown == 0)
		return;
	section_begin(out, "listing marks", "marks", "Marks", "What the job marked (<code>rtrack_mark</code>).", NULL);
	if (marks->count < marks->total)
		markup_write(out, " The first %zu of %zu.", marks->count, marks->total);
	markup_more(out, "spool.md#markcsv");
	table_begin(out, NULL, "#After|Mark|#Process|#Time");
	for (size_t i = 0; i < marks->count; i++)
		if (!is_end_of_part(page, &marks->items[i]))
			write_mark(out, page, &marks->items[i]);
	table_end(out, NULL);
	markup_write(out, "</section>");
}

/* -- with fewer CPUs ------------------------------------------------------------------------------- */

static void write_prices(FILE *out, const struct cpu_prices *prices)
{
	markup_write(out,
		"<p class=\"note\">How long it would have taken with so many, by how many were in use and for how "
		"long, if its work can be divided so.");
	markup_more(out, "report.md#cpus-in-time");
	table_begin_plain(out, "CPUs|#About|");
	for (size_t i = 0; i < prices->count; i++)
		markup_write(out,
			"<tr><th scope=\"row\">%s</th><td class=\"number\">%s</td><td><svg class=\"meter\" "
			"viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"mean\" "
			"width=\"%.2f\" height=\"8\"/></svg></td></tr>\n",
			units_figure(UNIT_count, prices->items[i].cpus).text,
			units_duration(prices->items[i].seconds).text,
			100 * prices->items[i].seconds / prices->items[0].seconds);
	const char *more = cpu_more_words(prices->more);
	markup_write(out, "</tbody></table>\n<p class=\"note\">%c%s.</p>\n", toupper((unsigned char)*more), more + 1);
}

void page_write_cpus(FILE *out, const struct page *page)
{
	const struct cpu_prices *prices = &page->model->cpu_prices;

	if (prices->count == 0)
		return;
	section_begin(out, "listing cpus", "cpus", "CPUs and time", NULL, NULL);
	if (prices->count > 1) {
		write_prices(out, prices);
	} else if (prices->count == 1) {
		markup_write(out, "<p>With %s CPU%s it takes about <strong>%s</strong>: %s.",
			units_figure(UNIT_count, prices->items[0].cpus).text, prices->items[0].cpus > 1 ? "s" : "",
			units_duration(prices->items[0].seconds).text, cpu_more_words(prices->more));
		markup_more(out, "report.md#cpus-in-time");
	}
	markup_write(out, "</section>");
}

bool page_write_waits(FILE *out, const struct page *page)
{
	const char *waits = page->model->cpu_waits;

	if (!*waits || page->model->postmortem.found)
		return false;
	markup_write(out, "<p class=\"warning\">%s: %s.</p>\n",
		cpu_use_is_short(&page->model->totals) ? "Short of CPUs" : "Slowed", waits);
	return true;
}

/* -- for the charts -------------------------------------------------------------------------------- */

enum { PARTS_SPANS = 200 }; /* maximum number of parts that are drawn above the charts */

void page_write_course_data(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	double start = model->run->start_time;
	bool known = number_known(start);
	const char *separator = "";
	size_t written = 0;

	markup_write(out, "\"phases\":[");
	for (size_t i = 0; known && i < model->phases.count; i++)
		markup_write(out, "%s%.3f", i > 0 ? "," : "", model->phases.items[i].start - start);
	markup_write(out, "],\n\"parts\":[");
	for (size_t i = 0; known && i < model->parts.count; i++)
		for (size_t k = 0; k < model->parts.items[i].count && written < PARTS_SPANS; k++, written++) {
			const struct part_time *stretch = &model->parts.items[i].stretches[k];
			markup_write(out, "%s[%.3f,%.3f,", written > 0 ? "," : "", stretch->start - start,
				stretch->stop - start);
			markup_write_json(out, text_of(model->parts.items[i].name));
			markup_write(out, "]");
		}
	markup_write(out, "],\n\"marks\":[");
	for (size_t i = 0; known && i < model->marks.count; i++) {
		if (is_end_of_part(page, &model->marks.items[i]))
			continue;
		markup_write(out, "%s[%.3f,", separator, model->marks.items[i].time - start);
		separator = ",";
		markup_write_json(out, text_of(model->marks.items[i].label));
		markup_write(out, "]");
	}
	markup_write(out, "],\n");
}
