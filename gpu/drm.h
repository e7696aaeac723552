/* SPDX-License-Identifier: Apache-2.0 */
/* GPUs of AMD (amdgpu) and Intel (i915, xe), read from their kernel drivers in /sys. Each client of such a driver
 * reports its usage in /proc/PID/fdinfo (kernel document gpu/drm-usage-stats.rst). */
#ifndef RTRACK_GPU_DRM_H
#define RTRACK_GPU_DRM_H

#include "gpu/poll.h"

/* Opens the devices. `root` is prepended to all paths: "" for this machine. `without_nvidia`: skips NVIDIA devices,
 * which NVML reports. Returns false if there are none. */
bool drm_open(const char *root, bool without_nvidia);

void drm_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
