/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a run's directory, but never a live run, a directory with foreign files, or anything through a symbolic
 * link. */
#ifndef RTRACK_REPORT_SPOOL_REMOVAL_H
#define RTRACK_REPORT_SPOOL_REMOVAL_H

#include "report/spool/run.h"

enum removal {
	REMOVAL_DONE,    /* removed; with `only_look`, it could be removed */
	REMOVAL_LIVE,    /* the run has a sampler, its root is alive, or it was written to recently */
	REMOVAL_FOREIGN, /* not a run's directory, or it contains other programs' files */
	REMOVAL_FAILED,  /* errno has the reason; the remaining files are still a run */
};

/* Removes the directory `name` of `run` from the spool with descriptor `spool`. With `only_look`, removes nothing.
 * *bytes is the total size of the files. */
enum removal removal_try(int spool, const char *name, const struct run *run, bool only_look, double *bytes);

#endif
