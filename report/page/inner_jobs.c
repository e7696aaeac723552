/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Tasks" of a pipeline's page: the runs inside the pipeline, summed by job. In a site, each job has a link
 * to the page of its costliest run. */
#include "report/page/page.h"

#include "core/number.h"
#include "report/model/inner_jobs.h"
#include "report/page/elements.h"
#include "report/page/site.h"
#include "report/page/trend_page.h"

#include <stdio.h>

enum { ROWS_MAX = 256 };

void page_write_run(FILE *out, const struct trend_run *run, const char *text)
{
	char name[TREND_NAME_SIZE];

	if (!run || run->told) {
		markup_write(out, "%-s", text);
		return;
	}
	trend_file_name(name, run->page);
	markup_write(out, "<a href=\"%s.html\">%-s</a>", name, text);
}

static void write_cells(FILE *out, const struct inner_jobs *jobs, const struct inner_job *job)
{
	markup_write(out, "<td class=\"number\">%zu</td><td class=\"number\">%zu</td>", job->runs, job->failed);
	cell_figure(out, UNIT_seconds, job->cpu_seconds);
	cell_write(out, units_whole_percent(inner_job_share(jobs, job)).text);
	cell_write(out, units_hours(job->memory_gib_hours).text);
	cell_figure(out, UNIT_seconds, job->wall_seconds);
	cell_figure(out, UNIT_mib, job->peak_memory_mib);
	if (*jobs->currency)
		cell_write(out, number_known(job->price) ? units_money(job->price, jobs->currency).text : "–");
	markup_write(out, "</tr>\n");
}

void page_write_tasks(FILE *out, const struct page *page)
{
	const struct inner_jobs *jobs = page->inner_jobs;
	size_t shown = jobs->count < ROWS_MAX ? jobs->count : ROWS_MAX;

	if (jobs->count == 0)
		return;
	section_begin(out, "listing", "tasks-by-job", "Tasks by job", NULL, NULL);
	markup_write(out, "<p class=\"note\">Each task is a run of its own inside this one.");
	if (jobs->other_cpu_seconds > 0)
		markup_write(out, " CPU time outside these runs: %s.", units_duration(jobs->other_cpu_seconds).text);
	markup_more(out, "report.md#runs-inside-a-run");
	table_begin(out, "Tasks by job",
		*jobs->currency ? "Job|#Runs|#Failed|#CPU time|#Share|#GiB-hours|#Time|#Peak memory|#Price"
				: "Job|#Runs|#Failed|#CPU time|#Share|#GiB-hours|#Time|#Peak memory");
	for (size_t i = 0; i < shown; i++) {
		const struct inner_job *job = &jobs->items[i];
		markup_write(out, "<tr><th scope=\"row\" class=\"name\">");
		page_write_run(out, site_inner_run(page->site, page->place, job->costliest), job->name);
		markup_write(out, "</th>");
		write_cells(out, jobs, job);
	}
	markup_write(out, "<tr><th scope=\"row\" class=\"name\">All</th>");
	write_cells(out, jobs, &jobs->all);
	table_end(out, "Tasks by job");
	if (shown < jobs->count)
		markup_write(out, "<p class=\"note\">%zu more jobs are not listed.</p>", jobs->count - shown);
	markup_write(out, "\n</section>\n");
}
