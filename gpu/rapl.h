/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the energy of the processor packages from the RAPL counters of Intel's and AMD's processors (kernel document
 * power/powercap). */
#ifndef RTRACK_GPU_RAPL_H
#define RTRACK_GPU_RAPL_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the counters. `root` is prepended to all paths. Returns false if no counter is readable. */
bool rapl_open(const char *root);

/* Adds the increase of all counters. Call this at least once per minute, because the counters wrap around after some
 * minutes. */
void rapl_poll(void);

/* Returns the energy since rapl_open in microjoules. */
uint64_t rapl_uj(void);

#endif
