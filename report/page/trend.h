/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a job over time: figures, medians, outliers, and a probable reason for each outlier.
 *
 * A run is an outlier if a figure differs from the job's median by more than a factor of 1.5 and by more than three
 * typical deviations. Deviations are measured on logarithms. The typical one is 1.4826 times their median, which for a
 * normal distribution is the standard deviation. A job that always varies therefore has no outliers, nor has one with
 * fewer than five finished runs. */
#ifndef RTRACK_REPORT_PAGE_TREND_H
#define RTRACK_REPORT_PAGE_TREND_H

#include "report/history/digest.h"
#include "report/say/units.h"

enum trend_figure { TREND_seconds, TREND_cpu, TREND_memory, TREND_waste, TREND_cost, TREND_FIGURES };

enum { TREND_SHOWN_LEAST = 3, TREND_ODD_LEAST = 5, TREND_WINDOW = 100 };

struct trend_run {
	char *name; /* name of the run's directory; owned */
	char *id;   /* owned */
	char *page; /* name of the run's page in a site; owned */
	struct run_identity identity;
	char *status;    /* status in the form that `list` prints; owned */
	char *unit;      /* batch job that contains the run, or ""; owned */
	size_t spool;    /* index of the run's spool in the caller's list */
	size_t position; /* number of earlier calls of trend_add */
	double start_time;
	double figures[TREND_FIGURES]; /* seconds, CPU seconds, MiB, unused GiB-hours, money; or UNKNOWN */
	enum use_end end;
	bool finished;                  /* result of use_finished */
	bool died;                      /* the run itself ran out of memory, not just one of its processes */
	bool over;                      /* the run has ended */
	bool told;                      /* the run has no page of its own, because its table row shows everything */
	const struct trend_run *around; /* the run of the site that contains this run, or NULL */
	bool asked_around;              /* a run that contains this run has a known request */
	double input_bytes, vcpus, throttled, limit_mib;
	unsigned odd;     /* bit mask of the figures that are outliers */
	char reason[160]; /* why the run is an outlier or failed, or "" */
};

struct trend {
	struct trend_run *runs; /* oldest first */
	size_t count;
	double medians[TREND_FIGURES]; /* over the finished runs */
	char currency[8];              /* currency of the cost, or "" */
};

/* Appends the run of a digest. `page` is the name of the run's page in a site. The trend takes ownership of `page`. */
void trend_add(struct trend *trend, const struct digest *digest, const char *name, size_t spool, char *page);
/* Sets the cost of each run. `price` is a price per hour. */
void trend_price(struct trend *trend, double price, const char *currency);
/* Returns true if a finished run is an outlier, or if one of its processes ran out of memory. */
bool trend_stands_out(const struct trend_run *run);
/* Sorts the runs by start time. Finds the medians, the outliers, and a reason for each outlier. */
void trend_judge(struct trend *trend);
/* Removes duplicates of runs, which exist if a spool was given twice. Call this function after
 * trend_judge, which sorts the runs. */
void trend_remove_twins(struct trend *trend);
void trend_free(struct trend *trend);

/* Reads the latest TREND_WINDOW runs of the same job in the spool of the model's run. Reads no runs if the spool cannot
 * be read. The model must meet the requirements of digest_of_model. */
void trend_read(struct trend *trend, const struct model *model);

/* Formats a value such as "12 min 3 s" or "3.1 GiB". `trend` has the currency of the cost, and may be NULL for other
 * figures. */
struct figure trend_figure(const struct trend *trend, enum trend_figure figure, double value);
/* Returns the name of a figure, such as "Duration" or "CPU time". */
const char *trend_name(enum trend_figure figure);
/* Formats the figures that are outliers, relative to the median: "duration 2.3 times, peak memory 0.4 times". The text
 * is "" if no figure is an outlier. */
void trend_describe(const struct trend *trend, const struct trend_run *run, char *text, size_t size);

#endif
