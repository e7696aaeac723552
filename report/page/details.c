/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Details": usage statistics, the server, its cloud, and the run. Rows and columns without known values
 * are omitted. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/model/allocation.h"
#include "report/model/exact.h"
#include "report/page/elements.h"

#include <stdio.h>

/* Begins a card. `says` is trusted markup that describes the figures of the card and where they come from. */
static void begin_card(FILE *out, const char *kind, const char *title, const char *says, const char *more)
{
	markup_write(out, "<section class=\"card %s\"><h2>%s</h2>\n<p class=\"says\">%s", kind, title, says);
	markup_more(out, more);
}

static void write_row(FILE *out, const char *label, const char *value)
{
	if (*value)
		markup_write(out, "<div><dt>%s</dt><dd>%-s</dd></div>\n", label, value);
}

static void write_figure_row(FILE *out, const char *label, enum unit unit, double value)
{
	if (number_known(value))
		write_row(out, label, units_figure(unit, value).text);
}

static void write_cloud(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(page->model->run->json, "cloud");

	if (!*json_string(cloud, "vendor"))
		return;
	markup_write(out, "<h2>Cloud</h2>\n<dl>\n");
	write_row(out, "Vendor", json_string(cloud, "vendor"));
	write_row(out, "Region", json_string(cloud, "region"));
	write_row(out, "Instance type", json_string(cloud, "instance_type"));
	if (next && next->has_cost && number_known(next->cost.current))
		write_row(out, "Cost of this run", units_money(next->cost.current, next->cost.currency).text);
	markup_write(out, "</dl>\n");
}

static void write_server(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct run *run = model->run;
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(run->json, "server");
	const char *allocation = allocation_guess(&model->process, &model->system);
	double gpus = page_server(page, "gpu_count");

	begin_card(out, "server", "Server", "What the machine has, and of CPUs what the job may use.",
		"discover.md#server");
	markup_write(out, "<dl>\n");
	write_row(out, "Operating system", json_string(server, "os"));
	write_row(out, "Allocation", allocation ? allocation : json_string(server, "allocation"));
	write_figure_row(out, "vCPUs", UNIT_count, run->vcpus);
	write_figure_row(out, "Memory", UNIT_mib, run->machine_memory_mib);
	write_figure_row(out, "Storage", UNIT_gb, series_last(&model->system, SYSTEM_disk_space_total_gb));
	if (gpus > 0) {
		write_figure_row(out, "GPUs", UNIT_count, gpus);
		write_row(out, "GPU", json_string(server, "gpu_name"));
		write_figure_row(out, "GPU memory", UNIT_mib, page_server(page, "gpu_memory_mib"));
	}
	write_row(out, "Host", run->host);
	markup_write(out, "</dl>\n");
	write_cloud(out, page);
	markup_write(out, "</section>\n");
}

static void write_run(FILE *out, const struct page *page)
{
	const struct run *run = page->model->run;

	begin_card(out, "run", "Run", "As run.json has it.", "spool.md#runjson");
	markup_write(out, "<dl>\n");
	write_row(out, "Directory", run->cwd);
	write_row(out, "Tracked by", json_string(cJSON_GetObjectItemCaseSensitive(run->json, "tracker"), "mode"));
	write_figure_row(out, "Interval", UNIT_seconds, run->interval);
	write_row(out, "Run", run->id);
	if (run->claimed_id)
		write_row(out, "Id in run.json", run->claimed_id);
	markup_write(out, "</dl></section>\n");
}

static void write_use(FILE *out, const struct page *page, const char *label, enum unit unit, enum stat_id id)
{
	struct statistic now = model_statistic(page->model, id), earlier = history_statistic(page->history, id);

	if (!number_known(now.mean) && !number_known(now.max))
		return;
	markup_write(out, "<tr><th scope=\"row\">%s</th>", label);
	cell_figure(out, unit, now.mean);
	cell_figure(out, unit, now.max);
	if (page->history->count > 0) {
		cell_figure(out, unit, earlier.mean);
		cell_figure(out, unit, earlier.max);
	}
	markup_write(out, "</tr>\n");
}

static void write_uses(FILE *out, const struct page *page)
{
	table_begin_plain(out, page->history->count > 0 ? "|#Mean|#Peak|#History mean|#History peak" : "|#Mean|#Peak");
	write_use(out, page, "CPUs", UNIT_cpus, STAT_process_cpu_usage);
	write_use(out, page, "Memory", UNIT_mib, STAT_process_memory_mib);
	write_use(out, page, "GPUs", UNIT_gpus, STAT_process_gpu_usage);
	write_use(out, page, "GPUs in use", UNIT_count, STAT_process_gpu_utilized);
	write_use(out, page, "GPU memory", UNIT_mib, STAT_process_gpu_vram_mib);
	markup_write(out, "</tbody></table>\n");
}

static void write_exactness(FILE *out, const struct model *model)
{
	const struct totals *totals = &model->totals;
	char text[160] = "";

	if (exactness_is_told(totals, model->run))
		exactness_describe_unseen(totals, model->run, text, sizeof text);
	else if (!totals->exact && !totals->whole && !run_is_running(model->run))
		snprintf(text, sizeof text, "%s", exactness_describe(totals, model->run));
	if (*text)
		markup_write(out, "<p class=\"note\">Not exact: %s.</p>\n", text);
	if (exactness_missing_records(model->run))
		markup_write(out, "<p class=\"note\">Missing: %s.</p>\n", exactness_missing_records(model->run));
}

/* Writes the meaning of a total. A word in backticks becomes <code>. */
static void write_meaning(FILE *out, const char *meaning)
{
	struct text all = text_of(meaning);
	bool code = false;

	markup_write(out, "<dd class=\"meaning\">");
	for (size_t from = 0, end; from <= all.length; from = end + 1, code = !code) {
		end = text_find(all, '`', from);
		markup_write(out, "%s", code ? "<code>" : "");
		markup_write_text(out, (struct text){meaning + from, end - from});
		markup_write(out, "%s", code ? "</code>" : "");
	}
	markup_write(out, "</dd></div>\n");
}

static void write_statistics(FILE *out, const struct page *page)
{
	const struct stats *stats = &page->model->stats;
	const struct totals *totals = &page->model->totals;

	begin_card(out, "statistics", "Usage statistics",
		"Totals by the kernel’s accounts; means are over time, a peak is the greatest at any tick.",
		"report.md#what-is-not-exact");
	write_uses(out, page);
	if (page->history->count > 0)
		markup_write(out, "<p class=\"note\">History: %zu earlier run%s of this job.</p>\n",
			page->history->count, page->history->count > 1 ? "s" : "");
	write_exactness(out, page->model);
	markup_write(out, "<dl class=\"columns\">\n");
	write_row(out, "Duration", units_duration(page->model->totals.wall_seconds).text);
	if (page->history->count > 0)
		write_row(out, "Duration, earlier runs",
			units_duration(history_mean(page->history, TOTAL_wall_seconds)).text);
	write_row(out, "Status", page_outcome(page));
	for (int i = TOTAL_wall_seconds + 1; i < TOTAL_COUNT; i++)
		if (totals_is_told(totals, page->model->run, (enum total_id)i)) {
			markup_write(out, "<div><dt>%s</dt><dd>%s</dd>", total_table[i].label,
				units_figure(total_table[i].unit, total_value(totals, (enum total_id)i)).text);
			write_meaning(out, total_table[i].meaning);
		}
	write_figure_row(out, "Disk space, peak", UNIT_gb, stats->of[STAT_system_disk_space_used_gb].max);
	write_figure_row(out, "Network in (machine)", UNIT_bytes, stats->of[STAT_system_net_recv_bytes].sum);
	write_figure_row(out, "Network out (machine)", UNIT_bytes, stats->of[STAT_system_net_sent_bytes].sum);
	markup_write(out, "</dl></section>\n");
}

void page_write_details(FILE *out, const struct page *page)
{
	markup_write(out, "<div class=\"cards\">\n");
	write_statistics(out, page);
	write_server(out, page);
	write_run(out, page);
	markup_write(out, "</div>");
}
