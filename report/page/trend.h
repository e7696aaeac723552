/* The runs of a job over time: how each figure went, which runs are outliers, and what is likely to be the reason.
 *
 * A run is an outlier in a figure that is further from the job's median than half as much again, and than three times
 * the usual distance (1.4826 medians of the distances of the logarithms, as a normal spread has them): a job that
 * always varies is not called odd for it. If fewer than five runs finished, none is called odd. */
#ifndef RTRACK_REPORT_PAGE_TREND_H
#define RTRACK_REPORT_PAGE_TREND_H

#include "report/history/digest.h"
#include "report/say/units.h"

enum trend_figure { TREND_seconds, TREND_cpu, TREND_memory, TREND_waste, TREND_cost, TREND_FIGURES };

enum { TREND_SHOWN_LEAST = 3, TREND_ODD_LEAST = 5, TREND_WINDOW = 100 };

struct trend_run {
	char *name;      /* of its directory; owned */
	char *id;        /* owned */
	char *status;    /* owned: as the list has it */
	char *unit;      /* owned: spool/unit.h; "" */
	size_t spool;    /* where it lies: a position that the caller knows */
	size_t position; /* in the order in which they were added */
	double start_time;
	double figures[TREND_FIGURES]; /* s, CPU s, MiB, GiB-hours that were asked for and not used, money; UNKNOWN */
	enum use_end end;
	bool finished;     /* of use_finished */
	bool died;         /* for lack of memory: not only a process of it */
	bool over;         /* it has ended */
	bool told;         /* its row says all of it, and it has no page */
	bool within;       /* it ran in another one of these, which has its figures as well */
	bool asked_around; /* of report/model/nest.h */
	double input_bytes, vcpus, throttled, limit_mib;
	unsigned odd;     /* a bit for each figure that is an outlier */
	char reason[160]; /* of what is odd, or why it failed; "" */
};

struct trend {
	struct trend_run *runs; /* the oldest first */
	size_t count;
	double medians[TREND_FIGURES]; /* of those that finished */
	char currency[8];              /* of the cost; "": there is none */
};

/* Appends what a digest tells. Returns 0, or -1 when there is no memory. */
int trend_add(struct trend *trend, const struct digest *digest, const char *name, size_t spool);
/* Gives each run its cost, at the price of an hour. */
void trend_price(struct trend *trend, double price, const char *currency);
/* Whether a run that finished is an outlier, or lost a process to the lack of memory. */
bool trend_stands_out(const struct trend_run *run);
/* Sorts the runs by their start, and finds medians, outliers, and why. */
void trend_judge(struct trend *trend);
/* A run that is there twice stays once, after they have been sorted. */
void trend_remove_twins(struct trend *trend);
void trend_free(struct trend *trend);

/* The latest TREND_WINDOW runs of a job in the spool of `directory`, a run of it. Returns 0, or -1 when there is no
 * memory; a spool that cannot be read has none. */
int trend_read(struct trend *trend, const char *directory, const char *job);

/* "12 min 3 s", "3.1 GiB" and so on; `trend` is that of a cost, which has its currency. */
struct figure trend_figure(const struct trend *trend, enum trend_figure figure, double value);
/* "Duration", "CPU time", … */
const char *trend_name(enum trend_figure figure);
/* "duration 2.3 times, peak memory 0.4 times" the median, of what is odd; "" where nothing is. */
void trend_describe(const struct trend *trend, const struct trend_run *run, char *text, size_t size);

#endif
