/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of the processor packages, read from RAPL of Intel's and AMD's processors (kernel document power/powercap). */
#ifndef RTRACK_GPU_RAPL_H
#define RTRACK_GPU_RAPL_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the counters. Returns false if none is readable. `root` is prepended to all paths. */
bool rapl_open(const char *root);

/* Adds the increase of all counters. They wrap around after some minutes, so call it more often. */
void rapl_poll(void);

/* Returns the energy since rapl_open in microjoules. */
uint64_t rapl_uj(void);

#endif
