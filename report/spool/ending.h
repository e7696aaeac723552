/* SPDX-License-Identifier: Apache-2.0 */
/* Determines how a run ended if the run did not record its end.
 *
 * Under a bare LD_PRELOAD, the sampler is a thread of the root. If the root ends without calling a hook of the library,
 * nobody records its end. This happens if the root is killed by SIGKILL (for example by the OOM killer), or if it ends
 * by a direct system call. The status in run.json then remains "running", and only a report on the same machine can
 * find that the process no longer exists. */
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
	/* exit_code and exit_signal are UNKNOWN if they were not recorded and the root is not a zombie */
	double exit_code;
	double exit_signal;
	bool last_tells; /* files in the run's directory show that an exec of the root failed */
	bool lacks_rows; /* rows are missing, because nothing was sampled after rtrack-run was killed */
	enum killer killer;
};

/* Returns whether rtrack-run started the run. */
bool ending_is_launched(const cJSON *json);

/* In the functions below, `json` is the run.json of the run with these files.
 *
 * ending_find examines a run with the status "running". It returns true and sets *ending if the root has ended and no
 * sampler is active. The run must have been on this machine, since its last boot and in this PID namespace. A root
 * without an exit record was killed. If rtrack-run started the root and the root wrote no record at all, its end is
 * unknown, because it may be a static program.
 *
 * If the run belongs to this user, ending_find also appends the rows that the root prepared before its end
 * (os/last_word.h). It replaces run.json after all processes of the run have ended and nothing was written for two
 * intervals. */
bool ending_find(struct ending *ending, const struct files *files, const cJSON *json);

/* Returns whether the root's last program may end without calling a hook of our library. Returns false if the program's
 * file can no longer be read.
 *
 * A program that ends through the C library calls a hook, which writes an exit record. A root without an exit record
 * was therefore killed, with two exceptions. Some programs end by a direct system call and never write a record
 * (unheard_is). Others only execute another program (`env -i job`), which writes records only if it loads the library.
 * In both cases, the end of the root is unknown. A shell that executes such a program first creates SPOOL_PARTED_FILE,
 * and so does a root that could not record its end. */
bool ending_is_unheard(const struct files *files, const cJSON *json);

/* Returns whether a sampler holds the run's lock. While a job is stopped (SIGSTOP), its sampler holds the lock but
 * writes no rows. */
bool ending_is_sampled(const struct files *files);

/* Returns whether a run continues after the end that run.json records. This is the case if a sampler still holds the
 * run's lock, or if a process of the run is still alive on this machine. */
bool ending_goes_on(const struct files *files, const cJSON *json);

/* Returns the time of the last sample if the run has a lock file. Sampling can continue after the root's end, as long
 * as other processes of the run are alive. Returns UNKNOWN if the run has no lock file or no readable sample. */
double ending_sampled_until(const struct files *files);

/* -- unheard.c --------------------------------------------------------------------------------------- */

/* Returns whether the program at `path` can end or call exec without calling a hook of the library. Returns false if
 * the owner of the run cannot read the program's file. The result for the last path is cached. */
bool unheard_is(const struct files *files, const char *path);

/* -- unrecorded.c ------------------------------------------------------------------------------------ */

/* Opens the directory of a user's notes (SPOOL_NOTES). Returns -1 if it does not exist or belongs to another user. */
int unrecorded_open(uid_t user);

/* unrecorded_is returns whether there is a note that the end of the run could not be written to its spool.
 * unrecorded_remove removes the note. */
bool unrecorded_is(const struct files *files);
void unrecorded_remove(const struct files *files);

#endif
