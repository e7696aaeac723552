/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-gpu, the program that reads GPUs and energy counters during a run (gpu/main.c). */
#ifndef RTRACK_LAUNCHER_GPU_H
#define RTRACK_LAUNCHER_GPU_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* Starts rtrack-gpu after a tick if the sampler wants it. rtrack-gpu is a child of rtrack-run, but not part of the
 * run, and ends with the run. `nvml`: value of RTRACK_NVML. */
void gpu_watch(struct sampler *sampler, const char *directory, const char *nvml);

/* Kills rtrack-gpu after the run. rtrack-run does not wait for its end, because a driver may delay the end by a
 * second. */
void gpu_stop(void);

/* Called when a child of rtrack-run has ended. If it is rtrack-gpu, reaps it and returns true. */
bool gpu_reap(struct sampler *sampler, pid_t pid);

#endif
