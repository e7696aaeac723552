/* SPDX-License-Identifier: Apache-2.0 */
/* What each program of a run used at given times: the bands of a stack.
 *
 * The rows of member.csv of a tick are added up by program. A process that has no row in a tick held the memory of its
 * last row until it ended. What its exit record has of CPU time beyond its rows was used after the last of them, and is
 * spread evenly from there to its end: of a process too short to be sampled that is all of it, over its life. So the
 * bands agree with the bill. At the last time of a run that has ended, or the last few of one moment, no process lives.
 * Those rows tell of the processes that ended since the row before: they held what they held before, and up to their
 * peaks. Only the programs that matter most have a band, the others one together. */
#ifndef RTRACK_REPORT_MODEL_SHARES_H
#define RTRACK_REPORT_MODEL_SHARES_H

#include "report/model/model.h"

enum { SHARES_MAX = 6 };

/* The times at which shares are wanted, ascending, and where the tick of each began, or the stretch of several ticks of
 * which the mean is wanted. */
struct share_times {
	const double *times;
	const double *begins;
	const double *ticks; /* how many each stands for; NULL: one */
	size_t count;
	double tolerance; /* how far a tick may be from the time for which it stands */
};

struct shares {
	size_t count;                /* of bands */
	size_t programs[SHARES_MAX]; /* positions in the rows by program */
	double *cpu[SHARES_MAX + 1]; /* CPUs as sampled, by struct share_times `cpu`; the last: of all others; owned */
	double *spread[SHARES_MAX + 1]; /* CPUs by the exit records beyond that; owned */
	double *memory[SHARES_MAX];     /* MiB, by `memory`; owned */
	double *grown[SHARES_MAX];      /* MiB at most beyond that, of processes that ended since the last row; owned */
	bool any;                       /* some row of member.csv or some exit record tells of them */
};

/* Reads member.csv, of many runs that of each. The model has MODEL_PROGRAMS. */
void shares_read(struct shares *shares, const struct model *model, const struct share_times *cpu,
	const struct share_times *memory);
void shares_free(struct shares *shares);

#endif
