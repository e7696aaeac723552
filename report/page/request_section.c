/* SPDX-License-Identifier: Apache-2.0 */
/* The request for the next run on the first screen, in figures and in the syntax of each tool, and the basis of the
 * request in Details. The page contains the lines of every tool, so that they can be read and printed without
 * JavaScript. With JavaScript, the page shows one tool at a time, and has a button that copies its lines. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/allowance.h"
#include "report/advice/dialects.h"
#include "report/advice/recommend.h"
#include "report/model/cpu_use.h"
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

static void write_remark(FILE *out, const char *text)
{
	markup_write(out, "<p class=\"note\">%-s</p>\n", text);
}

/* -- the first screen ------------------------------------------------------------------------------ */

/* Returns true if the request was computed only from runs that failed or still run. */
static bool has_no_finished_run(const struct recommendation *next)
{
	return !next->classic && next->memory.runs == 0 && next->memory.unmeasured == 0 && !next->had_kill;
}

/* Begins a cell such as "Memory / 784 MiB". `figure` is "" if nothing is requested. */
static void begin_cell(FILE *out, const char *name, const char *figure)
{
	markup_write(out, "<div><dt>%s</dt><dd class=\"big\">%s</dd><dd class=\"why\">", name, *figure ? figure : "–");
}

/* Writes what was requested for this run, and the end of the cell. */
static void end_cell(FILE *out, enum unit unit, double requested)
{
	if (requested > 0)
		markup_write(out, "<span class=\"requested\">requested %s</span>", units_figure(unit, requested).text);
	markup_write(out, "</dd></div>\n");
}

static void write_cpu_cell(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct resources *resources = &page->recommendation->resources;
	double cpus = resources->cpu, mean = model->totals.mean_cpu_usage;
	bool lacks = resources_cpus(resources) > model->run->vcpus && model->run->vcpus > 0 && !page_has_machines(page);
	char figure[100] = "";

	if (resources_are_divided(resources))
		snprintf(figure, sizeof figure, "%.0f<small> ranks × </small>%.0f<small> CPU%s</small>",
			resources->tasks, resources->rank_cpus, resources->rank_cpus == 1 ? "" : "s");
	else if (cpus > 0)
		snprintf(figure, sizeof figure, "%.0f", cpus);
	begin_cell(out, "CPUs", figure);
	if (number_known(mean) && *model->cpu_waits && cpu_use_is_short(&model->totals))
		markup_write(out, "<span>used %s, wanted %s</span>", units_figure(UNIT_cpus, mean).text,
			units_figure(UNIT_cpus, totals_cpus_wanted(&model->totals)).text);
	else if (number_known(mean) && !lacks)
		markup_write(out, "<span>used %s on average</span>", units_figure(UNIT_cpus, mean).text);
	if (lacks)
		markup_write(out, "<span class=\"doubt\">the machine has %s</span>",
			units_figure(UNIT_cpus, model->run->vcpus).text);
	end_cell(out, UNIT_cpus, model->asked.cpus);
}

/* Writes why a request is above the peak or the longest run. */
static void write_reason(FILE *out, const struct recommendation *next, const struct rule_answer *answer, bool time)
{
	char reason[RECOMMEND_NOTE_SIZE];

	if (next->classic || (time && answer->reason == RULE_BY_PEAKS))
		return;
	allowance_reason(answer, time, reason, sizeof reason);
	if (*reason)
		markup_write(out, "<span>%s</span>", reason);
}

static void write_memory_cell(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;
	const struct model *model = page->model;
	double memory_mib = next->resources.memory_mib, machine_mib = recommend_machine_mib(model);

	begin_cell(out, "Memory", memory_mib > 0 ? units_figure(UNIT_mib, memory_mib).text : "");
	if (page_has_machines(page))
		markup_write(out, "<span class=\"doubt\">each machine</span>");
	if (number_known(model->totals.peak_memory_mib))
		markup_write(out, "<span class=\"peak\">peak %s</span>",
			totals_peak_range(&model->totals, model->run, memory_mib).text);
	write_reason(out, next, &next->memory, false);
	if (machine_mib > 0 && memory_mib > machine_mib)
		markup_write(out, "<span class=\"doubt\">the machine has only %s</span>",
			units_figure(UNIT_mib, machine_mib).text);
	end_cell(out, UNIT_mib, model->asked.memory_mib);
}

static void write_gpu_cell(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;
	const struct model *model = page->model;
	char figure[64] = "";

	if (!(next->resources.gpu > 0) && !(model->asked.gpus > 0))
		return;
	if (next->resources.gpu > 0)
		snprintf(figure, sizeof figure, "%.0f", next->resources.gpu);
	begin_cell(out, "GPUs", figure);
	if (next->resources.vram_mib > 0)
		markup_write(out, "<span>%s memory%s</span>", units_figure(UNIT_mib, next->resources.vram_mib).text,
			next->resources.gpu > 1 ? " together" : "");
	end_cell(out, UNIT_gpus, model->asked.gpus);
}

static void write_time_cell(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!(next->resources.seconds > 0) && !(page->model->asked.seconds > 0))
		return;
	begin_cell(out, "Time", next->resources.seconds > 0 ? units_brief(next->resources.seconds).text : "");
	write_reason(out, next, &next->time, true);
	end_cell(out, UNIT_seconds, page->model->asked.seconds);
}

static void write_lines(FILE *out, const struct resources *resources, enum dialect dialect)
{
	char *lines = dialect_lines(resources, dialect);

	if (lines && *lines) {
		markup_write(out, "<div class=\"ask\"><h3>%s</h3><pre>", dialect_names[dialect].title);
		markup_write_lines(out, text_of(lines));
		markup_write(out, "</pre></div>\n");
	}
	free(lines);
}

/* Writes the lines of the tool that started the run, or else of Slurm, and folds the lines of the other tools. */
static void write_asks(FILE *out, const struct page *page)
{
	const struct resources *resources = &page->recommendation->resources;
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(page->model->run->json, "labels");
	int own = dialect_find(json_string(labels, "orchestrator"));
	enum dialect first = own > DIALECT_text ? (enum dialect)own : DIALECT_slurm;

	markup_write(out, "<div class=\"asks\"%s>\n", own > DIALECT_text ? " data-own" : "");
	write_lines(out, resources, first);
	markup_write(out, "<details><summary>Lines for other tools</summary>\n");
	for (int dialect = DIALECT_text + 1; dialect < DIALECT_COUNT; dialect++)
		if (dialect != (int)first)
			write_lines(out, resources, (enum dialect)dialect);
	markup_write(out, "</details></div>\n");
}

void page_write_next(FILE *out, const struct page *page)
{
	if (!page->recommendation)
		return;
	markup_write(out,
		"<section class=\"card next\" aria-labelledby=\"next\">\n<h2 id=\"next\">Request for the next run%s"
		"</h2>\n<dl>\n",
		has_no_finished_run(page->recommendation) ? " <small>no run has finished yet</small>" : "");
	write_cpu_cell(out, page);
	write_memory_cell(out, page);
	write_gpu_cell(out, page);
	write_time_cell(out, page);
	markup_write(out, "</dl>\n");
	write_asks(out, page);
	markup_write(out, "</section>\n");
}

/* -- details --------------------------------------------------------------------------------------- */

void page_write_basis(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!next)
		return;
	markup_write(out,
		"<section class=\"card basis\" aria-labelledby=\"basis\">\n<h3 id=\"basis\">What the request rests on"
		"</h3>\n<p class=\"says\">Based on %zu run%s of this job.",
		next->runs, next->runs == 1 ? "" : "s");
	markup_more(out, "recommend.md#the-rule");
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
	markup_write(out, "</section>\n");
}
