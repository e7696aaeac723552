/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a run's page: its model, its history and its request.
 *
 * report/commands/html.c fills the struct; the sections of the page read nothing else. An unknown number is UNKNOWN, an
 * unknown text is empty. */
#ifndef RTRACK_REPORT_PAGE_PAGE_H
#define RTRACK_REPORT_PAGE_PAGE_H

#include "report/history/history.h"
#include "report/model/model.h"

#include <stdio.h>

struct charts;
struct past;
struct recommendation;

enum { PAGE_COMMANDS_SHOWN = 100, PAGE_LINES_SHOWN = 20 }; /* all further ones share a row */

struct page {
	const struct model *model;                   /* with PAGE_SECTIONS; of one run, or of a group as one */
	const struct history *history;               /* earlier runs of the job */
	const struct past *past;                     /* figures of this run and of each earlier one */
	const struct recommendation *recommendation; /* or NULL if no run suffices for one */
	bool priced;                                 /* prices were requested */
	double waste_money;                          /* or UNKNOWN without prices */
	const char *waste_currency;
	const char *command, *labels;
	const char *assets;          /* the folder of a site's style and script, or NULL if the page has them */
	const char *over_time;       /* trusted markup on the runs of the job, or NULL */
	const struct charts *charts; /* made by page_write, as is the next */
	char *const *sections;       /* markup of each section in the table of run_page.c */
};

/* The parts of a model that the page shows. */
enum { PAGE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS | MODEL_LINES };

/* How the run ended, in one to three words: "out of memory". */
const char *page_outcome(const struct page *page);

/* Whether the page is of a group on several machines; a request is then for each of them. */
bool page_has_machines(const struct page *page);

/* A figure of the machine, by its key in run.json's "server". */
double page_server(const struct page *page, const char *key);

/* "5 processes", or "5 or more processes" if rows are missing. */
void page_write_process_count(FILE *out, const struct page *page, double count);

/* Names the lines of code that made the memory grow until a moment, if known. */
void page_write_moment(FILE *out, const struct code_moment *of, const char *moment);

/* The parts of the page, which run_page.c puts together. Each writes nothing if it has no content. */
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

/* Phases, parts and marks for report/page/assets/charts.js. */
void page_write_course_data(FILE *out, const struct page *page);

/* `,"places":[[TIME,"LABEL","COLOUR"],…]`: lines of code at moments, for the chart of memory; nothing if none is known.
 */
void page_write_places(FILE *out, const struct page *page);

#endif
