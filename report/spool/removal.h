/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a run's directory. A live run is never removed, and neither is a directory that contains other programs'
 * files. Symbolic links are not followed. */
#ifndef RTRACK_REPORT_SPOOL_REMOVAL_H
#define RTRACK_REPORT_SPOOL_REMOVAL_H

#include "report/spool/run.h"

enum removal {
	REMOVAL_DONE, /* the directory was removed, or with `only_look`, could be removed */
	/* not removed, because the run has a sampler, its root is alive, or its files were written recently */
	REMOVAL_LIVE,
	REMOVAL_FOREIGN, /* not removed, because it is not a run's directory or contains other programs' files */
	REMOVAL_FAILED,  /* not removed, and errno has the reason; the files that remain are still a valid run */
};

/* Removes the directory `name` of `run` from the spool with the descriptor `spool`. With `only_look`, only checks
 * whether the directory could be removed. Stores the total size of its files in *bytes. */
enum removal removal_try(int spool, const char *name, const struct run *run, bool only_look, double *bytes);

#endif
