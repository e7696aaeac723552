/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the means of all polls of a tick, for rows of gpu.csv and for the record that the sampler reads. */
#ifndef RTRACK_GPU_TICK_H
#define RTRACK_GPU_TICK_H

#include "gpu/poll.h"
#include "os/gpu.h"

/* Adds a poll to the current tick. */
void tick_add(const struct gpu_poll *poll);

/* Ends the tick. Appends its rows to gpu.csv in the run's directory `at`, unless the file has reached `limit` bytes.
 * Fills the sums and the uses of the record. */
void tick_end(int at, uint64_t limit, struct gpu_record *record);

#endif
