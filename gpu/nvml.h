/* SPDX-License-Identifier: Apache-2.0 */
/* Reads NVIDIA GPUs with NVML. The library is loaded at run time. Its calls may take seconds. */
#ifndef RTRACK_GPU_NVML_H
#define RTRACK_GPU_NVML_H

#include "gpu/poll.h"

/* Loads the library at `path`. If `path` is "", loads it from the places where drivers install it. Returns false if the
 * library is missing or does not work. */
bool nvml_open(const char *path);

/* Appends all NVIDIA devices to the poll, including lost ones, in the order of their indices. */
void nvml_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
