/* What each program of a run used at given times, from member.csv: the bands of a stack.
 *
 * The rows of a tick are added up by program. A process that has no row in a tick used no CPU in it, and held the
 * memory of its last row until it ended. Only the programs that matter most have a band; the rest is the whole less
 * these bands, so it also holds processes too short to be sampled. */
#ifndef RTRACK_REPORT_FIGURES_SHARES_H
#define RTRACK_REPORT_FIGURES_SHARES_H

#include "report/figures/programs.h"

enum { SHARES_MAX = 6 };

/* The times at which shares are wanted, ascending. */
struct share_times {
	const double *times;
	size_t count;
	double tolerance; /* how far a tick may be from the time for which it stands */
};

struct shares {
	size_t count;                /* of bands */
	size_t programs[SHARES_MAX]; /* positions in struct programs */
	double *cpu[SHARES_MAX];     /* CPUs, by struct share_times `cpu`; owned */
	double *memory[SHARES_MAX];  /* MiB, by `memory`; owned */
	bool any;                    /* some row of member.csv was about one of them */
};

/* Returns 0, or -1 with errno when there is no memory. */
int shares_read(struct shares *shares, struct processes *processes, const struct programs *programs,
	const char *directory, const struct share_times *cpu, const struct share_times *memory);
void shares_free(struct shares *shares);

#endif
