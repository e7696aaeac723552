/* SPDX-License-Identifier: Apache-2.0 */
/* Reads GPUs of AMD (amdgpu) and Intel (i915, xe) from their kernel drivers in /sys. A process that uses such a driver
 * has clients, whose usage is in /proc/PID/fdinfo (kernel document gpu/drm-usage-stats.rst). */
#ifndef RTRACK_GPU_DRM_H
#define RTRACK_GPU_DRM_H

#include "gpu/poll.h"

/* Opens the devices. `root` is prepended to all paths; it is "" except in tests. If `without_nvidia`, NVIDIA devices
 * are skipped, because NVML reports them. Returns false if there are no devices. */
bool drm_open(const char *root, bool without_nvidia);

void drm_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
