/* The launcher's own place in the system: its descriptors, its stack, and what its helpers keep of it. */
#ifndef RTRACK_LAUNCHER_PLACE_H
#define RTRACK_LAUNCHER_PLACE_H

#include "core/base.h"

/* Opens a placeholder for each standard descriptor that is closed: else a file of the launcher would get its number,
 * and messages would be written to that file. A placeholder can be neither read nor written, as a closed descriptor,
 * and is close-on-exec, so that in the command the descriptor is closed again. */
void place_fill_closed(void);

/* Closes the launcher's standard input and output. The command has copies of its own; the launcher's would keep pipes
 * from ending when the command closes them. */
void place_release_input_and_output(void);

/* Leaves the directory in which the launcher was started: else its file system could not be unmounted. */
void place_free_directory(void);

/* As fork, but the launcher goes on only when the helper has executed its program or has ended: until then it looks
 * like another launcher, which may belong to the job. */
int place_fork_to_execute(void);

/* Makes a forked helper leave its session, its directory and its descriptors; of signals, SIGTERM alone gets through.
 */
void place_leave(void);

/* The calling helper is killed when its parent ends. */
void place_die_with_parent(void);

/* The launcher's own death leaves no core. */
void place_forbid_core(void);

/* The path by which the launcher was executed; NULL: unknown. */
const char *place_given_path(void);

/* A file without a name, gone when no process has it open; negative: there is none. */
int place_memory_file(void);

/* Calls function(argument) and returns its result. Where the limit on the stack is small, which is meant for the
 * command, it runs on a stack of our own. */
int place_call_with_room(int (*function)(const void *argument), const void *argument);

/* A descriptor that can be neither read nor written, close-on-exec; negative: there is none. */
int place_open_placeholder(void);

#endif
