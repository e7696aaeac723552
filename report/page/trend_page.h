/* SPDX-License-Identifier: Apache-2.0 */
/* A trend as markup, for a run's page, a job's and the index. */
#ifndef RTRACK_REPORT_PAGE_TREND_PAGE_H
#define RTRACK_REPORT_PAGE_TREND_PAGE_H

#include "report/page/trend.h"

#include <stdio.h>

/* Where the pages of a site lie, relative to the page that is written. A NULL pointer means that there is no site. */
struct trend_links {
	const char *runs; /* "../runs/" */
	const char *job;  /* the job's page, or NULL if it is this one */
};

/* A chart for each figure, of at most TREND_WINDOW runs around the run `now`, or of the latest runs if it is NULL. */
void trend_write_charts(FILE *out, const struct trend *trend, const char *now);
/* A small line of the durations, for a table. */
void trend_write_line(FILE *out, const struct trend *trend);
/* The outliers, the latest first, at most `limit`; nothing if there are none. Returns how many. */
size_t trend_write_odd(FILE *out, const struct trend *trend, const struct trend_links *links, size_t limit);
/* The section of a run's page; nothing if there are too few runs. */
void trend_write_section(FILE *out, const struct trend *trend, const char *now, const struct trend_links *links);
/* All runs as a table, the latest first. */
void trend_write_table(FILE *out, const struct trend *trend, const struct trend_links *links);

/* The id of a run, linked to its page. */
void trend_write_run(FILE *out, const char *id, const struct trend_links *links);

/* A file name for a text of a job: plain characters only, never empty, and different for different texts. */
enum { TREND_NAME_SIZE = 100 };
void trend_file_name(char name[TREND_NAME_SIZE], const char *text);

#endif
