/* Where the other parts of rtrack are, and how the library gets into the command. */
#ifndef RTRACK_LAUNCHER_LIBRARY_H
#define RTRACK_LAUNCHER_LIBRARY_H

#include "core/base.h"

/* Puts the library in front of LD_PRELOAD in the calling process' environment, for a command that execvp would find by
 * `name`. Leaves it as it is where the library is missing or cannot be loaded: the sampler then sees the run
 * from outside only. */
void library_preload(const char *name);

/* The path of `program` in the launcher's own directory, or `program` itself, to be looked up in PATH.
 * `path` has SPOOL_PATH_MAX bytes. */
const char *library_find_program(char *path, const char *program);

#endif
