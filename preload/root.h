/* The root of a run under a bare LD_PRELOAD: it makes the run and hosts its sampler. */
#ifndef RTRACK_PRELOAD_ROOT_H
#define RTRACK_PRELOAD_ROOT_H

#include "core/settings.h"

struct run_start;

/* Makes a run, adds RTRACK_RUN to the environment and starts the sampler. Returns the run's directory,
 * or NULL when there can be none. */
const char *root_begin(const struct run_start *start);

/* Adds RTRACK_RUN=`directory` to the environment, for descendants; returns the directory. */
const char *root_hand_on(const char *directory);

/* Takes the sampler up again in another image of the run's root; harmless where one is running. */
void root_resume(const char *directory, const struct settings *settings);

/* Ends the run with its last row, if this process hosts its sampler. Returns what the tracker used in
 * this process (COUNTER_COUNT figures), or NULL if it hosts none. */
const uint64_t *root_end(int exit_code);

/* CPU time that the tracker used until now in the process that hosts the sampler; 0 in others. */
uint64_t root_used_ns(void);

/* Whether this process hosts the sampler. */
bool root_hosts(void);

/* From here on the end of the root may not be heard, or not be written down: a mark in the run says so, so that no
 * reader takes that for a kill. */
void root_part(void);

/* Leaves sampling to a process of its own, and this process without our thread: before a call that the thread would
 * change (unshare), or that would leave it with what the host gives up (set*id). */
void root_leave(void);

/* Ends the thread and keeps what it knows; root_go_on starts another with it. At the run's end the latter is done where
 * it was not before. */
void root_rest(void);
void root_go_on(void);
bool root_rests(void);

/* Before a call of that kind: one of the two; true: root_go_on is to be called after it. */
bool root_step_aside(void);

/* Writes a row now, and comes back when it is written; -1: this process does not host the sampler. */
int root_flush(void);

/* In a process that the state in memory does not speak of: whether it has that memory in common with the root, which
 * hosts the sampler (a child of vfork, or of clone with CLONE_VM). */
bool root_is_shared(void);

/* In a child that fork() made: there is no thread in it. */
void root_forked(void);

/* -- what the platforms have in common -------------------------------------------------------------- */

/* The directory of the run that root_name or root_make was called with. */
const char *root_directory(void);
void root_name(const char *path);

/* Makes the run and names it; -1: it could not be made. Needs a stack of its own. */
int root_make(const struct run_start *start);

/* Adds RTRACK_RUN, with the directory, to the environment. */
void root_tell(void);

#endif
