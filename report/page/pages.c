/* The index of a site, and the pages of its jobs; see pages.h. */
#include "report/page/pages.h"

#include "core/spool.h"
#include "report/say/markup.h"
#include "report/page/write.h"
#include "report/page/trend_page.h"

#include <errno.h>
#include <stdlib.h>

enum { RUNS_LISTED = 50 };

/* -- any page -------------------------------------------------------------------------------------- */

/* `assets` as in struct page. */
static void begin_page(FILE *out, const char *assets, const char *title)
{
	page_begin_head(out, assets);
	markup_write_text(out, text_of(title));
	page_end_head(out, assets);
	markup_write(
		out, "<header class=\"top\">\n<p class=\"brand\"><b>rtrack</b> report</p>\n<div class=\"title\"><h1>");
	markup_write_text(out, text_of(title));
	markup_write(out, "</h1></div>\n");
}

static int end_page(FILE *out)
{
	markup_write(out,
		"</main>\n<footer><p class=\"note\">Made by rtrack-report %s. Times are in UTC.</p></footer>\n</body>\n"
		"</html>\n",
		RTRACK_VERSION);
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

	begin_page(out, "../assets/", job->name);
	markup_write(out, "<p class=\"meta\"><a href=\"../index.html\">All jobs</a></p>\n</header>\n<main>\n");
	markup_write(out, "<p class=\"lead\">%zu run%s", job->trend.count, job->trend.count == 1 ? "" : "s");
	if (job->failed > 0)
		markup_write(out, ", %zu of which did not finish", job->failed);
	markup_write(out, ".</p>\n");
	markup_write(out,
		"<section class=\"listing\" aria-labelledby=\"over-time\"><h2 id=\"over-time\">Over time</h2>\n"
		"<p class=\"note\">The latest %d runs, the oldest first; the dashed line is the median of all that "
		"finished.</p>\n",
		TREND_WINDOW);
	trend_write_charts(out, &job->trend, NULL);
	markup_write(out,
		"</section>\n<section class=\"listing\" aria-labelledby=\"odd\"><h2 id=\"odd\">Outliers</h2>\n"
		"<p class=\"note\">Runs that did not finish, lost a process to lack of memory, or have figures far "
		"from the median and further than usual. A run’s own page calls unusual what is far from the few runs "
		"before it.</p>\n");
	if (trend_write_odd(out, &job->trend, &links, RUNS_LISTED) == 0)
		markup_write(out, "<p>None.</p>\n");
	markup_write(
		out, "</section>\n<section class=\"listing\" aria-labelledby=\"runs\"><h2 id=\"runs\">Runs</h2>\n");
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

/* A run within another is in that one's figures as well, and counts there. */
static struct sums sums_of(const struct site *site)
{
	struct sums sums = {.wasted = UNKNOWN, .first = UNKNOWN, .last = UNKNOWN};

	for (size_t i = 0; i < site->count; i++) {
		const struct site_job *job = &site->jobs[i];
		sums.runs += job->trend.count;
		sums.failed += job->failed;
		for (size_t j = 0; j < job->trend.count; j++) {
			const struct trend_run *run = &job->trend.runs[j];
			if (!run->within)
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
	write_tile(out, "Did not finish", text[0], text[1]);
	write_tile(out, "CPU time", units_duration(sums.cpu_seconds).text, "of all processes");
	if (number_known(sums.wasted))
		write_tile(out, "Memory not used", trend_figure(NULL, TREND_waste, sums.wasted).text,
			"of what was requested");
	snprintf(text[0], sizeof text[0], "%zu", sums.odd);
	write_tile(out, "Outliers", text[0], "that finished, and are unusual for their job or lacked memory");
	markup_write(out, "</div>\n<p class=\"note\">Runs that began from %s to %s.</p>\n",
		units_time(sums.first, false).text, units_time(sums.last, false).text);
}

static double last_of(const struct trend *trend)
{
	return trend->count > 0 ? trend->runs[trend->count - 1].start_time : UNKNOWN;
}

static void write_row(FILE *out, const struct site_job *job)
{
	const struct trend *trend = &job->trend;
	const struct waste_sum *memory = &job->waste.of[WASTE_MEMORY];
	char name[TREND_NAME_SIZE], text[64];
	double cpu_seconds = 0;
	size_t odd = 0;

	for (size_t i = 0; i < trend->count; i++) {
		known_add(&cpu_seconds, trend->runs[i].figures[TREND_cpu]);
		odd += trend_stands_out(&trend->runs[i]);
	}
	trend_file_name(name, job->name);
	markup_write(out, "<tr><th scope=\"row\"><a href=\"jobs/%s.html\">", name);
	markup_write_text(out, text_of(job->name));
	markup_write(out, "</a></th><td>%s</td>", units_time(last_of(trend), false).text);
	snprintf(text, sizeof text, "%zu", trend->count);
	markup_write_cell(out, text);
	snprintf(text, sizeof text, "%zu", job->failed);
	markup_write_cell(out, text);
	markup_write(out, "<td>");
	trend_write_line(out, trend);
	markup_write(out, "</td>");
	markup_write_cell(out, units_duration(trend->medians[TREND_seconds]).text);
	markup_write_cell(out, units_figure(UNIT_mib, trend->medians[TREND_memory]).text);
	markup_write_cell(out, units_duration(cpu_seconds).text);
	double share = memory->runs > 0 && memory->asked > 0 ? waste_between(&job->waste, WASTE_MEMORY) / memory->asked
							     : UNKNOWN;
	markup_write_cell(out, units_whole_percent(share).text);
	snprintf(text, sizeof text, "%zu", odd);
	markup_write_cell(out, text);
	markup_write(out, "</tr>\n");
}

static void write_jobs(FILE *out, const struct site *site)
{
	static const char *const heads[] = {"Runs", "Did not finish", NULL, "Median duration", "Median peak memory",
		"CPU time", "Memory not used", "Outliers"};

	markup_write(out,
		"<section class=\"listing\" aria-labelledby=\"jobs\"><h2 id=\"jobs\">Jobs</h2>\n"
		"<section class=\"scroll wide\" tabindex=\"0\" aria-label=\"Table of jobs\"><table>\n<thead><tr>"
		"<th scope=\"col\">Job</th><th scope=\"col\">Last run</th>");
	for (size_t i = 0; i < ARRAY_LENGTH(heads); i++)
		if (heads[i])
			markup_write(out, "<th scope=\"col\" class=\"number\">%s</th>", heads[i]);
		else
			markup_write(out, "<th scope=\"col\">Durations</th>");
	markup_write(out, "</tr></thead>\n<tbody>\n");
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
	return (x->run->start_time < y->run->start_time) - (x->run->start_time > y->run->start_time);
}

static void write_place(FILE *out, const struct place *place)
{
	static const struct trend_links links = {.runs = "runs/"};
	char text[200];

	markup_write(out, "<li>");
	trend_write_run(out, place->run->id, place->run->told ? NULL : &links);
	markup_write(out, " <strong>");
	markup_write_text(out, text_of(place->job->name));
	trend_describe(&place->job->trend, place->run, text, sizeof text);
	markup_write(out, "</strong> %s%s", text, *text ? ": " : "");
	markup_write_text(out, text_of(place->run->reason));
	markup_write(out, "</li>\n");
}

/* The latest runs that did not finish, or those that did and are outliers. */
static void write_places(
	FILE *out, const struct site *site, struct place *places, bool finished, const char *id, const char *title)
{
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
	markup_write(out,
		"<section class=\"listing\" aria-labelledby=\"%s\"><h2 id=\"%s\">%s</h2>\n"
		"<p class=\"note\">%zu run%s",
		id, id, title, count, count == 1 ? "" : "s");
	if (count > RUNS_LISTED)
		markup_write(out, ", the latest %d of them", RUNS_LISTED);
	markup_write(out, "</p>\n<ul class=\"odd\">\n");
	for (size_t i = 0; i < count && i < RUNS_LISTED; i++)
		write_place(out, &places[i]);
	markup_write(out, "</ul></section>\n");
}

int site_write_index(FILE *out, const void *page)
{
	const struct site *site = page;
	struct place *places = calloc(sums_of(site).runs + 1, sizeof *places);

	if (!places) {
		errno = ENOMEM;
		return -1;
	}
	begin_page(out, "assets/", "All jobs");
	markup_write(out, "</header>\n<main>\n");
	write_tiles(out, site);
	write_jobs(out, site);
	write_places(out, site, places, false, "failures", "Did not finish");
	write_places(out, site, places, true, "odd", "Outliers");
	free(places);
	return end_page(out);
}

int site_write_nothing(FILE *out, const void *id)
{
	begin_page(out, "../assets/", id);
	markup_write(out, "<p class=\"meta\"><a href=\"../index.html\">All jobs</a></p>\n</header>\n<main>\n"
			  "<p class=\"lead\">Nothing was recorded of this run.</p>\n");
	return end_page(out);
}
