/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-gpu, the program that reads GPUs and energy counters during a run (gpu/main.c). */
#ifndef RTRACK_LAUNCHER_GPU_H
#define RTRACK_LAUNCHER_GPU_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* Starts rtrack-gpu after a tick if the sampler wants it, as a child of the launcher that is not a member of the run.
 * `nvml`: value of RTRACK_NVML. rtrack-gpu ends with the run. */
void gpu_watch(struct sampler *sampler, const char *directory, const char *nvml);

/* Kills rtrack-gpu after the run, because its results are no longer needed. A driver may need another second to finish,
 * and the launcher does not wait for that. */
void gpu_stop(void);

/* Called when a child of the launcher has ended. Returns true if it was rtrack-gpu, which is then reaped. */
bool gpu_reap(struct sampler *sampler, pid_t pid);

#endif
