/* How the library gets into the command. */
#ifndef RTRACK_LAUNCHER_PRELOAD_H
#define RTRACK_LAUNCHER_PRELOAD_H

/* Puts the library in front of what the dynamic loader loads first, in the calling process' environment, for a command
 * that execvp would find by `name`. Leaves it as it is where the library is missing or cannot be loaded: the sampler
 * then sees the run from outside only. */
void preload_library(const char *name);

#endif
