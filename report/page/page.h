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
struct inner_jobs;
struct past;
struct recommendation;
struct site;
struct trend_run;

enum { PAGE_COMMANDS_SHOWN = 100, PAGE_LINES_SHOWN = 20 }; /* maximum number of rows; the others share one row */

struct page {
	/* model of a run, or of a group that is shown as one run; it has the parts in PAGE_SECTIONS */
	const struct model *model;
	const struct history *history;               /* earlier runs of the job */
	const struct inner_jobs *inner_jobs;         /* runs inside the run, summed by job */
	const struct past *past;                     /* figures of this run and of earlier runs */
	const struct recommendation *recommendation; /* NULL if no run is usable for a recommendation */
	bool priced;                                 /* prices were requested */
	double waste_money; /* cost of requested but unused resources; UNKNOWN without prices */
	const char *waste_currency;
	const char *command, *labels;
	const char *assets;      /* folder with the style and script of a site, or NULL if the page includes both */
	const struct site *site; /* the site of the page, or NULL */
	const struct trend_run *place; /* the run in the site, or NULL */
	const char *over_time;         /* trusted markup that shows the job's runs over time, or NULL */
	const struct charts *charts;   /* set by page_write */
	char *const *sections;         /* markup of each section in the table of run_page.c; set by page_write */
};

/* The parts of a model that the page shows. */
enum { PAGE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS | MODEL_LINES };

/* Returns a short phrase such as "out of memory" for how the run ended. */
const char *page_outcome(const struct page *page);

/* Returns true if the page shows a group on several machines. Each machine then needs the requested CPUs and memory. */
bool page_has_machines(const struct page *page);

/* Returns a figure of the machine. `key` is its key in the object "server" of run.json. */
double page_server(const struct page *page, const char *key);

/* Writes "5 processes", or "5 or more processes" if rows are missing. */
void page_write_process_count(FILE *out, const struct page *page, double count);

/* Writes the code lines at which memory grew. `moment` is a phrase such as "at the peak". Writes nothing if no line is
 * known. */
void page_write_moment(FILE *out, const struct code_moment *of, const char *moment);

/* Writes `text`, which names a run of the same site, as a link to the run's page. Writes only the text if `run` is NULL
 * or has no page. */
void page_write_run(FILE *out, const struct trend_run *run, const char *text);

/* Writes how the run ended, and after which time, without the final period. */
void page_write_outcome(FILE *out, const struct page *page);

/* Each function writes a warning for the first screen. Returns true if there was one. */
bool page_write_outlived(FILE *out, const struct page *page);
bool page_write_waits(FILE *out, const struct page *page);
bool page_write_unusual(FILE *out, const struct page *page);

/* Each function writes a section of the page, or nothing if the section has no content. run_page.c calls them. */
void page_write_header(FILE *out, const struct page *page);
void page_write_verdict(FILE *out, const struct page *page);
void page_write_lack(FILE *out, const struct page *page);
void page_write_next(FILE *out, const struct page *page);
void page_write_usage(FILE *out, const struct page *page);
void page_write_group(FILE *out, const struct page *page);
void page_write_tasks(FILE *out, const struct page *page);
void page_write_postmortem(FILE *out, const struct page *page);
void page_write_basis(FILE *out, const struct page *page);
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

/* Writes `,"places":[[TIME,"LABEL","COLOUR"],…]`: the code lines that the memory chart labels, and their times. Writes
 * nothing if no line is known. */
void page_write_places(FILE *out, const struct page *page);

#endif
