/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of the processor packages from the kernel's power capping interface (kernel document power/powercap): RAPL of
 * Intel's and AMD's processors. */
#ifndef RTRACK_GPU_RAPL_H
#define RTRACK_GPU_RAPL_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the counters. Returns false if none is readable. `root`: as in drm.h. */
bool rapl_open(const char *root);

/* Adds the increase of all counters. Call it more often than they wrap around, which takes some minutes. */
void rapl_poll(void);

/* Returns the energy since rapl_open in microjoules. */
uint64_t rapl_uj(void);

#endif
