/* What the page of a run shows: its model, and what stands beside it.
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

enum { PAGE_COMMANDS_SHOWN = 100, PAGE_LINES_SHOWN = 20 }; /* of more, the others are one row */

struct page {
	const struct model *model;                   /* with PAGE_SECTIONS, of one run or of many as one */
	const struct history *history;               /* the earlier runs of the job */
	const struct past *past;                     /* this run's figures, and those of each of its history */
	const struct recommendation *recommendation; /* NULL: no run tells enough for one */
	bool priced;                                 /* prices were asked for */
	double waste_money;                          /* UNKNOWN: there are no prices */
	const char *waste_currency;
	const char *command, *labels;
	const char *assets;    /* the folder of a site's style and script, from the page; NULL: they are in the page */
	const char *over_time; /* a section on the runs of the job, trusted markup; NULL: none */
	const struct charts *charts; /* made by page_write, as the next */
	char *const *sections;       /* the markup of each, by the table of write.c */
};

/* What of a model the page shows. */
enum { PAGE_SECTIONS = MODEL_PROGRAMS | MODEL_COURSE | MODEL_STATS | MODEL_LINES };

/* How it ended, in a word or three: "out of memory". */
const char *page_outcome(const struct page *page);

/* Whether it is of a group on several machines: a request is for each. */
bool page_has_machines(const struct page *page);

/* A figure of the machine by its key in run.json's "server". */
double page_server(const struct page *page, const char *key);

/* "5 processes", or "5 or more processes" where rows are missing. */
void page_write_process_count(FILE *out, const struct page *page, double count);

/* Which lines made the memory grow until a moment; nothing where it is unknown. */
void page_write_moment(FILE *out, const struct code_moment *of, const char *moment);

/* What report/page/write.c puts together. */
void page_write_header(FILE *out, const struct page *page);
void page_write_answer(FILE *out, const struct page *page);
void page_write_lack(FILE *out, const struct page *page);
void page_write_output(FILE *out, const struct page *page);
void page_write_outlived(FILE *out, const struct page *page);
void page_write_unusual(FILE *out, const struct page *page);
void page_write_postmortem(FILE *out, const struct page *page);
void page_write_next(FILE *out, const struct page *page);
void page_write_cards(FILE *out, const struct page *page);
void page_write_past(FILE *out, const struct page *page);
void page_write_waste(FILE *out, const struct page *page);
void page_write_phases(FILE *out, const struct page *page);
void page_write_cpus(FILE *out, const struct page *page);
void page_write_parts(FILE *out, const struct page *page);
void page_write_marks(FILE *out, const struct page *page);
void page_write_commands(FILE *out, const struct page *page);
void page_write_lines(FILE *out, const struct page *page);
void page_write_flames(FILE *out, const struct page *page);

/* Phases, parts and marks for report/page/assets/charts.js. */
void page_write_phases_data(FILE *out, const struct page *page);
void page_write_parts_data(FILE *out, const struct page *page);
void page_write_marks_data(FILE *out, const struct page *page);

/* `,"places":[[TIME,"LABEL","COLOUR"],…]`: lines of code at moments, for the chart of memory; nothing where none is
 * known. */
void page_write_places(FILE *out, const struct page *page);

#endif
