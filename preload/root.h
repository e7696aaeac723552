/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a run without rtrack-run. The root creates the run and hosts the run's sampler, which is a thread on
 * Linux. */
#ifndef RTRACK_PRELOAD_ROOT_H
#define RTRACK_PRELOAD_ROOT_H

#include "core/settings.h"

struct run_start;

/* Creates a run, adds RTRACK_RUN to the environment and starts the sampler. Returns the run's directory, or NULL on
 * failure. */
const char *root_begin(const struct run_start *start);

/* Adds RTRACK_RUN=`directory` to the environment, for descendants. Returns the directory. */
const char *root_hand_on(const char *directory);

/* Resumes the sampler after the run's root has executed another program. Does nothing if a sampler is running. */
void root_resume(const char *directory, const struct settings *settings);

/* If this process hosts the sampler, writes the last row of the run and ends the run. Returns the tracker's usage in
 * this process (COUNTER_COUNT counters), or NULL if it hosts no sampler. */
const uint64_t *root_end(int exit_code);

/* Clears the state after the end of the run, so that root_begin can be called again. */
void root_reset(void);

/* Returns the tracker's CPU time in the process that hosts the sampler, or 0 in other processes. */
uint64_t root_used_ns(void);

/* Returns whether this process hosts the sampler. */
bool root_has_sampler(void);

/* Records that the end of the root may be neither observed nor recorded, so that readers do not take a missing exit
 * record for a kill. */
void root_part(void);

/* Passes sampling to a keeper, a separate process, and stops the sampling thread. Call it before a call that fails
 * because of the thread (unshare), or after which the thread would keep rights that the host gives up (set*id). */
void root_leave(void);

/* root_rest ends the thread and keeps the sampler's state. root_go_on starts a new thread with that state. root_end
 * calls root_go_on if the thread has not been restarted. */
void root_rest(void);
void root_go_on(void);
bool root_rests(void);

/* Calls root_leave or root_rest before a call that the sampling thread would disturb. Returns true if root_go_on must
 * be called afterwards. */
bool root_step_aside(void);

/* Makes the sampler write a row and waits until the row is written. Returns 0, or -1 if this process does not host
 * the sampler. */
int root_flush(void);

/* Returns whether this process shares the memory of the root that hosts the sampler. A child of vfork does, and so
 * does a child of clone with CLONE_VM. Call it only in a process that does not own the state. */
bool root_is_shared(void);

/* Called in a child of fork(), because the child has no sampling thread. */
void root_forked(void);

/* -- common to all platforms -------------------------------------------------------------------------- */

/* Returns the directory passed to root_name, or created by root_make. */
const char *root_directory(void);
void root_name(const char *path);

/* Creates the run and calls root_name. Returns 0, or -1 on failure. The function needs much stack, so the caller
 * must run it on one of the library's stacks. */
int root_make(const struct run_start *start);

/* Adds RTRACK_RUN with the directory to the environment. */
void root_tell(void);

#endif
