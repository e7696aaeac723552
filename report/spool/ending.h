/* SPDX-License-Identifier: Apache-2.0 */
/* Determines how a run ended if the run did not record its end.
 *
 * Under a bare LD_PRELOAD, the sampler is a thread of the root. Nobody records the end of a root that ends without
 * calling a hook of the library: by SIGKILL, out of memory, or by a direct system call. The status in run.json then
 * remains "running". A report on the same machine detects that the process no longer exists. */
#ifndef RTRACK_REPORT_SPOOL_ENDING_H
#define RTRACK_REPORT_SPOOL_ENDING_H

#include "core/spool.h"
#include "os/process.h"
#include "report/say/json.h"
#include "report/spool/files.h"

#include <stdbool.h>

struct ending {
	const char *status; /* status as in run.json: finished, failed, killed, or unknown */
	double stop_time;   /* time of the run's last record */
	double exit_code;   /* code and signal are UNKNOWN if not recorded; a zombie root still has its signal */
	double exit_signal;
	bool last_tells; /* files that the root left show that its exec failed */
	bool lacks_rows; /* rows are missing, because rtrack-run was killed and nothing was sampled afterwards */
	enum killer killer;
};

/* Whether rtrack-run started the run. */
bool ending_is_launched(const cJSON *json);

/* In the functions below, `json` is the run.json of the run with these files.
 *
 * ending_find checks a run with the status "running". It returns true and sets *ending if three conditions hold: the
 * root has ended; it ran on this machine, since its last boot and in this PID namespace; and no sampler is active. A
 * root without an exit record was killed. If rtrack-run started a root that wrote no record at all (a static program),
 * its end is unknown.
 *
 * If the run belongs to this user, the rows that the root left behind are appended (os/last_word.h). run.json is
 * replaced once all processes of the run have ended and nothing was written for two intervals. */
bool ending_find(struct ending *ending, const struct files *files, const cJSON *json);

/* Whether the root's last program may end without a hook being called; false if its file can no longer be read.
 *
 * A program that ends through the C library calls a hook of our library, which writes an exit record. A root without
 * one was therefore killed, with two exceptions. Some programs end by a direct system call and leave no record either
 * (unheard_is). Others only execute another program (`env -i job`), which has a row only if it has the library. The end
 * of such a root is unknown. A shell that becomes one of these by exec writes a mark first (SPOOL_PARTED_FILE), as does
 * a root that could not record its end. */
bool ending_is_unheard(const struct files *files, const cJSON *json);

/* Whether a sampler holds the run's lock. The sampler of a stopped job holds it without writing. */
bool ending_is_sampled(const struct files *files);

/* Whether a run continues although run.json has its end. Processes that the root left behind are then still sampled, or
 * still alive on this machine in a run that is not closed. */
bool ending_goes_on(const struct files *files, const cJSON *json);

/* Returns the time of the last sample of a run that is not closed. While other processes live, sampling continues after
 * the root's end. UNKNOWN if the run is closed or cannot be read. */
double ending_sampled_until(const struct files *files);

/* -- unheard.c --------------------------------------------------------------------------------------- */

/* Whether the program at `path` can end or call exec without calling a hook of the library. False if the owner of the
 * run cannot read its file. Results are cached by path. */
bool unheard_is(const struct files *files, const char *path);

#endif
