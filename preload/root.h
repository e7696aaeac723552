/* SPDX-License-Identifier: Apache-2.0 */
/* The root of a run without rtrack-run: it creates the run and hosts its sampler, which is a thread on Linux. */
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

/* If this process hosts the sampler, ends the run with its last row. Returns the tracker's usage in this process
 * (COUNTER_COUNT counters), or NULL if it hosts no sampler. */
const uint64_t *root_end(int exit_code);

/* Returns the tracker's CPU time in the process that hosts the sampler, or 0 in other processes. */
uint64_t root_used_ns(void);

/* Returns whether this process hosts the sampler. */
bool root_has_sampler(void);

/* Records in the run that the root's end may be neither observed nor recorded, so that it is not mistaken for a
 * kill. */
void root_part(void);

/* Passes sampling to a keeper, a separate process, and stops the sampling thread. Call it before a call that fails
 * because of the thread (unshare), or that would leave the thread with rights that the host gives up (set*id). */
void root_leave(void);

/* root_rest ends the thread and keeps its state. root_go_on starts a new thread with that state. If nobody calls
 * root_go_on, root_end does. */
void root_rest(void);
void root_go_on(void);
bool root_rests(void);

/* Calls root_leave or root_rest before a call that the sampling thread would disturb. Returns true if root_go_on must
 * be called afterwards. */
bool root_step_aside(void);

/* Writes a row now and returns when it is written. Returns 0, or -1 if this process does not host the sampler. */
int root_flush(void);

/* Returns whether this process, which does not own the state, shares memory with the root that hosts the sampler. This
 * is so in a child of vfork, or of clone with CLONE_VM. */
bool root_is_shared(void);

/* Called in a child of fork(), which has no sampling thread. */
void root_forked(void);

/* -- common to all platforms -------------------------------------------------------------------------- */

/* Returns the directory passed to root_name, or created by root_make. */
const char *root_directory(void);
void root_name(const char *path);

/* Creates the run and calls root_name. Returns 0, or -1 on failure. It needs much stack, so call it in host_run. */
int root_make(const struct run_start *start);

/* Adds RTRACK_RUN with the directory to the environment. */
void root_tell(void);

#endif
