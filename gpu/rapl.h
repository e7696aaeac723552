/* Energy of the processor packages, by the kernel's power capping interface (kernel document power/powercap): RAPL, of
 * Intel's processors and of AMD's. */
#ifndef RTRACK_GPU_RAPL_H
#define RTRACK_GPU_RAPL_H

#include <stdbool.h>
#include <stdint.h>

/* False: there is no counter that we may read. `root` as in drm.h. */
bool rapl_open(const char *root);

/* Adds what all counters grew by. To be called more often than they start anew, which is every few minutes at most. */
void rapl_poll(void);

/* Since rapl_open, in microjoules. */
uint64_t rapl_uj(void);

#endif
