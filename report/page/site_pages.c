/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the index page of a site, and the pages of its jobs. */
#include "report/page/site.h"

#include "core/spool.h"
#include "report/page/elements.h"
#include "report/page/run_page.h"
#include "report/page/trend_page.h"
#include "report/say/array.h"

#include <errno.h>
#include <stdlib.h>

enum { RUNS_LISTED = 50 };

/* -- parts of every page --------------------------------------------------------------------------- */

/* Begins a page. `assets` is the folder with the site's style, or NULL if the page includes the style. */
static void begin_page(FILE *out, const char *assets, const char *title)
{
	page_write_head(out, assets, title);
	markup_write(out,
		"<header class=\"top\">\n<p class=\"brand\"><b>rtrack</b> report</p>\n<div class=\"title\"><h1>%-s</h1>"
		"</div>\n",
		title);
}

/* Begins a page with a link to the index. */
static void begin_lower_page(FILE *out, const char *title)
{
	begin_page(out, "../assets/", title);
	markup_write(out, "<p class=\"meta\"><a href=\"../index.html\">All jobs</a></p>\n</header>\n<main>\n");
}

static void begin_section(FILE *out, const char *id, const char *title)
{
	markup_write(out, "<section class=\"listing\" aria-labelledby=\"%s\"><h2 id=\"%s\">%s</h2>\n", id, id, title);
}

static int end_page(FILE *out)
{
	markup_write(out, "</main>\n<footer><p class=\"note\">Made by rtrack-report " RTRACK_VERSION
			  ". <span id=\"zone\">Times are in UTC.</span></p></footer>\n</body>\n</html>\n");
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	errno = errno ? errno : EIO;
	return -1;
}

/* -- a job ----------------------------------------------------------------------------------------- */

int site_write_job(FILE *out, const void *page)
{
	static const struct trend_links links = {.runs = "../runs/"};
	const struct site_job *job = page;

	begin_lower_page(out, job->name);
	markup_write(out, "<p class=\"lead\">%zu run%s", job->trend.count, job->trend.count == 1 ? "" : "s");
	if (job->failed > 0)
		markup_write(out, ", %zu of which did not finish", job->failed);
	markup_write(out, ".</p>\n");
	begin_section(out, "over-time", "Over time");
	markup_write(out,
		"<p class=\"note\">The latest %d runs, the oldest first; the dashed line is the median of all that "
		"finished.</p>\n",
		TREND_WINDOW);
	trend_write_charts(out, &job->trend, NULL);
	markup_write(out, "</section>\n");
	begin_section(out, "odd", "Unusual runs");
	markup_write(out,
		"<p class=\"note\">Runs that did not finish, with a process out of memory, or with figures far "
		"from the median and further than usual. A run’s own page calls unusual what is far from the few runs "
		"before it.</p>\n");
	if (trend_write_odd(out, &job->trend, &links, RUNS_LISTED) == 0)
		markup_write(out, "<p>None.</p>\n");
	markup_write(out, "</section>\n");
	begin_section(out, "runs", "Runs");
	trend_write_table(out, &job->trend, &links);
	markup_write(out, "</section>\n");
	return end_page(out);
}

/* -- the index ------------------------------------------------------------------------------------- */

struct sums {
	size_t runs, failed, odd;
	double cpu_seconds, wasted;
	double first, last;
};

/* Sums the figures of all runs except nested runs, because the figures of the outer run include them. */
static struct sums sums_of(const struct site *site)
{
	struct sums sums = {.wasted = UNKNOWN, .first = UNKNOWN, .last = UNKNOWN};

	for (size_t i = 0; i < site->count; i++) {
		const struct site_job *job = &site->jobs[i];
		sums.runs += job->trend.count;
		sums.failed += job->failed;
		for (size_t j = 0; j < job->trend.count; j++) {
			const struct trend_run *run = &job->trend.runs[j];
			if (!run->around)
				known_add(&sums.cpu_seconds, run->figures[TREND_cpu]);
			const struct waste *waste = &job->items[run->position].waste;
			if (!run->asked_around && waste->of[WASTE_MEMORY].runs > 0)
				known_add(&sums.wasted, waste_between(waste, WASTE_MEMORY));
			sums.odd += trend_stands_out(run);
			sums.first = sums.first <= run->start_time ? sums.first : run->start_time;
			sums.last = known_larger(sums.last, run->start_time);
		}
	}
	return sums;
}

static void write_tile(FILE *out, const char *title, const char *figure, const char *note)
{
	markup_write(out, "<div class=\"tile\"><h2>%s</h2>\n<p class=\"big\">%s</p>\n<p>%s</p></div>\n", title, figure,
		note);
}

static const double LEAST_WASTE = 0.0005; /* GiB-hours; less would be printed as ~0 */

static void write_tiles(FILE *out, const struct site *site)
{
	struct sums sums = sums_of(site);
	char text[3][64];

	snprintf(text[0], sizeof text[0], "%zu", sums.runs);
	snprintf(text[1], sizeof text[1], "of %zu job%s", site->count, site->count == 1 ? "" : "s");
	markup_write(out, "<div class=\"tiles\">\n");
	write_tile(out, "Runs", text[0], text[1]);
	snprintf(text[0], sizeof text[0], "%zu", sums.failed);
	snprintf(text[1], sizeof text[1], "%.1f %% of all",
		sums.runs ? 100 * (double)sums.failed / (double)sums.runs : 0);
	write_tile(out, "Failed", text[0], text[1]);
	write_tile(out, "CPU time", units_duration(sums.cpu_seconds).text, "of all processes");
	if (sums.wasted >= LEAST_WASTE)
		write_tile(out, "Unused memory", trend_figure(NULL, TREND_waste, sums.wasted).text,
			"of what was requested");
	snprintf(text[0], sizeof text[0], "%zu", sums.odd);
	write_tile(out, "Unusual runs", text[0], "that finished, but differ from others or ran out of memory");
	markup_write(out, "</div>\n<p class=\"note\">Runs that began from ");
	time_write(out, "", sums.first);
	markup_write(out, " to ");
	time_write(out, "", sums.last);
	markup_write(out, ".</p>\n");
}

/* Writes a figure, and the number by which the script sorts it. */
static void write_cell(FILE *out, double value, struct figure figure)
{
	if (number_known(value))
		markup_write(out, "<td class=\"number\" data-value=\"%.10g\">%s</td>", value, figure.text);
	else
		markup_write(out, "<td class=\"number\">–</td>");
}

static void write_row(FILE *out, const struct site_job *job)
{
	const struct trend *trend = &job->trend;
	const struct trend_run *last = trend->count > 0 ? &trend->runs[trend->count - 1] : NULL;
	const struct waste_sum *memory = &job->waste.of[WASTE_MEMORY];
	double requested = last ? job->items[last->position].digest.use.asked_mib : UNKNOWN, unused = UNKNOWN;
	char name[TREND_NAME_SIZE];
	size_t odd = 0;

	for (size_t i = 0; i < trend->count; i++)
		odd += trend_stands_out(&trend->runs[i]);
	if (memory->runs > 0 && memory->asked > 0)
		unused = waste_between(&job->waste, WASTE_MEMORY) / memory->asked;
	trend_file_name(name, job->name);
	markup_write(out, "<tr><th scope=\"row\"><a href=\"jobs/%s.html\">%-s</a></th><td>", name, job->name);
	time_write(out, "", last ? last->start_time : UNKNOWN);
	markup_write(out, "</td><td>%-s</td>", last ? last->status : "");
	write_cell(out, (double)trend->count, units_figure(UNIT_count, (double)trend->count));
	write_cell(out, (double)job->failed, units_figure(UNIT_count, (double)job->failed));
	markup_write(out, "<td>");
	if (trend->count >= TREND_SHOWN_LEAST)
		trend_write_line(out, trend);
	markup_write(out, "</td>");
	write_cell(out, trend->medians[TREND_seconds], units_figure(UNIT_seconds, trend->medians[TREND_seconds]));
	write_cell(out, trend->medians[TREND_memory], units_figure(UNIT_mib, trend->medians[TREND_memory]));
	write_cell(out, requested, units_figure(UNIT_mib, requested));
	write_cell(out, unused, units_whole_percent(unused));
	write_cell(out, (double)odd, units_figure(UNIT_count, (double)odd));
	markup_write(out, "</tr>\n");
}

/* Writes the table of jobs. With JavaScript, the table can be sorted by its headings and filtered by a text. */
static void write_jobs(FILE *out, const struct site *site)
{
	begin_section(out, "jobs", "Jobs");
	markup_write(out, "<section class=\"scroll wide\" tabindex=\"0\" aria-label=\"Table of jobs\">");
	table_begin_plain(out, "Job|Last run|Status|#Runs|#Failed|Durations|#Median duration|#Median peak memory|"
			       "#Requested memory|#Unused memory|#Unusual");
	for (size_t i = 0; i < site->count; i++)
		write_row(out, &site->jobs[i]);
	markup_write(out, "</tbody></table></section></section>\n");
}

/* A run and its job. */
struct place {
	const struct site_job *job;
	const struct trend_run *run;
};

static int by_time(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return ORDER(y->run->start_time, x->run->start_time);
}

/* Writes the latest outliers if `finished` is true, otherwise the latest runs that did not finish. */
static void write_places(
	FILE *out, const struct site *site, struct place *places, bool finished, const char *id, const char *title)
{
	static const struct trend_links links = {.runs = "runs/"};
	size_t count = 0;

	for (size_t i = 0; i < site->count; i++)
		for (size_t j = 0; j < site->jobs[i].trend.count; j++) {
			const struct trend_run *run = &site->jobs[i].trend.runs[j];
			if (*run->reason && run->finished == finished)
				places[count++] = (struct place){&site->jobs[i], run};
		}
	if (count == 0)
		return;
	qsort(places, count, sizeof *places, by_time);
	begin_section(out, id, title);
	markup_write(out, "<p class=\"note\">%zu run%s", count, count == 1 ? "" : "s");
	if (count > RUNS_LISTED)
		markup_write(out, ", the latest %d of them", RUNS_LISTED);
	markup_write(out, "</p>\n<ul class=\"odd\">\n");
	for (size_t i = 0; i < count && i < RUNS_LISTED; i++)
		trend_write_item(out, &places[i].job->trend, places[i].run, &links, places[i].job->name);
	markup_write(out, "</ul></section>\n");
}

int site_write_index(FILE *out, const void *page)
{
	const struct site *site = page;
	struct place *places = xcalloc(sums_of(site).runs, sizeof *places);

	begin_page(out, "assets/", "All jobs");
	markup_write(out, "</header>\n<main>\n");
	write_tiles(out, site);
	write_jobs(out, site);
	write_places(out, site, places, false, "failures", "Failed");
	write_places(out, site, places, true, "odd", "Unusual runs");
	free(places);
	return end_page(out);
}

int site_write_nothing(FILE *out, const void *id)
{
	begin_lower_page(out, id);
	markup_write(out, "<p class=\"lead\">Nothing was recorded of this run.</p>\n");
	return end_page(out);
}
