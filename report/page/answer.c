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

/* A status that the page knows: run.json may hold any text. */
static const char *status_of(const struct run *run)
{
	static const char *const known[] = {"finished", "failed", "killed", "running", "interrupted"};

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(run->status, known[i]) == 0)
			return known[i];
	return "unknown";
}

const char *page_outcome(const struct page *page)
{
	return *page->model->run->ends ? "not all finished" : outcome_word(page->model->outcome);
}

double page_server(const struct page *page, const char *key)
{
	return json_double(cJSON_GetObjectItemCaseSensitive(page->model->run->json, "server"), key);
}

void page_write_header(FILE *out, const struct page *page)
{
	markup_write(out, "<p class=\"brand\"><b>rtrack</b> report</p>\n<div class=\"title\"><h1 title=\"");
	markup_write_text(out, text_of(page->model->run->job));
	markup_write(out, "\"><bdi>");
	markup_write_text(out, text_of(page->model->run->job));
	markup_write(out, "</bdi></h1><span class=\"badge %s\">%s</span></div>\n", status_of(page->model->run),
		page_outcome(page));
	if (*page->command) {
		markup_write(out, "<p class=\"meta\"><code>");
		markup_write_text(out, text_of(page->command));
		markup_write(out, "</code></p>\n");
	}
	if (*page->labels) {
		markup_write(out, "<p class=\"meta\">");
		markup_write_text(out, text_of(page->labels));
		markup_write(out, "</p>\n");
	}
	markup_write(out, "<p class=\"meta\">");
	if (*page->model->run->user) {
		markup_write_text(out, text_of(page->model->run->user));
		markup_write(out, " on ");
	}
	markup_write_text(out, text_of(page->model->run->host));
	if (number_known(page->model->run->start_time)) {
		markup_write(out, " · ");
		write_time(out, page->model->run->start_time);
	}
	if (number_known(page->model->run->stop_time)) {
		markup_write(out, " to ");
		write_time(out, page->model->run->stop_time);
	}
	markup_write(out, "</p>");
}

static bool is_unknown(const char *status)
{
	return strcmp(status, "interrupted") == 0 || strcmp(status, "unknown") == 0;
}

static void write_outcome(FILE *out, const struct page *page)
{
	struct figure duration = units_duration(page->model->totals.wall_seconds);
	const struct model *model = page->model;
	const char *status = status_of(model->run);
	char what[256], silence[64], failure[FAILURE_SIZE];

	outcome_describe(model->outcome, model->run, what, sizeof what);
	outcome_describe_silence(model->run, silence, sizeof silence);
	if (strcmp(status, "finished") == 0)
		markup_write(out, "Finished in <strong>%s</strong>.", duration.text);
	else if (strcmp(status, "running") == 0)
		markup_write(out, "Still running: <strong>%s</strong> so far%s.", duration.text, silence);
	else if (strcmp(what, status) == 0 && is_unknown(status))
		markup_write(out, "The record ends after <strong>%s</strong>; how the job ended is not known.",
			duration.text);
	else {
		char first[] = {(char)toupper((unsigned char)*what), '\0'};
		markup_write_text(out, text_of(first));
		markup_write_text(out, text_of(what + 1));
		markup_write(out, " %s <strong>%s</strong>", outcome_preposition(model->outcome), duration.text);
		if (*failure_describe(model->failed, &model->parts, failure))
			markup_write(out, ": ");
		markup_write_text(out, text_of(failure));
		markup_write(out, ".");
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
	if (number_known(page->model->totals.mean_cpu_usage)) {
		markup_write(
			out, " It used <strong>%s", units_figure(UNIT_cpus, page->model->totals.mean_cpu_usage).text);
		if (page->model->run->vcpus > 0)
			markup_write(out, " of %s", units_figure(UNIT_cpus, page->model->run->vcpus).text);
		markup_write(out, " CPUs</strong> on average");
		write_share(out, page->model->totals.mean_cpu_usage, page->model->run->vcpus);
		if (!number_known(page->model->totals.peak_memory_mib))
			markup_write(out, ".");
	}
	if (number_known(page->model->totals.peak_memory_mib)) {
		markup_write(out, "%s at most <strong>%s",
			number_known(page->model->totals.mean_cpu_usage) ? " and" : " It used",
			units_figure(UNIT_mib, page->model->totals.peak_memory_mib).text);
		memory_limit_describe(&page->model->limit, page->model->totals.peak_memory_mib, limit, sizeof limit);
		if (page->model->limit.requested)
			snprintf(limit, sizeof limit, "of %s of memory asked for",
				units_figure(UNIT_mib, page->model->limit.mib).text);
		markup_write(out, "%s%s%s</strong>", *limit ? " " : "", limit,
			page->model->limit.own || page->model->limit.requested ? "" : " memory");
		/* More than all says nothing that the text has not said. */
		if (!memory_limit_has_others(&page->model->limit, page->model->totals.peak_memory_mib))
			write_share(out, page->model->totals.peak_memory_mib, memory_limit_whole(&page->model->limit));
		markup_write(out, ".");
	}
	markup_write(out, "</p>\n");
}

/* Writes a bar of the mean within a bar of the peak, within the whole. SVG, because the page's policy allows no style
 * attributes. */
static void write_meter(FILE *out, const char *what, double mean, double peak, double whole)
{
	if (!(whole > 0) || !number_known(peak))
		return;
	double peak_share = fmin(100, 100 * peak / whole);
	double mean_share = number_known(mean) ? fmin(100, 100 * mean / whole) : 0;
	markup_write(out,
		"<svg class=\"meter\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s: "
		"mean %.0f %%, peak %.0f %% of what there is\"><rect class=\"peak\" width=\"%.2f\" height=\"8\"/>"
		"<rect class=\"mean\" width=\"%.2f\" height=\"8\"/></svg>\n",
		what, mean_share, peak_share, peak_share, mean_share);
}

static void begin_tile(FILE *out, const char *title, const char *figure)
{
	markup_write(out, "<div class=\"tile\"><h2>%s</h2>\n<p class=\"big\">%s", title, figure);
}

/* Writes the largest process, and the upper bound of all processes together where it is clearly more than the peak. */
static void write_memory_bounds(FILE *out, const struct page *page)
{
	const struct totals *totals = &page->model->totals;
	bool known = totals->exact_memory || !run_ended(page->model->run);

	if (number_known(totals->peak_process_memory_mib))
		markup_write(out, ", largest process %s%s", known ? "" : "at least ",
			units_figure(UNIT_mib, totals->peak_process_memory_mib).text);
	if (totals_bound_tells(totals, page->model->run))
		markup_write(out, "; upper bound %s", units_figure(UNIT_mib, totals->peak_memory_at_most_mib).text);
}

/* Writes the tile of the GPUs for a job that used one. */
static void write_gpu_tile(FILE *out, const struct page *page, const struct charts *charts)
{
	const struct statistic *gpu = &page->model->stats.of[STAT_process_gpu_usage];
	const struct statistic *vram = &page->model->stats.of[STAT_process_gpu_vram_mib];
	double count = page_server(page, "gpu_count"), memory_mib = page_server(page, "gpu_memory_mib");

	if (!(gpu->max > 0) && !(vram->max > 0))
		return;
	begin_tile(out, "GPU", units_figure(UNIT_gpus, gpu->mean).text);
	if (count > 0)
		markup_write(out, " <small>of %.0f GPU%s</small>", count, count > 1 ? "s" : "");
	markup_write(out, "</p>\n");
	write_meter(out, "GPU", gpu->mean, gpu->max, count);
	charts_write_tile(out, charts, TILE_GPU);
	markup_write(out, "<p>on average, peak %s; GPU memory peak %s", units_figure(UNIT_gpus, gpu->max).text,
		units_figure(UNIT_mib, vram->max).text);
	if (memory_mib > 0)
		markup_write(out, " of %s", units_figure(UNIT_mib, memory_mib).text);
	markup_write(out, "</p></div>\n");
}

static void write_next_tile(FILE *out, const struct page *page)
{
	const struct recommendation *next = page->recommendation;

	if (!next)
		return;
	markup_write(out, "<div class=\"tile\"><h2>Next run: request</h2>\n<p class=\"big ask-for\">");
	page_write_resources(out, &next->resources, " <span>·</span> ");
	markup_write(out, "</p>\n<p><a href=\"#next\">for which tool, and why</a></p></div>\n");
}

/* The larger of what was read and written is the headline, as the curve is as high as that. */
static void write_storage_tile(FILE *out, const struct page *page, const struct charts *charts)
{
	bool wrote = page->model->totals.disk_write_bytes > known_first(page->model->totals.disk_read_bytes, 0);
	double more = wrote ? page->model->totals.disk_write_bytes : page->model->totals.disk_read_bytes;
	double less = wrote ? page->model->totals.disk_read_bytes : page->model->totals.disk_write_bytes;

	begin_tile(out, "Storage", units_figure(UNIT_bytes, more).text);
	markup_write(out, " <small>%s</small></p>\n", wrote ? "written" : "read");
	charts_write_tile(out, charts, TILE_STORAGE);
	markup_write(out, "<p>%s %s</p></div>\n", units_figure(UNIT_bytes, less).text, wrote ? "read" : "written");
}

void page_write_process_count(FILE *out, const struct page *page, double count)
{
	bool more = !page->model->totals.exact_processes;
	bool one = !more && !(count > 1 || count < 1);

	markup_write(
		out, "%s%s process%s", units_figure(UNIT_count, count).text, more ? " or more" : "", one ? "" : "es");
}

static void write_tiles(FILE *out, const struct page *page, const struct charts *charts)
{
	const struct model *model = page->model;
	const struct totals *totals = &model->totals;
	char limit[100];

	markup_write(out, "<div class=\"tiles\">\n");
	begin_tile(out, "Duration", units_duration(page->model->totals.wall_seconds).text);
	markup_write(out, "</p>\n<p>");
	page_write_process_count(out, page, page->model->totals.processes);
	markup_write(out, ", %s of CPU time</p></div>\n", units_duration(page->model->totals.cpu_seconds).text);

	begin_tile(out, "CPU", units_figure(UNIT_cpus, page->model->totals.mean_cpu_usage).text);
	if (page->model->run->vcpus > 0)
		markup_write(out, " <small>of %s CPUs</small>", units_figure(UNIT_cpus, page->model->run->vcpus).text);
	markup_write(out, "</p>\n");
	write_meter(out, "CPU", totals->mean_cpu_usage, model->peak_cpu, model->run->vcpus);
	charts_write_tile(out, charts, TILE_CPU);
	markup_write(out, "<p>on average, peak %s</p></div>\n", units_figure(UNIT_cpus, model->peak_cpu).text);

	begin_tile(out, "Memory", units_figure(UNIT_mib, totals->peak_memory_mib).text);
	memory_limit_describe(&page->model->limit, page->model->totals.peak_memory_mib, limit, sizeof limit);
	if (*limit)
		markup_write(out, " <small>%s</small>", limit);
	markup_write(out, "</p>\n");
	write_meter(out, "Memory", totals->mean_memory_mib, totals->peak_memory_mib,
		memory_limit_whole(&page->model->limit));
	charts_write_tile(out, charts, TILE_MEMORY);
	markup_write(out, "<p>at its peak");
	if (number_known(totals_file_pages(totals)))
		markup_write(out, ", %s of them file pages that the kernel can drop",
			units_figure(UNIT_mib, totals_file_pages(totals)).text);
	markup_write(out, ", mean %s", units_figure(UNIT_mib, totals->mean_memory_mib).text);
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
