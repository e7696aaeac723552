/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the command load the library. */
#ifndef RTRACK_LAUNCHER_PRELOAD_H
#define RTRACK_LAUNCHER_PRELOAD_H

/* Adds the library to the beginning of LD_PRELOAD in this process's environment, for the command that execvp finds
 * as `name`. Does nothing if the library is missing or not loadable. In that case the sampler observes the run from
 * outside. */
void preload_library(const char *name);

#endif
