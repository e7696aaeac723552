/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-run: descriptors, stack, core dumps, and what its helper processes inherit. */
#ifndef RTRACK_LAUNCHER_PLACE_H
#define RTRACK_LAUNCHER_PLACE_H

#include "core/base.h"

/* Opens a placeholder for each standard descriptor that is closed. Otherwise a file that rtrack-run opens would get
 * the number of that descriptor, and messages would be written to the file. A placeholder can be neither read nor
 * written. It is close-on-exec, so that the descriptor is closed in the command again. */
void place_fill_closed(void);

/* Closes stdin and stdout of rtrack-run after the command has got its own copies. Otherwise a pipe would stay open
 * in rtrack-run after the command has closed it. */
void place_release_input_and_output(void);

/* Changes the working directory to "/", so that the file system of the initial directory can be unmounted. */
void place_free_directory(void);

/* Like fork, but returns in rtrack-run only after the child has called exec or ended. Before its exec, the child
 * could be mistaken for an rtrack-run that belongs to the job. */
int place_fork_to_execute(void);

/* Called in a forked helper process. Starts a session, leaves the directory, closes descriptors, and blocks all
 * signals except SIGTERM. */
void place_leave(void);

/* Makes the kernel kill the calling helper process when its parent ends. */
void place_die_with_parent(void);

/* Prevents a core dump of rtrack-run. */
void place_forbid_core(void);

/* Returns the path by which rtrack-run was executed, or NULL if unknown. */
const char *place_given_path(void);

/* Creates an unnamed file, which exists as long as a process has it open. Returns a descriptor, or a negative value. */
int place_memory_file(void);

/* Calls function(argument) and returns its result. If the user has set a small stack limit for the command, the
 * function runs on a separate, larger stack. */
int place_call_with_room(int (*function)(const void *argument), const void *argument);

/* Opens a close-on-exec descriptor that can be neither read nor written. Returns a negative value on failure. */
int place_open_placeholder(void);

#endif
