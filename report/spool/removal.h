/* SPDX-License-Identifier: Apache-2.0 */
/* Removing a run's directory, and nothing else: no live run, nothing that holds a file that is not rtrack's,
 * nothing through a symbolic link. */
#ifndef RTRACK_REPORT_SPOOL_REMOVAL_H
#define RTRACK_REPORT_SPOOL_REMOVAL_H

#include "report/spool/run.h"

enum removal {
	REMOVAL_DONE,    /* removed, or with `only_look` could be */
	REMOVAL_LIVE,    /* it has a sampler, its root is alive, or it was written to just now */
	REMOVAL_FOREIGN, /* no run's directory, or another program's files are in it */
	REMOVAL_FAILED,  /* errno says why; what is left is still a run */
};

/* Removes the directory `name`, from which `run` was opened, from the spool with the descriptor `spool`. `only_look`:
 * removes nothing. *bytes is the size of the files. */
enum removal removal_try(int spool, const char *name, const struct run *run, bool only_look, double *bytes);

#endif
