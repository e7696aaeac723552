/* What the page shows of a run, independent of where it was read from.
 *
 * report/commands/html.c fills it from a run's directory; the sections of the page read nothing else. Texts and columns
 * belong to the caller that filled it. An unknown number is UNKNOWN, an unknown text is empty. */
#ifndef RTRACK_REPORT_PAGE_PAGE_H
#define RTRACK_REPORT_PAGE_PAGE_H

#include "core/columns.h"
#include "report/model/outcome.h"
#include "report/model/energy.h"

#include <stdio.h>

struct page_table {
	size_t rows;
	const double *columns[COLUMNS_MAX]; /* as in the table's file; NULL: the file has no such column */
};

struct page_use {
	double mean;
	double peak;
};

/* One run's statistics, or those of several. */
struct page_stats {
	struct page_use cpu; /* CPUs */
	struct page_use memory_mib;
	struct page_use gpu;  /* GPUs */
	struct page_use gpus; /* GPUs in use */
	struct page_use vram_mib;
	double disk_space_gb;
	double received;
	double sent;
};

struct processes;
struct programs;
struct bill;
struct marks;
struct parts;
struct past;
struct cpu_prices;
struct phases;
struct postmortem;
struct recommendation;

enum { PAGE_COMMANDS_SHOWN = 100 }; /* of more, the others are one row */

struct page {
	struct text job, id, command, labels, cwd, user, host, mode, version;
	const char *status;       /* finished, failed, killed, running, interrupted or unknown; trusted markup */
	const char *outcome;      /* a word or three: "out of memory" */
	char outcome_text[256];   /* what happened, up to the duration */
	const char *outcome_word; /* before the duration: "after" */
	char silence[64];         /* of one that runs, behind the duration: "; no row for 7 s", or "" */
	double start_time, stop_time, interval;

	struct text os, gpu_name, allocation, cloud, instance_type, region;
	double vcpus, memory_mib, gpu_count, gpu_memory_mib;
	struct memory_limit limit; /* what the peak of memory is to be judged by */

	double wall_seconds, cpu_seconds, user_seconds, system_seconds, peak_memory_mib, processes;
	double peak_memory_at_most_mib, peak_memory_together_mib, peak_process_memory_mib;
	bool memory_is_rss;       /* and not PSS */
	bool processes_are_least; /* rows are missing */
	bool peaks_are_known;
	bool has_two_peaks; /* what all would have had if all had peaked at once is told, too */
	bool peak_is_least; /* of all processes together: between two ticks they may have had more */
	double read_bytes, write_bytes;
	const struct totals *totals;
	char exactness[160];         /* what the totals may lack; "" for nothing */
	const char *missing_records; /* why some are missing; NULL: none are known to be */

	struct page_stats stats;
	struct page_stats history;
	double history_runs;
	double history_seconds;                      /* their mean duration */
	const struct past *past;                     /* this run's figures, and those of each of its history */
	const struct recommendation *recommendation; /* NULL: no run tells enough for one */
	bool priced;                                 /* prices were asked for */
	double waste_money;                          /* UNKNOWN: there are no prices */
	const char *waste_currency;
	const struct phases *phases;
	const struct cpu_prices *cpu_prices;
	char cpu_waits[256]; /* what slowed it; "" for nothing */
	const struct postmortem *postmortem;
	const struct marks *marks;
	const struct parts *parts;
	const char *members;   /* a section on the runs of a group, trusted markup; NULL: it is of a run */
	const char *over_time; /* a section on the runs of the job, likewise */

	struct page_table tables[TABLE_COUNT]; /* system and process */

	/* What the stacks and the timeline are made of. member.csv is read from the `sources`, as which of its ticks
	 * are drawn is known only on the way. NULL: no process is known. */
	struct processes *process_list;
	const struct bill *bill;         /* the programs, and the difference to the totals */
	const struct programs *programs; /* in the order of the bill */
	const struct share_source *sources;
	size_t source_count;
};

/* "5 processes", or "5 or more processes" where rows are missing. */
void page_write_process_count(FILE *out, const struct page *page, double count);

/* The sections, in the order of report/page/assets/page.html. */
void page_write_header(FILE *out, const struct page *page);
void page_write_postmortem(FILE *out, const struct page *page);
void page_write_outlived(FILE *out, const struct page *page);
void page_write_unusual(FILE *out, const struct page *page);
void page_write_next(FILE *out, const struct page *page);
void page_write_cards(FILE *out, const struct page *page);
void page_write_past(FILE *out, const struct page *page);
void page_write_waste(FILE *out, const struct page *page);
void page_write_phases(FILE *out, const struct page *page);
void page_write_cpus(FILE *out, const struct page *page);
void page_write_parts(FILE *out, const struct page *page);
void page_write_marks(FILE *out, const struct page *page);
void page_write_commands(FILE *out, const struct page *page);

/* Phases and marks for report/page/assets/charts.js. */
void page_write_phases_data(FILE *out, const struct page *page);
void page_write_marks_data(FILE *out, const struct page *page);

#endif
