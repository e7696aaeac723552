/* The phases of the run, each with its usage, and what a job for each of them would save; and how long all of it would
 * take with fewer CPUs.
 *
 * A run without phases (report/model/phases.h) has no such section. The charts mark where each phase begins. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/advice/split.h"
#include "report/model/cpu_use.h"
#include "report/model/phases.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/page/resources.h"
#include "report/say/units.h"

#include <ctype.h>

/* Without runs: the classic rule. */
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

	markup_write(out, "<tr data-start=\"%.3f\" data-stop=\"%.3f\"><th scope=\"row\" class=\"name\">%zu</th>",
		phase->start - page->model->run->start_time, phase->stop - page->model->run->start_time, i + 1);
	markup_write_cell(out, units_duration(phase->start - page->model->run->start_time).text);
	markup_write_cell(out, units_duration(phase->stop - phase->start).text);
	markup_write_cell(out, units_figure(UNIT_cpus, phase->mean_cpu).text);
	markup_write_cell(out, units_figure(UNIT_cpus, phase->peak_cpu).text);
	markup_write_cell(out, units_figure(UNIT_mib, phase->peak_memory_mib).text);
	markup_write_cell(out, units_figure(UNIT_bytes, phase->read_bytes).text);
	markup_write_cell(out, units_figure(UNIT_bytes, phase->write_bytes).text);
	if (gpu) {
		markup_write_cell(out, units_figure(UNIT_gpus, phase->mean_gpu).text);
		markup_write_cell(out, units_figure(UNIT_mib, phase->peak_vram_mib).text);
	}
	markup_write(out, "<td>");
	page_write_resources(out, &needs, ", ");
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

static bool uses_gpu(const struct phases *phases)
{
	for (size_t i = 0; i < phases->count; i++)
		if (phases->items[i].mean_gpu > 0 || phases->items[i].peak_vram_mib > 0)
			return true;
	return false;
}

void page_write_phases(FILE *out, const struct page *page)
{
	const struct phases *phases = &page->model->phases;

	if (phases->count == 0 || !number_known(page->model->run->start_time))
		return;
	bool gpu = uses_gpu(phases);
	markup_write(out,
		"<section class=\"listing phases\" aria-labelledby=\"phases\"><h3 id=\"phases\">Phases</h3>\n"
		"<p class=\"note\">Where the usage of CPUs, memory or GPUs, or the number of processes changed for "
		"good, and where the job marked it.");
	markup_more(out, "report.md#phases");
	markup_write(out,
		"<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">Phase</th>"
		"<th scope=\"col\" class=\"number\">Begins after</th><th scope=\"col\" class=\"number\">Duration</th>"
		"<th scope=\"col\" class=\"number\">CPUs, mean</th><th scope=\"col\" class=\"number\">CPUs, peak</th>"
		"<th scope=\"col\" class=\"number\">Peak memory</th><th scope=\"col\" class=\"number\">Read</th>"
		"<th scope=\"col\" class=\"number\">Written</th>%s<th scope=\"col\">Needs</th></tr></thead>\n<tbody>\n",
		gpu ? "<th scope=\"col\" class=\"number\">GPUs, mean</th><th scope=\"col\" class=\"number\">GPU "
		      "memory</th>"
		    : "");
	for (size_t i = 0; i < phases->count; i++)
		write_phase(out, page, i, gpu);
	markup_write(out, "</tbody></table></div>\n");
	write_split(out, page);
	markup_write(out, "</section>");
}

static void write_prices(FILE *out, const struct cpu_prices *prices)
{
	markup_write(out,
		"<p class=\"note\">How long it would have taken with so many, by how many were in use and for how "
		"long, if its work can be divided so.");
	markup_more(out, "report.md#cpus-in-time");
	markup_write(out, "<table>\n<thead><tr><th scope=\"col\">CPUs</th><th scope=\"col\" class=\"number\">About</th>"
			  "<td></td></tr></thead>\n<tbody>\n");
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

/* One row would be a table of what the duration says already. */
static void write_only_price(FILE *out, const struct cpu_prices *prices)
{
	markup_write(out, "<p>With %s CPU%s it takes about <strong>%s</strong>: %s.",
		units_figure(UNIT_count, prices->items[0].cpus).text, prices->items[0].cpus > 1 ? "s" : "",
		units_duration(prices->items[0].seconds).text, cpu_more_words(prices->more));
	markup_more(out, "report.md#cpus-in-time");
}

void page_write_cpus(FILE *out, const struct page *page)
{
	const struct cpu_prices *prices = &page->model->cpu_prices;

	if (prices->count == 0 && !*page->model->cpu_waits)
		return;
	markup_write(
		out, "<section class=\"listing cpus\" aria-labelledby=\"cpus\"><h3 id=\"cpus\">CPUs and time</h3>\n");
	if (prices->count > 1)
		write_prices(out, prices);
	else if (prices->count == 1)
		write_only_price(out, prices);
	if (*page->model->cpu_waits)
		markup_write(out, "<p>Slowed: %s.</p>\n", page->model->cpu_waits);
	markup_write(out, "</section>");
}

void page_write_phases_data(FILE *out, const struct page *page)
{
	const struct phases *phases = &page->model->phases;

	markup_write(out, "\"phases\":[");
	for (size_t i = 0; number_known(page->model->run->start_time) && i < phases->count; i++)
		markup_write(out, "%s%.3f", i > 0 ? "," : "", phases->items[i].start - page->model->run->start_time);
	markup_write(out, "],\n");
}
