/* SPDX-License-Identifier: Apache-2.0 */
/* The charts of the page: their figures as markup, and their thinned lines as JSON. */
#ifndef RTRACK_REPORT_PAGE_CHARTS_H
#define RTRACK_REPORT_PAGE_CHARTS_H

#include "report/page/page.h"

struct charts;

/* A mask of the columns of `table` that are drawn, and of its timestamp: bit n is column n. */
uint64_t charts_columns(enum table_id table);

/* Summarizes every line. The page must outlive the result. */
struct charts *charts_make(const struct page *page);
void charts_free(struct charts *charts);

/* Writes CPUs, memory and GPUs, and the timeline of the processes. */
void charts_write_main(FILE *out, const struct page *page);
void charts_write_lives(FILE *out, const struct page *page);

/* Writes a <figure> for each other chart with figures, and a line that names the charts without. */
void charts_write(FILE *out, const struct page *page);

/* Writes the object that report/page/assets/charts.js reads. */
void charts_write_data(FILE *out, const struct page *page);

/* Writes a sentence on the thinning for the foot of the page; nothing if no ticks were thinned. */
void charts_write_note(FILE *out, const struct page *page);

#endif
