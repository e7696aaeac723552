/* SPDX-License-Identifier: Apache-2.0 */
/* The table of requested, used and recommended resources in "Details", and a sentence with the usage. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/advice/allowance.h"
#include "report/advice/recommend.h"
#include "report/page/elements.h"

#include <math.h>
#include <string.h>

/* Writes " (18 %)", or nothing if the whole is unknown. */
static void write_share(FILE *out, double part, double whole)
{
	double share = 100 * part / whole;

	if (!(whole > 0) || !number_known(part))
		return;
	if (share > 0 && share < 0.05)
		markup_write(out, " (under 0.1 %%)");
	else
		markup_write(out, share > 0 && share < 0.95 ? " (%.1f %%)" : " (%.0f %%)", share);
}

static void write_use_in_short(FILE *out, const struct page *page)
{
	const struct memory_limit *limit = &page->model->limit;
	double cpus = page->model->totals.mean_cpu_usage, vcpus = page->model->run->vcpus;
	double peak = page->model->totals.peak_memory_mib;
	char of[100];

	if (number_known(cpus)) {
		markup_write(out, " It used <strong>%s", units_figure(UNIT_cpus, cpus).text);
		if (vcpus > 0)
			markup_write(out, " of %s", units_figure(UNIT_cpus, vcpus).text);
		markup_write(out, " CPUs</strong> on average");
		write_share(out, cpus, vcpus);
		if (!number_known(peak))
			markup_write(out, ".");
	}
	if (number_known(peak)) {
		memory_limit_describe(limit, peak, of, sizeof of);
		if (limit->requested)
			snprintf(of, sizeof of, "of %s of memory requested", units_figure(UNIT_mib, limit->mib).text);
		markup_write(out, "%s at most <strong>%s%s%s%s</strong>", number_known(cpus) ? " and" : " It used",
			units_figure(UNIT_mib, peak).text, *of ? " " : "", of,
			limit->own || limit->requested ? "" : " memory");
		/* Omit the share if the text above already says that the peak exceeds the limit. */
		if (!memory_limit_has_others(limit, peak))
			write_share(out, peak, memory_limit_whole(limit));
		markup_write(out, ".");
	}
}

/* Draws a bar for the mean on top of a bar for the peak. Their full width is `whole`. The bars are SVG, because the
 * page's policy forbids style attributes. */
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

struct request_row {
	const char *name;
	enum unit unit;
	double asked, mean, peak, whole;
	double request;
};

/* Returns the class of cells in the column "Requested". The class hides the column if the run had no request. */
static const char *asked_class(const struct page *page)
{
	const struct asked *asked = &page->model->asked;
	bool any = asked->cpus > 0 || asked->memory_mib > 0 || asked->gpus > 0 || asked->seconds > 0;

	return any ? "number" : "number unasked";
}

/* Writes a table row up to the mean and the peak, so that the caller can append details. */
static void begin_row(FILE *out, const struct page *page, const struct request_row *row)
{
	markup_write(out, "<tr><th scope=\"row\">%s</th><td class=\"%s\">%s</td><td class=\"used\">\n", row->name,
		asked_class(page), row->asked > 0 ? units_figure(row->unit, row->asked).text : "–");
	write_meter(out, row->name, row->mean, row->peak, row->asked > 0 ? row->asked : row->whole);
	markup_write(out, "<p><strong>");
	if (number_known(row->mean))
		markup_write(out, "%s · ", units_figure(row->unit, row->mean).text);
	markup_write(out, "%s</strong>", units_figure(row->unit, row->peak).text);
}

static void begin_request(FILE *out, const struct page *page, const struct request_row *row)
{
	markup_write(out, "</p></td><td class=\"number request\">%s",
		row->request > 0 ? units_figure(row->unit, row->request).text : "–");
	if (row->request > 0 && row->unit != UNIT_seconds && page_has_machines(page))
		markup_write(out, "<small class=\"line\">each machine</small>");
}

static void end_row(FILE *out, const char *reason)
{
	struct text text = text_of(reason);

	if (text.length > 0 && reason[text.length - 1] == '.') /* a table cell has no final full stop */
		text.length--;
	markup_write(out, "</td><td class=\"why\">");
	markup_write_text(out, text);
	markup_write(out, "</td></tr>\n");
}

static void write_cpu_row(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct recommendation *next = page->recommendation;
	const struct request_row row = {"CPU", UNIT_cpus, model->asked.cpus, model->totals.mean_cpu_usage,
		model->peak_cpu, model->run->vcpus, next ? next->resources.cpu : UNKNOWN};
	char reason[RECOMMEND_NOTE_SIZE] = "";

	if (next && !next->classic && number_known(next->cpus.cpus))
		cpus_reason(&next->cpus, reason, sizeof reason);
	begin_row(out, page, &row);
	if (model->run->vcpus > 0)
		markup_write(out, " <small>of %s of the machine%s</small>",
			units_figure(UNIT_cpus, model->run->vcpus).text, page_has_machines(page) ? "s" : "");
	begin_request(out, page, &row);
	end_row(out, reason);
}

/* Writes the parts of the memory: file pages, files on tmpfs, the largest process, and the upper bound if it clearly
 * exceeds the peak. */
static void write_memory_parts(FILE *out, const struct page *page)
{
	const struct totals *totals = &page->model->totals;
	bool known = totals->exact_memory || !run_ended(page->model->run);
	char limit[100];

	memory_limit_describe(&page->model->limit, totals->peak_memory_mib, limit, sizeof limit);
	if (*limit && !page->model->limit.requested)
		markup_write(out, " <small>%s</small>", limit);
	markup_write(out, "<small class=\"line detail\">");
	if (number_known(totals_file_pages(totals)))
		markup_write(out, "%s file pages that the kernel can drop; ",
			units_figure(UNIT_mib, totals_file_pages(totals)).text);
	if (number_known(totals_tmpfs_files(totals)))
		markup_write(
			out, "%s in files on tmpfs besides; ", units_figure(UNIT_mib, totals_tmpfs_files(totals)).text);
	if (number_known(totals->peak_process_memory_mib))
		markup_write(out, "largest process %s%s", known ? "" : "at least ",
			units_figure(UNIT_mib, totals->peak_process_memory_mib).text);
	if (totals_bound_tells(totals, page->model->run))
		markup_write(out, "; upper bound %s", units_figure(UNIT_mib, totals->peak_memory_at_most_mib).text);
	markup_write(out, "</small>");
}

static void write_memory_row(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct recommendation *next = page->recommendation;
	const struct request_row row = {"Memory", UNIT_mib, model->asked.memory_mib, model->totals.mean_memory_mib,
		model->totals.peak_memory_mib, memory_limit_whole(&model->limit),
		next ? next->resources.memory_mib : UNKNOWN};
	char reason[RECOMMEND_NOTE_SIZE] = "";

	if (next && next->classic)
		snprintf(reason, sizeof reason, "%s", next->rule);
	else if (next)
		allowance_reason(&next->memory, false, reason, sizeof reason);
	begin_row(out, page, &row);
	write_memory_parts(out, page);
	begin_request(out, page, &row);
	end_row(out, reason);
}

/* Writes the GPU row if the job used or requested a GPU. */
static void write_gpu_row(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct recommendation *next = page->recommendation;
	const struct statistic *gpu = &model->stats.of[STAT_process_gpu_usage];
	const struct statistic *vram = &model->stats.of[STAT_process_gpu_vram_mib];
	double count = page_server(page, "gpu_count"), memory_mib = page_server(page, "gpu_memory_mib");
	const struct request_row row = {
		"GPU", UNIT_gpus, model->asked.gpus, gpu->mean, gpu->max, count, next ? next->resources.gpu : UNKNOWN};

	if (!(gpu->max > 0) && !(vram->max > 0) && !(row.asked > 0))
		return;
	begin_row(out, page, &row);
	if (count > 0)
		markup_write(out, " <small>of %.0f GPU%s</small>", count, count > 1 ? "s" : "");
	markup_write(out, "<small class=\"line\">GPU memory, peak %s", units_figure(UNIT_mib, vram->max).text);
	if (memory_mib > 0)
		markup_write(out, " of %s", units_figure(UNIT_mib, memory_mib).text);
	markup_write(out, "</small>");
	begin_request(out, page, &row);
	if (next && next->resources.vram_mib > 0)
		markup_write(out, "<small class=\"line\">with %s%s</small>",
			units_figure(UNIT_mib, next->resources.vram_mib).text,
			next->resources.gpu > 1 ? " together" : "");
	end_row(out, next && !next->classic ? next->basis[BASIS_VRAM] : "");
}

static void write_time_row(FILE *out, const struct page *page)
{
	const struct model *model = page->model;
	const struct recommendation *next = page->recommendation;
	const struct request_row row = {"Time", UNIT_seconds, model->asked.seconds, UNKNOWN, model->totals.wall_seconds,
		UNKNOWN, next ? next->resources.seconds : UNKNOWN};
	char reason[80] = "";

	if (next && !next->classic)
		allowance_reason(&next->time, true, reason, sizeof reason);
	begin_row(out, page, &row);
	markup_write(out, " <small>");
	page_write_process_count(out, page, model->totals.processes);
	markup_write(out, ", %s of CPU time</small>", units_duration(model->totals.cpu_seconds).text);
	begin_request(out, page, &row);
	end_row(out, reason);
}

/* Writes a sentence such as "It used 10 % of the memory requested.", or else the usage as a share of the machine. */
static void write_use(FILE *out, const struct page *page)
{
	static const double FAR = 0.5; /* share of the request */
	const struct totals *totals = &page->model->totals;
	const char *separator = "It used <strong>";

	markup_write(out, "<p>");
	if (!(totals->efficiency_memory < FAR || totals->efficiency_cpu < FAR)) {
		write_use_in_short(out, page);
	} else {
		if (totals->efficiency_memory < FAR) {
			markup_write(out, "%s%.0f %% of the memory", separator, 100 * totals->efficiency_memory);
			separator = " and ";
		}
		if (totals->efficiency_cpu < FAR)
			markup_write(out, "%s%.0f %% of the CPUs", separator, 100 * totals->efficiency_cpu);
		markup_write(out, "</strong> requested.");
	}
	markup_write(out, "</p>\n");
}

void page_write_usage(FILE *out, const struct page *page)
{
	markup_write(out,
		"<section class=\"card requests\" aria-labelledby=\"requests\">\n<h3 id=\"requests\">Used and "
		"requested</h3>\n");
	write_use(out, page);
	markup_write(out,
		"<table>\n<thead><tr><th scope=\"col\">Resource</th><th scope=\"col\" class=\"%s\">Requested</th>"
		"<th scope=\"col\">Used: mean · peak</th><th scope=\"col\" class=\"number\">Request</th>"
		"<th scope=\"col\" class=\"why\">Reason</th></tr></thead>\n<tbody>\n",
		asked_class(page));
	write_cpu_row(out, page);
	write_memory_row(out, page);
	write_gpu_row(out, page);
	write_time_row(out, page);
	markup_write(out, "</tbody></table>\n</section>\n");
}
