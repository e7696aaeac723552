/* GPUs of other makers, by what their drivers tell the kernel: AMD's (amdgpu) and Intel's (i915, xe), in /sys, and what
 * each client of such a driver tells in /proc/PID/fdinfo (kernel document gpu/drm-usage-stats.rst). */
#ifndef RTRACK_GPU_DRM_H
#define RTRACK_GPU_DRM_H

#include "gpu/poll.h"

/* `root` is put before all paths: "" for this machine. `without_nvidia`: NVML tells of those. False: there is none. */
bool drm_open(const char *root, bool without_nvidia);

void drm_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
