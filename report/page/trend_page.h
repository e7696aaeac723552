/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trend as HTML, for the page of a run, the page of a job, and the index of a site. */
#ifndef RTRACK_REPORT_PAGE_TREND_PAGE_H
#define RTRACK_REPORT_PAGE_TREND_PAGE_H

#include "report/page/trend.h"

#include <stdio.h>

/* Relative paths from the current page to the other pages of a site. A NULL pointer to this struct means that there is
 * no site. */
struct trend_links {
	const char *runs; /* "../runs/" */
	const char *job;  /* path of the job's page, or NULL if it is the current page */
};

/* Writes a chart for each figure. A chart has at most TREND_WINDOW runs: those around the run `now`, or the latest runs
 * if `now` is NULL. */
void trend_write_charts(FILE *out, const struct trend *trend, const char *now);
/* Draws the durations as a sparkline in a table cell. */
void trend_write_line(FILE *out, const struct trend *trend);
/* Writes a list item: the run, the job if it is not NULL, and why the run stands out. */
void trend_write_item(FILE *out, const struct trend *trend, const struct trend_run *run,
	const struct trend_links *links, const char *job);
/* Writes at most `limit` outliers, latest first. Returns the number of outliers that were written. */
size_t trend_write_odd(FILE *out, const struct trend *trend, const struct trend_links *links, size_t limit);
/* Writes the section of a run's page that shows the trend. Writes nothing if there are too few runs. */
void trend_write_section(FILE *out, const struct trend *trend, const char *now, const struct trend_links *links);
/* Writes all runs as a table, latest first. */
void trend_write_table(FILE *out, const struct trend *trend, const struct trend_links *links);

/* Converts a text into a file name. The name has only plain characters and is never empty. Different texts have
 * different names. */
enum { TREND_NAME_SIZE = 100 };
void trend_file_name(char name[TREND_NAME_SIZE], const char *text);

#endif
