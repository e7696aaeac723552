/* SPDX-License-Identifier: Apache-2.0 */
/* Finds runs, and the run of a process. `directory`: the run's absolute path. */
#ifndef RTRACK_SAMPLER_RUN_NAMES_H
#define RTRACK_SAMPLER_RUN_NAMES_H

#include "core/spool.h"
#include "os/process.h"

/* Returns the run id in the directory's path. */
struct text run_id(const char *directory);

/* run_announce registers process `root` as the root of the run in `directory`; run_unannounce removes the link. */
void run_announce(const char *directory, struct process_id root);
void run_unannounce(const char *directory);

/* Writes the path of this user's directory of links. Returns 0, or an error if there is no trustworthy one. */
enum { RUN_NOTE_MAX = 64 };
int run_notes(char path[RUN_NOTE_MAX]);

/* Reads the link `path` in `at`. Returns 0 or -1. The texts of `note` point into `target`. */
int run_read_note(int at, const char *path, char target[SPOOL_PATH_MAX], struct spool_note *note);

/* Returns whether `directory` (a value of RTRACK_RUN) is a run's directory of this user. */
bool run_is_ours(const char *directory);

/* Returns whether the run has not ended. */
bool run_goes_on(const char *directory);

/* Returns whether the run has not ended, and its sampler sees this process under the pid that the process itself has.
 * In a nested PID namespace, pids differ: such a process is observed only from outside and must not write its own
 * records. If the sampler holds start.csv (os_holder), this check is unnecessary. */
bool run_is_open(const char *directory);

/* Returns the number of the run's task (sampler/run/task.h), or 0 if it has no task or has ended. */
uint64_t run_task(const char *directory);

/* Returns whether a sampler holds the run's lock. */
bool run_is_sampled(const char *directory);

/* Appends the directory of the run whose root is process `pid` or its nearest ancestor, for a process without
 * RTRACK_RUN in its environment. Returns false if there is none. */
bool run_find_ancestor(struct buffer *out, int pid);

#endif
