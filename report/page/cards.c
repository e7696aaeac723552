/* The cards of the predecessor's report: server, cloud, usage statistics.
 *
 * A card, a row or a column that was not measured is left out: everything that is shown is known. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/model/energy.h"
#include "report/page/more.h"
#include "report/say/markup.h"
#include "report/say/units.h"

#include <math.h>

/* `says` is what it has and from where, in a line; trusted markup. */
static void begin_card(FILE *out, const char *kind, const char *title, const char *says, const char *more)
{
	markup_write(out, "<section class=\"card %s\"><h2>%s</h2>\n<p class=\"says\">%s", kind, title, says);
	markup_more(out, more);
}

static void write_row(FILE *out, const char *label, const char *value)
{
	markup_write(out, "<div><dt>%s</dt><dd>%s</dd></div>\n", label, value);
}

static void write_text_row(FILE *out, const char *label, struct text value)
{
	if (value.length == 0)
		return;
	markup_write(out, "<div><dt>%s</dt><dd>", label);
	markup_write_text(out, value);
	markup_write(out, "</dd></div>\n");
}

static void write_figure_row(FILE *out, const char *label, enum unit unit, double value)
{
	if (number_known(value))
		write_row(out, label, units_figure(unit, value).text);
}

/* The last known figure of a column, or UNKNOWN. */
static double last_known(const struct page_table *table, int column)
{
	const double *values = table->columns[column];
	for (size_t row = values ? table->rows : 0; row > 0; row--)
		if (number_known(values[row - 1]))
			return values[row - 1];
	return UNKNOWN;
}

static void write_cloud(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (page->cloud.length == 0)
		return;
	markup_write(out, "<h2>Cloud</h2>\n<dl>\n");
	write_text_row(out, "Vendor", page->cloud);
	write_text_row(out, "Region", page->region);
	write_text_row(out, "Instance type", page->instance_type);
	if (next && next->has_cost && number_known(next->cost.current))
		write_text_row(
			out, "Cost of this run", text_of(units_money(next->cost.current, next->cost.currency).text));
	markup_write(out, "</dl>\n");
}

static void write_server(FILE *out, const struct page *page)
{
	begin_card(out, "server", "Server", "What the machine has, and of CPUs what the job may use.",
		"discover.md#server");
	markup_write(out, "<dl>\n");
	write_text_row(out, "Operating system", page->os);
	write_text_row(out, "Allocation", page->allocation);
	write_figure_row(out, "vCPUs", UNIT_count, page->vcpus);
	write_figure_row(out, "Memory", UNIT_mib, page->memory_mib);
	write_figure_row(out, "Storage", UNIT_gb, last_known(&page->tables[TABLE_system], SYSTEM_disk_space_total_gb));
	if (page->gpu_count > 0) {
		write_figure_row(out, "GPUs", UNIT_count, page->gpu_count);
		write_text_row(out, "GPU", page->gpu_name);
		write_figure_row(out, "GPU memory", UNIT_mib, page->gpu_memory_mib);
	}
	write_text_row(out, "Host", page->host);
	markup_write(out, "</dl>\n");
	write_cloud(out, page);
	markup_write(out, "</section>\n");
}

static void write_run(FILE *out, const struct page *page)
{
	begin_card(out, "run", "Run", "As run.json has it.", "spool.md#runjson");
	markup_write(out, "<dl>\n");
	write_text_row(out, "Directory", page->cwd);
	write_text_row(out, "Tracked by", page->mode);
	if (number_known(page->interval))
		write_row(out, "Interval", units_duration(page->interval).text);
	write_text_row(out, "Run", page->id);
	markup_write(out, "</dl></section>\n");
}

static void write_use(FILE *out, const struct page *page, const char *label, enum unit unit, struct page_use now,
	struct page_use history)
{
	if (!number_known(now.mean) && !number_known(now.peak))
		return;
	markup_write(out, "<tr><th scope=\"row\">%s</th><td class=\"number\">%s</td><td class=\"number\">%s</td>",
		label, units_figure(unit, now.mean).text, units_figure(unit, now.peak).text);
	if (page->history_runs > 0)
		markup_write(out, "<td class=\"number\">%s</td><td class=\"number\">%s</td>",
			units_figure(unit, history.mean).text, units_figure(unit, history.peak).text);
	markup_write(out, "</tr>\n");
}

static void write_uses(FILE *out, const struct page *page)
{
	const struct page_stats *now = &page->stats, *history = &page->history;
	markup_write(out, "<table>\n<thead><tr><td></td><th scope=\"col\" class=\"number\">Mean</th>"
			  "<th scope=\"col\" class=\"number\">Peak</th>");
	if (page->history_runs > 0)
		markup_write(out, "<th scope=\"col\" class=\"number\">History mean</th>"
				  "<th scope=\"col\" class=\"number\">History peak</th>");
	markup_write(out, "</tr></thead>\n<tbody>\n");
	write_use(out, page, "CPUs", UNIT_cpus, now->cpu, history->cpu);
	write_use(out, page, "Memory", UNIT_mib, now->memory_mib, history->memory_mib);
	write_use(out, page, "GPUs", UNIT_gpus, now->gpu, history->gpu);
	write_use(out, page, "GPUs in use", UNIT_count, now->gpus, history->gpus);
	write_use(out, page, "GPU memory", UNIT_mib, now->vram_mib, history->vram_mib);
	markup_write(out, "</tbody></table>\n");
}

/* What was counted of the job's energy: where it is of processors alone or of GPUs alone, that is said. */
static const char *energy_label(const struct totals *totals)
{
	bool gpus = number_known(totals->gpu_energy_wh), processes = number_known(totals->process_energy_wh);

	if (!processes && !number_known(totals->package_energy_wh))
		return "Energy of its GPUs";
	if (processes)
		return gpus ? "Energy" : "Energy of its processes";
	return gpus ? "Energy (of processors an estimate)" : "Energy of processors (estimate)";
}

static void write_peak(FILE *out, enum totals_peak peak, double mib)
{
	char label[48];

	snprintf(label, sizeof label, "Peak memory %s", totals_peak_name(peak));
	write_figure_row(out, label, UNIT_mib, mib);
}

static void write_statistics(FILE *out, const struct page *page)
{
	begin_card(out, "statistics", "Usage statistics",
		"Totals by the kernel’s accounts; means are over time, a peak is the greatest at any tick.",
		"report.md#what-is-not-exact");
	write_uses(out, page);
	if (page->history_runs > 0)
		markup_write(out, "<p class=\"note\">History: %.0f earlier run%s of this job.</p>\n",
			page->history_runs, page->history_runs > 1 ? "s" : "");
	if (page->exactness[0] != '\0')
		markup_write(out, "<p class=\"note\">Not exact: %s.</p>\n", page->exactness);
	if (page->missing_records)
		markup_write(out, "<p class=\"note\">Missing: %s.</p>\n", page->missing_records);
	markup_write(out, "<dl class=\"columns\">\n");
	write_row(out, "Duration", units_duration(page->wall_seconds).text);
	if (page->history_runs > 0)
		write_row(out, "Duration, earlier runs", units_duration(page->history_seconds).text);
	write_row(out, "Status", page->outcome);
	write_row(out, "CPU time, user", units_duration(page->user_seconds).text);
	write_row(out, "CPU time, system", units_duration(page->system_seconds).text);
	if (page->has_two_peaks) {
		write_peak(out, PEAK_SEEN, page->peak_memory_mib);
		write_peak(out, PEAK_TOGETHER, page->peak_memory_together_mib);
	}
	write_figure_row(out, "Disk space, peak", UNIT_gb, page->stats.disk_space_gb);
	write_figure_row(out, "Read from storage", UNIT_bytes, page->read_bytes);
	write_figure_row(out, "Written to storage", UNIT_bytes, page->write_bytes);
	write_figure_row(out, energy_label(page->totals), UNIT_wh, page->totals->energy_wh);
	write_figure_row(out, "Network in (machine)", UNIT_bytes, page->stats.received);
	write_figure_row(out, "Network out (machine)", UNIT_bytes, page->stats.sent);
	markup_write(out, "</dl></section>\n");
}

void page_write_cards(FILE *out, const struct page *page)
{
	write_statistics(out, page);
	write_server(out, page);
	write_run(out, page);
}
