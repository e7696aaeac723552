/* SPDX-License-Identifier: Apache-2.0 */
/* One poll of all GPUs of every maker. A source (nvml.h, drm.h) fills the devices that it knows. A figure is UNKNOWN if
 * the source does not report it, or reports an impossible value. */
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
	double throttled; /* 1 or 0 */
	bool told;        /* `processes` is complete, with pids of our namespace */
	size_t count;
	struct gpu_process processes[GPU_PROCESSES_MAX];
};

/* A device keeps its index from poll to poll. */
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

/* Returns `value` if it is between 0 and `most`, else UNKNOWN, because drivers sometimes report absurd values. */
double gpu_sane(double value, double most);

/* Copies a name from a driver: printable ASCII, truncated to the buffer. Uses `otherwise` if nothing is left. */
void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise);

/* Energy of a device. Reading NVIDIA's counter takes milliseconds of CPU time (docs/gpu.md), so it is read only every
 * few seconds. In between, power × time is reported, and later subtracted from the counter's increase. */
struct gpu_energy {
	double joules;   /* last reading of the counter */
	double told;     /* energy reported since then, plus earlier excess */
	double ahead;    /* excess that is still to be subtracted */
	int64_t read_ns; /* time of that reading; 0 if never */
	int64_t time_ns; /* time of the previous poll */
};

/* Returns whether the counter should be read in this poll. If the power is unknown, it is read every time. */
bool gpu_energy_is_due(const struct gpu_energy *energy, double power_w, int64_t now_ns);

/* Returns the energy since the previous poll in Wh: from the counter (`joules`), or from power × time if the counter
 * was not read (UNKNOWN), is missing or was reset. */
double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns);

#endif
