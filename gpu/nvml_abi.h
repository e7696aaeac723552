/* SPDX-License-Identifier: Apache-2.0 */
/* The part of NVML, NVIDIA's management library, that rtrack-gpu uses: types, values and functions (NVML API Reference
 * Guide).
 *
 * Each function is listed with its names, newest first. The version in a name determines the layout of the structures,
 * so each name is only called with its own layout. */
#ifndef RTRACK_GPU_NVML_ABI_H
#define RTRACK_GPU_NVML_ABI_H

#include <stdint.h>

enum nvml_result {
	NVML_OK = 0,
	NVML_UNINITIALIZED = 1,
	NVML_NOT_FOUND = 6,
	NVML_DRIVER_NOT_LOADED = 9,
	NVML_GPU_IS_LOST = 15,
	NVML_RM_VERSION_MISMATCH = 18
};

enum { NVML_TEMPERATURE_GPU = 0, NVML_CLOCK_SM = 1 };

/* Reasons for reduced clocks: power limit, hardware slowdown, heat, power supply. */
#define NVML_THROTTLED (0x4u | 0x8u | 0x20u | 0x40u | 0x80u)

#define NVML_NOT_AVAILABLE UINT64_MAX

struct nvml_utilization { /* percent */
	unsigned gpu;
	unsigned memory;
};

struct nvml_memory { /* Memory of a device in bytes. `used` includes memory that the driver reserves. */
	unsigned long long total;
	unsigned long long free;
	unsigned long long used;
};

struct nvml_memory_v2 {
	unsigned version;
	unsigned long long total;
	unsigned long long reserved;
	unsigned long long free;
	unsigned long long used;
};
#define NVML_MEMORY_V2 ((unsigned)sizeof(struct nvml_memory_v2) | 2u << 24)

struct nvml_process_v1 {
	unsigned pid;
	unsigned long long used; /* in bytes, or NVML_NOT_AVAILABLE */
};

struct nvml_process { /* layout for functions whose name ends in _v2 or _v3 */
	unsigned pid;
	unsigned long long used;
	unsigned gpu_instance;
	unsigned compute_instance;
};

struct nvml_process_sample {
	unsigned pid;
	unsigned long long time_us; /* since the epoch */
	unsigned sm;                /* percent */
	unsigned memory;
	unsigned encoder;
	unsigned decoder;
};

/* CALL(member, required, arguments, name, older name or NULL), once for each function. Every function returns an
 * nvml_result. */
#define NVML_CALLS(CALL)                                                                                               \
	CALL(init, 1, (void), "nvmlInit_v2", "nvmlInit")                                                               \
	CALL(shutdown, 1, (void), "nvmlShutdown", NULL)                                                                \
	CALL(count, 1, (unsigned *count), "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount")                               \
	CALL(handle, 1, (unsigned index, void **device), "nvmlDeviceGetHandleByIndex_v2",                              \
		"nvmlDeviceGetHandleByIndex")                                                                          \
	CALL(name, 0, (void *device, char *name, unsigned size), "nvmlDeviceGetName", NULL)                            \
	CALL(uuid, 0, (void *device, char *uuid, unsigned size), "nvmlDeviceGetUUID", NULL)                            \
	CALL(utilization, 0, (void *device, struct nvml_utilization *rates), "nvmlDeviceGetUtilizationRates", NULL)    \
	CALL(memory, 0, (void *device, struct nvml_memory *memory), "nvmlDeviceGetMemoryInfo", NULL)                   \
	CALL(memory_v2, 0, (void *device, struct nvml_memory_v2 *memory), "nvmlDeviceGetMemoryInfo_v2", NULL)          \
	CALL(power, 0, (void *device, unsigned *milliwatts), "nvmlDeviceGetPowerUsage", NULL)                          \
	CALL(energy, 0, (void *device, unsigned long long *millijoules), "nvmlDeviceGetTotalEnergyConsumption", NULL)  \
	CALL(temperature, 0, (void *device, int sensor, unsigned *celsius), "nvmlDeviceGetTemperature", NULL)          \
	CALL(clock, 0, (void *device, int type, unsigned *mhz), "nvmlDeviceGetClockInfo", NULL)                        \
	CALL(throttling, 0, (void *device, unsigned long long *reasons), "nvmlDeviceGetCurrentClocksEventReasons",     \
		"nvmlDeviceGetCurrentClocksThrottleReasons")                                                           \
	CALL(mig, 0, (void *device, unsigned *now, unsigned *pending), "nvmlDeviceGetMigMode", NULL)                   \
	CALL(compute, 0, (void *device, unsigned *count, struct nvml_process *processes),                              \
		"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2")                  \
	CALL(graphics, 0, (void *device, unsigned *count, struct nvml_process *processes),                             \
		"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2")                \
	CALL(compute_v1, 0, (void *device, unsigned *count, struct nvml_process_v1 *processes),                        \
		"nvmlDeviceGetComputeRunningProcesses", NULL)                                                          \
	CALL(graphics_v1, 0, (void *device, unsigned *count, struct nvml_process_v1 *processes),                       \
		"nvmlDeviceGetGraphicsRunningProcesses", NULL)                                                         \
	CALL(samples, 0,                                                                                               \
		(void *device, struct nvml_process_sample *samples, unsigned *count, unsigned long long since_us),     \
		"nvmlDeviceGetProcessUtilization", NULL)

#endif
