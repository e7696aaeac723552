/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the library into the command. */
#ifndef RTRACK_LAUNCHER_PRELOAD_H
#define RTRACK_LAUNCHER_PRELOAD_H

/* Adds the library to the beginning of LD_PRELOAD in the calling process's environment, for a command that execvp would
 * find as `name`. Does nothing if the library is missing or not loadable; the sampler then observes the run from
 * outside. */
void preload_library(const char *name);

#endif
