/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a run's page: its model, its history and its request.
 *
 * report/commands/html.c fills the struct, and the sections of the page read nothing else. Unknown numbers are UNKNOWN,
 * unknown strings are empty. */
#ifndef RTRACK_REPORT_PAGE_PAGE_H
#define RTRACK_REPORT_PAGE_PAGE_H

#include "report/history/history.h"
#include "report/model/model.h"

#include <stdio.h>

struct charts;
struct past;
struct recommendation;

enum { PAGE_COMMANDS_SHOWN = 100, PAGE_LINES_SHOWN = 20 }; /* further entries share one row */

struct page {
	/* model with PAGE_SECTIONS, of one run or of a group presented as one */
	const struct model *model;
	const struct history *history;               /* earlier runs of the job */
	const struct past *past;                     /* figures of this run and of earlier runs */
	const struct recommendation *recommendation; /* recommendation, or NULL if no run is usable for one */
	bool priced;                                 /* prices were requested */
	double waste_money;                          /* money requested but unused; UNKNOWN without prices */
	const char *waste_currency;
	const char *command, *labels;
	const char *assets;          /* folder with a site's style and script, or NULL if the page includes them */
	const char *over_time;       /* trusted markup on the runs of the job, or NULL */
	const struct charts *charts; /* set by page_write, as is `sections` */
	char *const *sections;       /* markup of each section in the table of run_page.c */
};

/* The parts of a model that the page shows. */
enum { PAGE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS | MODEL_LINES };

/* How the run ended, in a short phrase such as "out of memory". */
const char *page_outcome(const struct page *page);

/* Whether the page shows a group on several machines; a request then applies to each machine. */
bool page_has_machines(const struct page *page);

/* A figure of the machine, by its key in run.json's "server". */
double page_server(const struct page *page, const char *key);

/* Writes "5 processes", or "5 or more processes" if rows are missing. */
void page_write_process_count(FILE *out, const struct page *page, double count);

/* Writes the code lines at which memory grew before a moment, if they are known. */
void page_write_moment(FILE *out, const struct code_moment *of, const char *moment);

/* Sections of the page, called by run_page.c. Each writes nothing if it has no content. */
void page_write_header(FILE *out, const struct page *page);
void page_write_verdict(FILE *out, const struct page *page);
void page_write_lack(FILE *out, const struct page *page);
void page_write_output(FILE *out, const struct page *page);
void page_write_outlived(FILE *out, const struct page *page);
void page_write_unusual(FILE *out, const struct page *page);
void page_write_group(FILE *out, const struct page *page);
void page_write_postmortem(FILE *out, const struct page *page);
void page_write_request(FILE *out, const struct page *page);
void page_write_details(FILE *out, const struct page *page);
void page_write_earlier(FILE *out, const struct page *page);
void page_write_waste(FILE *out, const struct page *page);
void page_write_phases(FILE *out, const struct page *page);
void page_write_cpus(FILE *out, const struct page *page);
void page_write_parts(FILE *out, const struct page *page);
void page_write_marks(FILE *out, const struct page *page);
void page_write_programs(FILE *out, const struct page *page);
void page_write_lines(FILE *out, const struct page *page);
void page_write_flames(FILE *out, const struct page *page);

/* Writes phases, parts and marks for report/page/assets/charts.js. */
void page_write_course_data(FILE *out, const struct page *page);

/* Writes `,"places":[[TIME,"LABEL","COLOUR"],…]`: code lines at certain moments, for the memory chart; nothing if none
 * is known. */
void page_write_places(FILE *out, const struct page *page);

#endif
