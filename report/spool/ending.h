/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended that has no record of it.
 *
 * Under a bare LD_PRELOAD the root hosts the sampler, and both end together where no hook hears it: SIGKILL, the lack
 * of memory, an end by a system call of its own. run.json says "running" then. A report on the machine that it ran on
 * can tell, since the kernel knows no such process any more. */
#ifndef RTRACK_REPORT_SPOOL_ENDING_H
#define RTRACK_REPORT_SPOOL_ENDING_H

#include "core/spool.h"
#include "os/process.h"
#include "report/say/json.h"

#include <stdbool.h>

struct ending {
	const char *status; /* as run.json has it: finished, failed, killed, or unknown (ending_is_unheard) */
	double stop_time;   /* of the last word in the run */
	double exit_code;   /* UNKNOWN where it was not learnt; so is the signal of one that was killed, but of a zombie
			     */
	double exit_signal;
	bool last_tells; /* that an exec failed: what the root left is kept for that */
	bool lacks_rows; /* rtrack-run was killed: what came then was not sampled */
	enum killer killer;
};

/* Whether rtrack-run started the run. */
bool ending_is_launched(const cJSON *json);

/* In what follows `run` is the path of a run's directory, `directory` the same, open, and `json` its run.json.
 *
 * For a run that is "running" by its run.json: true, if its root is gone, that was on this machine, since its last boot
 * and in this PID namespace, and the run has no sampler any more; and how it ended. Without an exit record the root was
 * killed; but of one under rtrack-run that never spoke for itself (a static program) it is unknown.
 *
 * If the run is this user's, the rows that the root left behind are appended (os/last_word.h), and run.json is replaced
 * once all processes that announced themselves in it are gone as well, and nothing was written for two intervals. */
bool ending_find(struct ending *ending, const char *run, int directory, const cJSON *json);

/* Whether the root executed a program in which there is no library, or could not write down its end
 * (preload/linux/execs.c, sampler/run/end.c). */
bool ending_has_parted(int directory);

/* Whether the last program that the root of the run was is one of those that end unheard by the library; false where
 * its file cannot be read any more.
 *
 * A program that ends by its C library passes by a hook of the library, which leaves an exit record: a root that is
 * gone without one was killed. Some end by a system call of their own instead, and leave what a killed one leaves:
 * those of unheard.h. Some are there to become another program (`env -i job`), and of that one a row would be there
 * if the library were in it. It cannot be told then how such a root ended. A shell or another that becomes one of these
 * by exec leaves a mark before (SPOOL_PARTED_FILE), as does one that could not write down its end. */
bool ending_is_unheard(const char *run, int directory, const cJSON *json);

/* Whether a sampler has the run's lock; of a job that is stopped it writes nothing. */
bool ending_is_sampled(int directory);

/* Whether a run goes on although its run.json says how it ended: processes that its root left behind are followed, or
 * live on this machine while the run is not closed. */
bool ending_goes_on(const char *run, int directory, const cJSON *json);

/* Until when a run was sampled that is not closed, though its root has ended: others went on, or still do. UNKNOWN: it
 * is closed, or nothing can be read. */
double ending_sampled_until(int directory);

#endif
