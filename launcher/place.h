/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher's own process environment: descriptors, stack, core dumps, and what its helpers inherit. */
#ifndef RTRACK_LAUNCHER_PLACE_H
#define RTRACK_LAUNCHER_PLACE_H

#include "core/base.h"

/* Opens a placeholder for each closed standard descriptor. Otherwise a file of the launcher would get its number, and
 * messages would be written to that file. A placeholder can be neither read nor written, like a closed descriptor. It
 * is close-on-exec, so that the descriptor is closed in the command. */
void place_fill_closed(void);

/* Closes the launcher's standard input and output. The command has its own copies; open copies in the launcher would
 * keep pipes from ending when the command closes them. */
void place_release_input_and_output(void);

/* Leaves the directory in which the launcher was started, so that its file system can be unmounted. */
void place_free_directory(void);

/* As fork, but returns in the launcher only after the helper has called exec or ended. Until then, the helper looks
 * like another launcher that may belong to the job. */
int place_fork_to_execute(void);

/* In a forked helper: leaves its session, directory and descriptors, and blocks all signals except SIGTERM. */
void place_leave(void);

/* Makes the kernel kill the calling helper when its parent ends. */
void place_die_with_parent(void);

/* Prevents a core dump of the launcher. */
void place_forbid_core(void);

/* Returns the path by which the launcher was executed, or NULL if unknown. */
const char *place_given_path(void);

/* Creates an unnamed file, which vanishes when no process has it open. Returns a descriptor, or a negative value. */
int place_memory_file(void);

/* Calls function(argument) and returns its result. If the stack limit is small, as intended for the command, the
 * function runs on a stack of our own. */
int place_call_with_room(int (*function)(const void *argument), const void *argument);

/* Opens a close-on-exec descriptor that can be neither read nor written. Returns a negative value on failure. */
int place_open_placeholder(void);

#endif
