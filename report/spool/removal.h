/* Removing a run's directory, and nothing else: no live run, nothing that holds a file that is not rtrack's,
 * nothing through a symbolic link. */
#ifndef RTRACK_REPORT_SPOOL_REMOVAL_H
#define RTRACK_REPORT_SPOOL_REMOVAL_H

#include "report/spool/run.h"

enum removal {
	REMOVAL_DONE,    /* removed, or could be */
	REMOVAL_LIVE,    /* somebody samples it, its root is alive, or it was written to just now */
	REMOVAL_FOREIGN, /* no run's directory, or there is something else in it */
	REMOVAL_FAILED,  /* errno says why; what is left is still a run */
};

/* `spool` is the spool's descriptor, `name` the directory in it that `run` was opened from. `only_look`: nothing is
 * removed. *bytes is the size of the files. */
enum removal removal_try(int spool, const char *name, const struct run *run, bool only_look, double *bytes);

#endif
