/* The charts of the page: their figures as markup, and their thinned lines as JSON. */
#ifndef RTRACK_REPORT_PAGE_CHARTS_H
#define RTRACK_REPORT_PAGE_CHARTS_H

#include "report/page/model.h"

struct html_charts;

/* The columns of `table` that are drawn, and its timestamp, as a mask: bit n is column n. */
uint64_t html_charts_columns(enum table_id table);

/* Summarizes every line. NULL with errno when there is no memory. The model must outlive the result. */
struct html_charts *html_charts_make(const struct html_model *model);
void html_charts_free(struct html_charts *charts);

/* CPU, memory and the timeline of the processes, which the bill by command stands under. */
void html_charts_write_main(FILE *out, const struct html_charts *charts);

/* A <figure> for each other chart that has figures, and a line that names those that have none. */
void html_charts_write(FILE *out, const struct html_charts *charts);

/* The object that report/page/assets/charts.js reads. */
void html_charts_write_data(FILE *out, const struct html_charts *charts);

/* One sentence on the thinning for the foot of the page; nothing when nothing was thinned. */
void html_charts_write_note(FILE *out, const struct html_charts *charts);

#endif
