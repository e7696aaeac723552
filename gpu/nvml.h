/* NVIDIA's GPUs, by NVML. The library is loaded and never linked; its calls may take seconds. */
#ifndef RTRACK_GPU_NVML_H
#define RTRACK_GPU_NVML_H

#include "gpu/poll.h"

/* Loads `path`, or, if it is "", the library where it usually is. False: there is none, or it does not work. */
bool nvml_open(const char *path);

/* Appends NVIDIA's devices to the poll, each in the order of its index, also those that are lost. */
void nvml_poll(struct gpu_poll *poll, int64_t now_ns);

#endif
