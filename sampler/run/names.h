/* SPDX-License-Identifier: Apache-2.0 */
/* Finds runs, and the run of a process. `directory` is the absolute path of a run's directory. */
#ifndef RTRACK_SAMPLER_RUN_NAMES_H
#define RTRACK_SAMPLER_RUN_NAMES_H

#include "core/spool.h"
#include "os/process.h"

/* Returns the run id, the last component of the path. */
struct text run_id(const char *directory);

/* run_announce registers process `root` as the root of the run in `directory`. run_unannounce removes the link. */
void run_announce(const char *directory, struct process_id root);
void run_unannounce(const char *directory);

/* run_note_unrecorded leaves a note in os_volatile_directory if the end of a run could not be recorded in its
 * directory: the spool may become writable again, and the root would then seem to have been killed. run_is_unrecorded
 * returns whether there is such a note. rtrack-report removes it. */
void run_note_unrecorded(const char *directory);
bool run_is_unrecorded(const char *directory);

/* Writes the path of this user's directory of links. Returns 0, or an error if no trustworthy directory exists. */
enum { RUN_NOTE_MAX = 64 };
int run_notes(char path[RUN_NOTE_MAX]);

/* Reads the link `path`, relative to the directory `at`. Returns 0 or -1. The texts of `note` point into `target`. */
int run_read_note(int at, const char *path, char target[SPOOL_PATH_MAX], struct spool_note *note);

/* Returns whether `directory`, a value of RTRACK_RUN, is a run's directory of this user. */
bool run_is_ours(const char *directory);

/* Returns whether the run has not ended. */
bool run_goes_on(const char *directory);

/* Returns whether the run has not ended and this process may write its own records. A process whose pid is different in
 * the sampler's PID namespace may not, because only the sampler records such a process. This check is unnecessary if
 * the sampler has announced itself in start.csv (os_holder). */
bool run_is_open(const char *directory);

/* Returns the number that identifies the run's task (sampler/run/task.h). Returns 0 if the run has no task or has
 * ended. */
uint64_t run_task(const char *directory);

/* Returns whether a sampler has locked the run's lock file. */
bool run_is_sampled(const char *directory);

/* Finds a run for a process without RTRACK_RUN in its environment. Appends the directory of the run whose root is
 * process `pid`. If `pid` is not a root, its nearest ancestor that is one is used. Returns false if there is none. */
bool run_find_ancestor(struct buffer *out, int pid);

#endif
