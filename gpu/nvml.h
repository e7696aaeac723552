/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA GPUs, read with NVML. The library is loaded at run time; its calls may take seconds. */
#ifndef RTRACK_GPU_NVML_H
#define RTRACK_GPU_NVML_H

#include "gpu/poll.h"

/* Loads `path`, or, if it is "", the library from its usual places. Returns false if it is missing or does not work. */
bool nvml_open(const char *path);

/* Appends NVIDIA's devices to the poll in the order of their indices, including lost ones. */
void nvml_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
