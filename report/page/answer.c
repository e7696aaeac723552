/* The first screen of the page: what ran, how it ended, and what it used of what it had.
 *
 * It is plain markup, so that it reads the same without JavaScript, in a mail and on paper. */
#include "report/page/charts.h"

#include "core/number.h"
#include "report/advice/recommend.h"
#include "report/say/markup.h"
#include "report/page/resources.h"
#include "report/say/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void write_time(FILE *out, double seconds)
{
	markup_write(out, "<time datetime=\"%s\">%s</time>", units_time(seconds, true).text,
		units_time(seconds, false).text);
}

void page_write_header(FILE *out, const struct page *page)
{
	markup_write(out, "<p class=\"brand\"><b>rtrack</b> report</p>\n<div class=\"title\"><h1 title=\"");
	markup_write_text(out, page->job);
	markup_write(out, "\"><bdi>");
	markup_write_text(out, page->job);
	markup_write(out, "</bdi></h1><span class=\"badge %s\">%s</span></div>\n", page->status, page->outcome);
	if (page->command.length > 0) {
		markup_write(out, "<p class=\"meta\"><code>");
		markup_write_text(out, page->command);
		markup_write(out, "</code></p>\n");
	}
	if (page->labels.length > 0) {
		markup_write(out, "<p class=\"meta\">");
		markup_write_text(out, page->labels);
		markup_write(out, "</p>\n");
	}
	markup_write(out, "<p class=\"meta\">");
	if (page->user.length > 0) {
		markup_write_text(out, page->user);
		markup_write(out, " on ");
	}
	markup_write_text(out, page->host);
	if (number_known(page->start_time)) {
		markup_write(out, " · ");
		write_time(out, page->start_time);
	}
	if (number_known(page->stop_time)) {
		markup_write(out, " to ");
		write_time(out, page->stop_time);
	}
	markup_write(out, "</p>");
}

static bool is_unknown(const char *status)
{
	return strcmp(status, "interrupted") == 0 || strcmp(status, "unknown") == 0;
}

static void write_outcome(FILE *out, const struct page *page)
{
	struct figure duration = units_duration(page->wall_seconds);
	const char *status = page->status;
	if (strcmp(status, "finished") == 0)
		markup_write(out, "Finished in <strong>%s</strong>.", duration.text);
	else if (strcmp(status, "running") == 0)
		markup_write(out, "Still running: <strong>%s</strong> so far%s.", duration.text, page->silence);
	else if (strcmp(page->outcome_text, status) == 0 && is_unknown(status))
		markup_write(out, "The record ends after <strong>%s</strong>; how the job ended is not known.",
			duration.text);
	else {
		char first[] = {(char)toupper((unsigned char)page->outcome_text[0]), '\0'};
		markup_write_text(out, text_of(first));
		markup_write_text(out, text_of(page->outcome_text + 1));
		markup_write(out, " %s <strong>%s</strong>.", page->outcome_word, duration.text);
	}
}

/* " (18 %)", or nothing when the whole is not known. */
static void write_share(FILE *out, double part, double whole)
{
	double share = 100 * part / whole;

	if (!(whole > 0) || !number_known(part))
		return;
	if (share > 0 && share < 0.05)
		markup_write(out, " (under 0.1 %%)");
	else
		markup_write(out, " (%.*f %%)", share > 0 && share < 0.95 ? 1 : 0, share);
}

static void write_lead(FILE *out, const struct page *page)
{
	char limit[100];

	markup_write(out, "<p class=\"lead\">");
	write_outcome(out, page);
	if (number_known(page->stats.cpu.mean)) {
		markup_write(out, " It used <strong>%s", units_figure(UNIT_cpus, page->stats.cpu.mean).text);
		if (page->vcpus > 0)
			markup_write(out, " of %s", units_figure(UNIT_cpus, page->vcpus).text);
		markup_write(out, " CPUs</strong> on average");
		write_share(out, page->stats.cpu.mean, page->vcpus);
		if (!number_known(page->peak_memory_mib))
			markup_write(out, ".");
	}
	if (number_known(page->peak_memory_mib)) {
		markup_write(out, "%s at %s <strong>%s", number_known(page->stats.cpu.mean) ? " and" : " It used",
			page->peak_is_least ? "least" : "most", units_figure(UNIT_mib, page->peak_memory_mib).text);
		memory_limit_describe(&page->limit, page->peak_memory_mib, limit, sizeof limit);
		if (page->limit.requested)
			snprintf(limit, sizeof limit, "of %s of memory asked for",
				units_figure(UNIT_mib, page->limit.mib).text);
		markup_write(out, "%s%s%s</strong>", *limit ? " " : "", limit,
			page->limit.own || page->limit.requested ? "" : " memory");
		/* More than all says nothing that the text has not said. */
		if (!memory_limit_has_others(&page->limit, page->peak_memory_mib))
			write_share(out, page->peak_memory_mib, memory_limit_whole(&page->limit));
		markup_write(out, ".");
	}
	markup_write(out, "</p>\n");
}

/* Writes a bar of the mean within a bar of the peak, within the whole. SVG, because the page's policy allows no style
 * attributes. */
static void write_meter(FILE *out, const char *what, struct page_use use, double whole)
{
	if (!(whole > 0) || !number_known(use.peak))
		return;
	double peak = fmin(100, 100 * use.peak / whole);
	double mean = number_known(use.mean) ? fmin(100, 100 * use.mean / whole) : 0;
	markup_write(out,
		"<svg class=\"meter\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: "
		"mean %.0f %%, peak %.0f %% of what there is\"><rect class=\"peak\" width=\"%.2f\" height=\"8\"/>"
		"<rect class=\"mean\" width=\"%.2f\" height=\"8\"/></svg>\n",
		what, mean, peak, peak, mean);
}

static void begin_tile(FILE *out, const char *title, const char *figure)
{
	markup_write(out, "<div class=\"tile\"><h2>%s</h2>\n<p class=\"big\">%s", title, figure);
}

/* Writes the largest process, and the bound of all processes together where some peaks are not known. */
static void write_memory_bounds(FILE *out, const struct page *page)
{
	if (number_known(page->peak_process_memory_mib))
		markup_write(out, ", largest process %s%s", page->peaks_are_known ? "" : "at least ",
			units_figure(UNIT_mib, page->peak_process_memory_mib).text);
	if (!page->peaks_are_known && page->peak_memory_at_most_mib > page->peak_memory_mib * 1.01)
		markup_write(out, "; at most %s, as some peaks are not known",
			units_figure(UNIT_mib, page->peak_memory_at_most_mib).text);
}

/* Writes the tile of the GPUs for a job that used one. */
static void write_gpu_tile(FILE *out, const struct page *page, const struct charts *charts)
{
	const struct page_stats *stats = &page->stats;

	if (!(stats->gpu.peak > 0) && !(stats->vram_mib.peak > 0))
		return;
	begin_tile(out, "GPU", units_figure(UNIT_gpus, stats->gpu.mean).text);
	if (page->gpu_count > 0)
		markup_write(out, " <small>of %.0f GPU%s</small>", page->gpu_count, page->gpu_count > 1 ? "s" : "");
	markup_write(out, "</p>\n");
	write_meter(out, "GPU", stats->gpu, page->gpu_count);
	charts_write_tile(out, charts, TILE_GPU);
	markup_write(out, "<p>on average, peak %s; GPU memory at most %s",
		units_figure(UNIT_gpus, stats->gpu.peak).text, units_figure(UNIT_mib, stats->vram_mib.peak).text);
	if (page->gpu_memory_mib > 0)
		markup_write(out, " of %s", units_figure(UNIT_mib, page->gpu_memory_mib).text);
	markup_write(out, "</p></div>\n");
}

static void write_next_tile(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!next)
		return;
	markup_write(out, "<div class=\"tile\"><h2>Next run: ask for</h2>\n<p class=\"big ask-for\">");
	page_write_resources(out, &next->resources, " <span>·</span> ");
	markup_write(out, "</p>\n<p><a href=\"#next\">for which tool, and why</a></p></div>\n");
}

/* The larger of what was read and written is the headline, as the curve is as high as that. */
static void write_storage_tile(FILE *out, const struct page *page, const struct charts *charts)
{
	bool wrote = page->write_bytes > known_first(page->read_bytes, 0);
	double more = wrote ? page->write_bytes : page->read_bytes;
	double less = wrote ? page->read_bytes : page->write_bytes;

	begin_tile(out, "Storage", units_figure(UNIT_bytes, more).text);
	markup_write(out, " <small>%s</small></p>\n", wrote ? "written" : "read");
	charts_write_tile(out, charts, TILE_STORAGE);
	markup_write(out, "<p>%s %s</p></div>\n", units_figure(UNIT_bytes, less).text, wrote ? "read" : "written");
}

void page_write_process_count(FILE *out, const struct page *page, double count)
{
	bool one = !page->processes_are_least && !(count > 1 || count < 1);

	markup_write(out, "%s%s process%s", units_figure(UNIT_count, count).text,
		page->processes_are_least ? " or more" : "", one ? "" : "es");
}

static void write_tiles(FILE *out, const struct page *page, const struct charts *charts)
{
	struct page_use memory = {page->stats.memory_mib.mean, page->peak_memory_mib};
	char limit[100];

	markup_write(out, "<div class=\"tiles\">\n");
	begin_tile(out, "Duration", units_duration(page->wall_seconds).text);
	markup_write(out, "</p>\n<p>");
	page_write_process_count(out, page, page->processes);
	markup_write(out, ", %s of CPU time</p></div>\n", units_duration(page->cpu_seconds).text);

	begin_tile(out, "CPU", units_figure(UNIT_cpus, page->stats.cpu.mean).text);
	if (page->vcpus > 0)
		markup_write(out, " <small>of %s CPUs</small>", units_figure(UNIT_cpus, page->vcpus).text);
	markup_write(out, "</p>\n");
	write_meter(out, "CPU", page->stats.cpu, page->vcpus);
	charts_write_tile(out, charts, TILE_CPU);
	markup_write(out, "<p>on average, peak %s</p></div>\n", units_figure(UNIT_cpus, page->stats.cpu.peak).text);

	begin_tile(out, "Memory", units_figure(UNIT_mib, memory.peak).text);
	memory_limit_describe(&page->limit, page->peak_memory_mib, limit, sizeof limit);
	if (*limit)
		markup_write(out, " <small>%s</small>", limit);
	markup_write(out, "</p>\n");
	write_meter(out, "Memory", memory, memory_limit_whole(&page->limit));
	charts_write_tile(out, charts, TILE_MEMORY);
	markup_write(out, "<p>%s, mean %s", page->has_two_peaks ? totals_peak_name(PEAK_SEEN) : "at its peak",
		units_figure(UNIT_mib, memory.mean).text);
	write_memory_bounds(out, page);
	markup_write(out, "</p></div>\n");

	write_gpu_tile(out, page, charts);

	write_storage_tile(out, page, charts);
	write_next_tile(out, page);
	markup_write(out, "</div>\n");
}

void page_write_answer(FILE *out, const struct page *page, const struct charts *charts)
{
	markup_write(out, "<section aria-label=\"In short\">\n");
	write_lead(out, page);
	page_write_outlived(out, page);
	page_write_unusual(out, page);
	write_tiles(out, page, charts);
	markup_write(out, "</section>");
}
