/* What the records of a run may lack: CPU time and peaks that no account tells.
 *
 * A process that says nothing of its end, or whose last word came before its end, is still in the account of who reaped
 * it (RUSAGE_CHILDREN of a member, wait4 of rtrack-run), and what that reaper used in the account of his own reaper. So
 * nothing is missing of a process from which such a chain leads to an account that was told. None does where the reaper
 * is outside of the run, where one of the chain ignored SIGCHLD, and where one ended unheard. */
#ifndef RTRACK_REPORT_MODEL_GAPS_H
#define RTRACK_REPORT_MODEL_GAPS_H

#include "report/model/at_once.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"

#define GAPS_LEAST_SECONDS 0.0003 /* that a process takes which nobody saw */

struct gaps {
	double cpu_seconds; /* that may be missing, at most; INFINITY: nothing bounds it */
	double teardown;    /* the part of it that no process could tell: what its own end cost */
	bool overlooked; /* who says nothing may have left children whom nobody saw, or one who was seen by nobody may
			  */
	bool let_go;  /* who was seen by nobody may have ignored SIGCHLD, and only the control group has its children:
		       * all others in the PID namespace are rtrack-run's, and who is outside waits for it */
	bool unended; /* the run is over, and somebody's end is not known: the kernel ends a PID namespace with its
		       * first process, and a root may go on when it has said how it ends */
	double largest_mib;   /* the largest peak that some process may have had; INFINITY: nothing bounds it */
	struct peaks *most;   /* of each process, at most; owned. INFINITY */
	struct peaks *likely; /* of each process, as far as they are known or likely; owned. UNKNOWN own_mib */
};

/* fork lends a child its parent's memory, and the first program that it executes is told of that. What it had more than
 * its parent ever had it had itself, before it became that program: it gets that for a peak. Of the root nobody knows
 * the parent. */
void gaps_settle_peaks(const struct run *run, struct processes *processes);

/* Gives a process the peak that only the account of who reaped it has. `stop`: when the run ended; `last_rss_mib`: what
 * was resident then, or UNKNOWN. Returns 0, or -1 with errno when there is no memory; nothing is to be freed then. */
int gaps_find(struct gaps *gaps, const struct run *run, struct processes *processes, double stop, double last_rss_mib);

void gaps_free(struct gaps *gaps);

#endif
