/* How the library gets into the command. */
#ifndef RTRACK_LAUNCHER_PRELOAD_H
#define RTRACK_LAUNCHER_PRELOAD_H

/* Puts the library first in LD_PRELOAD of the calling process' environment, for a command that execvp would find by
 * `name`. Changes nothing where the library is missing or cannot be loaded: the sampler then sees the run from outside
 * only. */
void preload_library(const char *name);

#endif
