/* SPDX-License-Identifier: Apache-2.0 */
/* One poll of all GPUs of all vendors. Each source (nvml.h, drm.h) adds its devices. A figure is UNKNOWN if the source
 * does not report it, or reports an impossible value. */
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
	double throttled; /* 1 if the clocks are reduced, otherwise 0 */
	bool told;        /* whether `processes` is complete and has pids of our PID namespace */
	size_t count;
	struct gpu_process processes[GPU_PROCESSES_MAX];
};

/* All devices of one poll. A device has the same index in every poll. */
struct gpu_poll {
	size_t count;
	struct gpu_device devices[GPU_DEVICES_MAX];
};

/* Makes all figures of a device unknown, but keeps its names. */
void gpu_device_clear(struct gpu_device *device);

/* Clears the next free device of a poll and returns it. Returns NULL if there are too many devices. */
struct gpu_device *gpu_poll_add(struct gpu_poll *poll);

/* Returns the process of a device that has this pid. Adds the process if it is new. Returns NULL if there are too many
 * processes. */
struct gpu_process *gpu_device_process(struct gpu_device *device, int pid);

/* Returns `value`, or UNKNOWN if it is not between 0 and `most`, because drivers sometimes report absurd values. */
double gpu_sane(double value, double most);

/* Copies the printable ASCII characters of a driver's text, and truncates them to the buffer. Copies `otherwise` if
 * there are none. */
void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise);

/* Energy of a device. Reading NVIDIA's counter takes milliseconds of CPU time (docs/gpu.md), so it is read only every
 * few seconds. Between two readings, power × time is reported. The next reading corrects this estimate. */
struct gpu_energy {
	double joules;   /* value of the counter when it was last read */
	double told;     /* energy reported since the counter was last read, plus earlier excess */
	double ahead;    /* excess of the reported energy over the counter, which is subtracted from later increases */
	int64_t read_ns; /* time at which the counter was last read; 0 if it was never read */
	int64_t time_ns; /* time of the previous poll */
};

/* Returns whether the counter should be read in this poll. It is read in every poll if the power is unknown. */
bool gpu_energy_is_due(const struct gpu_energy *energy, double power_w, int64_t now_ns);

/* Returns the energy used since the previous poll in Wh. `joules` is the value of the counter, or UNKNOWN if it was not
 * read. If the counter was not read, is missing or was reset, the result is power × time. */
double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns);

#endif
