/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of the page: HTML for their values, and JSON for their thinned lines. */
#ifndef RTRACK_REPORT_PAGE_CHARTS_H
#define RTRACK_REPORT_PAGE_CHARTS_H

#include "report/page/page.h"

struct charts;

/* Bit mask of the columns of `table` that are drawn, plus its timestamp. */
uint64_t charts_columns(enum table_id table);

/* Computes the summary of every line. The page must outlive the result. */
struct charts *charts_make(const struct page *page);
void charts_free(struct charts *charts);

/* Write the main charts (CPUs, memory and GPUs) and the timeline of the processes. */
void charts_write_main(FILE *out, const struct page *page);
void charts_write_lives(FILE *out, const struct page *page);

/* Writes a <figure> for each other chart that has values, and a line that names the charts without values. */
void charts_write(FILE *out, const struct page *page);

/* Writes the object that report/page/assets/charts.js reads. */
void charts_write_data(FILE *out, const struct page *page);

/* Writes a sentence about the thinning for the page's footer; nothing if no ticks were thinned. */
void charts_write_note(FILE *out, const struct page *page);

#endif
