/* Where runs are, and which run a process belongs to. `directory` is a run's, absolute. */
#ifndef RTRACK_SAMPLER_RUN_NAMES_H
#define RTRACK_SAMPLER_RUN_NAMES_H

#include "core/spool.h"
#include "os/process.h"

/* The run id in its directory's path. */
struct text run_id(const char *directory);

/* Notes that process `root` roots the run in `directory`; run_unannounce removes the note. */
void run_announce(const char *directory, struct process_id root);
void run_unannounce(const char *directory);

/* The directory of this user's notes: 0, or why there is none to trust. */
enum { RUN_NOTE_MAX = 64 };
int run_notes(char path[RUN_NOTE_MAX]);

/* Reads a note, the link `path` in `at`: 0, or -1. Its texts are in `target`. */
int run_read_note(int at, const char *path, char target[SPOOL_PATH_MAX], struct spool_note *note);

/* Whether `directory` (a value of RTRACK_RUN) is a run's directory of this user. */
bool run_is_ours(const char *directory);

/* Whether the run has not come to its end. */
bool run_goes_on(const char *directory);

/* Whether the run goes on, and its sampler knows this process by the pid that the process has for itself. In a PID
 * namespace below the sampler's, pids are different: a process there is seen only from outside, and must not write
 * records of itself. Where the sampler holds start.csv (os_holder), that says as much, and need not be asked here. */
bool run_is_open(const char *directory);

/* What tells the task of the run from others (sampler/run/task.h); 0: it is in none, or has ended. */
uint64_t run_task(const char *directory);

/* Whether a sampler holds the run's lock. */
bool run_is_sampled(const char *directory);

/* Appends the directory of the run that process `pid` or the nearest of its ancestors roots, for a process that
 * lost RTRACK_RUN from its environment. False: there is none. */
bool run_find_ancestor(struct buffer *out, int pid);

#endif
