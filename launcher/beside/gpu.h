/* rtrack-gpu, the program that asks for GPUs and energy while a run goes on (gpu/main.c). */
#ifndef RTRACK_LAUNCHER_GPU_H
#define RTRACK_LAUNCHER_GPU_H

#include "sampler/sampler.h"

#include <sys/types.h>

/* After a tick: starts it where the sampler wants it, as a child of the launcher that is no member of the run. `nvml`:
 * as RTRACK_NVML says. It ends when the run does. */
void gpu_watch(struct sampler *sampler, const char *directory, const char *nvml);

/* The run is over: what rtrack-gpu still does is of no use. A driver may be in the middle of its first second, and the
 * launcher does not wait for that. */
void gpu_stop(void);

/* A child of the launcher has ended; true: it was rtrack-gpu, and has been reaped. */
bool gpu_reap(struct sampler *sampler, pid_t pid);

#endif
