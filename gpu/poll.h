/* What is asked of all GPUs at an instant, whoever makes them. A source (nvml.h, drm.h) fills the devices that it
 * knows; UNKNOWN is a figure that it does not tell, or that cannot be. */
#ifndef RTRACK_GPU_POLL_H
#define RTRACK_GPU_POLL_H

#include "core/number.h"

enum { GPU_DEVICES_MAX = 128, GPU_PROCESSES_MAX = 512, GPU_TEXT_MAX = 96 };

/* A process that uses a device. */
struct gpu_process {
	int pid;
	double usage; /* share of the device, 0 … 1 */
	double vram_mib;
};

struct gpu_device {
	char uuid[GPU_TEXT_MAX];
	char name[GPU_TEXT_MAX];
	double usage; /* 0 … 1 */
	double vram_mib;
	double vram_total_mib;
	double power_w;
	double energy_wh; /* since the poll before */
	double temperature_c;
	double clock_mhz;
	double throttled; /* 1 or 0 */
	bool told;        /* `processes` are all that use it, by pids as we see them */
	size_t count;
	struct gpu_process processes[GPU_PROCESSES_MAX];
};

/* A device keeps its place from poll to poll. */
struct gpu_poll {
	size_t count;
	struct gpu_device devices[GPU_DEVICES_MAX];
};

/* Makes a device whose figures are all unknown, with the names that it has. */
void gpu_device_clear(struct gpu_device *device);

/* The next free device of a poll, cleared; NULL: there are too many. */
struct gpu_device *gpu_poll_add(struct gpu_poll *poll);

/* The process of a device with this pid, made with nothing if it is not there; NULL: there are too many. */
struct gpu_process *gpu_device_process(struct gpu_device *device, int pid);

/* `value` where it is between 0 and `most`, else UNKNOWN: drivers say absurd things. */
double gpu_sane(double value, double most);

/* Copies what a driver calls something: at most what fits, printable ASCII; `otherwise` where nothing is left. */
void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise);

/* What a counter of energy grew by, in Wh; where there is none, or it was set back, power × time. */
struct gpu_energy {
	double joules; /* of the poll before; UNKNOWN */
	int64_t time_ns;
};
double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns);

#endif
