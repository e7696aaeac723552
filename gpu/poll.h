/* SPDX-License-Identifier: Apache-2.0 */
/* One poll of all GPUs of every vendor. Each source (nvml.h, drm.h) fills its devices. A figure is UNKNOWN if the
 * source does not report it, or reports an impossible value. */
#ifndef RTRACK_GPU_POLL_H
#define RTRACK_GPU_POLL_H

#include "core/number.h"

enum { GPU_DEVICES_MAX = 128, GPU_PROCESSES_MAX = 512, GPU_TEXT_MAX = 96 };

/* A process that uses a device. */
struct gpu_process {
	int pid;
	double usage; /* share of the device, 0 to 1 */
	double vram_mib;
};

struct gpu_device {
	char uuid[GPU_TEXT_MAX];
	char name[GPU_TEXT_MAX];
	double usage; /* 0 to 1 */
	double vram_mib;
	double vram_total_mib;
	double power_w;
	double energy_wh; /* since the previous poll */
	double temperature_c;
	double clock_mhz;
	double throttled; /* clocks are reduced: 1 or 0 */
	bool told;        /* `processes` is complete, with pids of our PID namespace */
	size_t count;
	struct gpu_process processes[GPU_PROCESSES_MAX];
};

/* All devices of one poll. The index of a device is the same in every poll. */
struct gpu_poll {
	size_t count;
	struct gpu_device devices[GPU_DEVICES_MAX];
};

/* Makes all figures of a device unknown, but keeps its names. */
void gpu_device_clear(struct gpu_device *device);

/* Returns the next free device of a poll, cleared, or NULL if there are too many. */
struct gpu_device *gpu_poll_add(struct gpu_poll *poll);

/* Returns the process of a device with this pid, adding it if necessary, or NULL if there are too many. */
struct gpu_process *gpu_device_process(struct gpu_device *device, int pid);

/* Returns `value`, or UNKNOWN if it is not between 0 and `most`. Drivers sometimes report absurd values. */
double gpu_sane(double value, double most);

/* Copies a name from a driver: printable ASCII, truncated to the buffer. Uses `otherwise` if nothing is left. */
void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise);

/* Energy of a device. Reading NVIDIA's counter takes milliseconds of CPU time (docs/gpu.md), so it is read only every
 * few seconds. In between, power × time is reported, which is corrected at the next reading. */
struct gpu_energy {
	double joules;   /* counter at its last reading */
	double told;     /* energy reported since the last reading, plus earlier excess */
	double ahead;    /* reported energy that exceeds the counter; later increases are reduced by it */
	int64_t read_ns; /* time of the last reading of the counter; 0 if never read */
	int64_t time_ns; /* time of the previous poll */
};

/* Returns whether the counter should be read in this poll. If the power is unknown, it is read every time. */
bool gpu_energy_is_due(const struct gpu_energy *energy, double power_w, int64_t now_ns);

/* Returns the energy since the previous poll in Wh. It comes from the counter (`joules`), or from power × time if the
 * counter was not read (UNKNOWN), is missing or was reset. */
double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns);

#endif
