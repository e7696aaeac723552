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
	char *page; /* name of its page in a site; owned */
	struct run_identity identity;
	char *status;    /* status as `list` prints it; owned */
	char *unit;      /* owned; the batch job that contains the run, or "" */
	size_t spool;    /* index of its spool in the caller's list */
	size_t position; /* number of the trend_add call, counted from 0 */
	double start_time;
	double figures[TREND_FIGURES]; /* s, CPU s, MiB, GiB-hours requested but unused, money; or UNKNOWN */
	enum use_end end;
	bool finished;     /* result of use_finished */
	bool died;         /* the run itself ran out of memory, not merely one of its processes */
	bool over;         /* the run has ended */
	bool told;         /* the run has no page, because its row shows everything */
	bool within;       /* the run is included in another one */
	bool asked_around; /* a run that contains it has a known request */
	double input_bytes, vcpus, throttled, limit_mib;
	unsigned odd;     /* a bit per figure that is an outlier */
	char reason[160]; /* why it is an outlier or failed, or "" */
};

struct trend {
	struct trend_run *runs; /* oldest first */
	size_t count;
	double medians[TREND_FIGURES]; /* over the finished runs */
	char currency[8];              /* currency of the cost, or "" */
};

/* Appends the run of a digest. `page` is the name of its page in a site, which it owns from then on. */
void trend_add(struct trend *trend, const struct digest *digest, const char *name, size_t spool, char *page);
/* Sets the cost of each run from the price per hour. */
void trend_price(struct trend *trend, double price, const char *currency);
/* Whether a finished run is an outlier, or a process of it ran out of memory. */
bool trend_stands_out(const struct trend_run *run);
/* Sorts the runs by start, and finds medians, outliers, and their reasons. */
void trend_judge(struct trend *trend);
/* Removes runs that are the same directory, because a spool was given twice. Call it after trend_judge, which sorts
 * them. */
void trend_remove_twins(struct trend *trend);
void trend_free(struct trend *trend);

/* Reads the latest TREND_WINDOW runs of the run's job in its spool; none if the spool cannot be read. */
void trend_read(struct trend *trend, const struct run *run);

/* Formats "12 min 3 s", "3.1 GiB" and so on. `trend` supplies the currency, and may be NULL for figures other than the
 * cost. */
struct figure trend_figure(const struct trend *trend, enum trend_figure figure, double value);
/* The name of a figure, such as "Duration" or "CPU time". */
const char *trend_name(enum trend_figure figure);
/* Formats the outlying figures relative to the median, "duration 2.3 times, peak memory 0.4 times", or "". */
void trend_describe(const struct trend *trend, const struct trend_run *run, char *text, size_t size);

#endif
