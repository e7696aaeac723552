/* The launcher's own place in the system: its descriptors, its stack, and what its helpers keep of it. */
#ifndef RTRACK_LAUNCHER_PLACE_H
#define RTRACK_LAUNCHER_PLACE_H

#include "core/base.h"

/* Were a standard descriptor closed, our own files would take its number, and messages would end up in
 * them. A place holder that cannot be read or written acts like a closed descriptor, and is one again in
 * the command, since it is close-on-exec. */
void place_fill_closed(void);

/* The command has its own copies of standard input and output; ours would keep the other ends of its pipes waiting. */
void place_release_input_and_output(void);

/* Parts with all that a forked helper was given: its session, its directory and its descriptors. */
void place_leave(void);

/* The calling helper is killed when its parent ends. */
void place_die_with_parent(void);

/* The path by which the launcher was executed; NULL: unknown. */
const char *place_given_path(void);

/* A file without a name, gone when nobody has it open; negative: there is none. */
int place_memory_file(void);

/* Calls function(argument), on a stack of our own where the limit on the stack, which is meant for the command, is
 * small; returns what it returns. */
int place_call_with_room(int (*function)(const void *argument), const void *argument);

#endif
