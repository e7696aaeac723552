/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of the page: HTML with their values, and JSON with their lines. */
#ifndef RTRACK_REPORT_PAGE_CHARTS_H
#define RTRACK_REPORT_PAGE_CHARTS_H

#include "report/page/page.h"

struct charts;

/* Returns the columns of `table` that the charts need, as a bit mask that includes the timestamp. */
uint64_t charts_columns(enum table_id table);

/* Computes the summary of every line. The page must outlive the result. */
struct charts *charts_make(const struct page *page);
void charts_free(struct charts *charts);

/* Write the main charts (CPUs, memory and GPUs) and the timeline of the processes. */
void charts_write_main(FILE *out, const struct page *page);
void charts_write_lives(FILE *out, const struct page *page);

/* Writes a <figure> for each other chart with values, and a line that names the charts without values. */
void charts_write(FILE *out, const struct page *page);

/* Writes the JSON object that report/page/assets/charts.js reads. */
void charts_write_data(FILE *out, const struct page *page);

/* Writes a sentence for the page's footer about how ticks were thinned. Writes nothing if no ticks were thinned. */
void charts_write_note(FILE *out, const struct page *page);

#endif
