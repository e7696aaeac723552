/* A group: the runs of one job on several nodes, in one spool or in several, and what they used together. */
#ifndef RTRACK_REPORT_GROUP_GROUP_H
#define RTRACK_REPORT_GROUP_GROUP_H

#include "report/figures/totals.h"
#include "report/group/sum.h"

/* One run of it. */
struct part {
	struct run run;
	double rank; /* UNKNOWN: not told */
	struct totals totals;
	size_t host; /* a position in `hosts` */
	bool around; /* another part runs inside it, whose figures it has as well: it counts in no figure */
	bool slow;   /* a straggler: its time or its CPU time is a quarter above the median of all, and more than 1 s */
	bool unfinished; /* it was killed, failed, or nobody knows how it ended */
};

/* One machine of it. What is the machine's is of the run that was there longest, and so counts once. */
struct group_host {
	const char *name;
	size_t parts;
	double cpu_seconds;
	double peak_memory_mib; /* of its parts together */
	double longest;         /* s: of the run that the following is of */
	double vcpus;
	double machine_memory_mib;
	double received_bytes;
	double sent_bytes;
};

/* The largest over the mean; 1 is balanced, UNKNOWN where there is no mean. */
struct imbalance {
	double cpu;
	double memory;
	double time;
};

struct group {
	const char *id;
	struct part *parts; /* by rank, then by start */
	size_t count;
	size_t counted; /* that are around nobody */
	struct group_host *hosts;
	size_t host_count;
	struct sum sum;
	struct totals totals; /* of all: their sums, and the peak of what they held at one moment */
	double peak_sum_mib;  /* sum of the peaks of all, whenever they were: no peak is above */
	double start_time, stop_time;
	/* Between the first and the last. Clocks that differ make both the same amount larger, so the smaller one is
	 * the most that they can differ if all parts began and ended together. */
	double start_spread, stop_spread;
	struct imbalance imbalance;
	double of;       /* ranks that there should be; UNKNOWN: not told */
	double *missing; /* ranks of which there is no run */
	size_t missing_count;
};

/* Reads the runs of group `id` in these spools. Returns 0; or -1 after a message, when there is none as well. */
int group_read(struct group *group, const char *id, const char *const *spools, size_t spool_count);
void group_free(struct group *group);

#endif
