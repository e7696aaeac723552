/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of a job over time: figures, medians, outliers, and the probable reason of each outlier.
 *
 * A run is an outlier in a figure that differs from the job's median by more than a factor of 1.5, and by more than
 * three times the usual distance. Distances are those of logarithms; the usual one is 1.4826 times their median, which
 * is the standard deviation if they are normal. A job that always varies thus has no outliers. Neither has one with
 * fewer than five finished runs. */
#ifndef RTRACK_REPORT_PAGE_TREND_H
#define RTRACK_REPORT_PAGE_TREND_H

#include "report/history/digest.h"
#include "report/say/units.h"

enum trend_figure { TREND_seconds, TREND_cpu, TREND_memory, TREND_waste, TREND_cost, TREND_FIGURES };

enum { TREND_SHOWN_LEAST = 3, TREND_ODD_LEAST = 5, TREND_WINDOW = 100 };

struct trend_run {
	char *name;      /* of its directory; owned */
	char *id;        /* owned */
	char *status;    /* owned; as `list` prints it */
	char *unit;      /* owned; the batch job that the run is part of, or "" */
	size_t spool;    /* position of its spool in the caller's list */
	size_t position; /* in the order of trend_add */
	double start_time;
	double figures[TREND_FIGURES]; /* s, CPU s, MiB, GiB-hours requested and not used, money; or UNKNOWN */
	enum use_end end;
	bool finished;     /* by use_finished */
	bool died;         /* the run itself ran out of memory, not only a process of it */
	bool over;         /* the run has ended */
	bool told;         /* the run has no page, since its row shows everything */
	bool within;       /* the run is part of another one, whose figures include it */
	bool asked_around; /* a run around it has a known request */
	double input_bytes, vcpus, throttled, limit_mib;
	unsigned odd;     /* a bit for each figure that is an outlier */
	char reason[160]; /* why it is an outlier or failed, or "" */
};

struct trend {
	struct trend_run *runs; /* the oldest first */
	size_t count;
	double medians[TREND_FIGURES]; /* of those that finished */
	char currency[8];              /* of the cost, or "" */
};

/* Appends the run of a digest. */
void trend_add(struct trend *trend, const struct digest *digest, const char *name, size_t spool);
/* Gives each run its cost, at the price of an hour. */
void trend_price(struct trend *trend, double price, const char *currency);
/* Whether a finished run is an outlier, or a process of it ran out of memory. */
bool trend_stands_out(const struct trend_run *run);
/* Sorts the runs by their start, and finds medians, outliers, and why. */
void trend_judge(struct trend *trend);
/* Removes runs that occur twice. Called after trend_judge, which sorts them. */
void trend_remove_twins(struct trend *trend);
void trend_free(struct trend *trend);

/* Reads the latest TREND_WINDOW runs of a job in the spool that has the run `directory`; none if the spool cannot be
 * read. */
void trend_read(struct trend *trend, const char *directory, const char *job);

/* "12 min 3 s", "3.1 GiB" and so on. `trend` supplies the currency, and may be NULL for other figures than the cost. */
struct figure trend_figure(const struct trend *trend, enum trend_figure figure, double value);
/* "Duration", "CPU time", … */
const char *trend_name(enum trend_figure figure);
/* "duration 2.3 times, peak memory 0.4 times" (the median) for the figures that are outliers, or "". */
void trend_describe(const struct trend *trend, const struct trend_run *run, char *text, size_t size);

#endif
