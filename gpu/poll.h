/* What is asked of all GPUs at an instant, of every maker. A source (nvml.h, drm.h) fills the devices that it knows;
 * UNKNOWN is a figure that it does not tell, or that cannot be. */
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

/* Makes all figures of a device unknown; its names stay. */
void gpu_device_clear(struct gpu_device *device);

/* The next free device of a poll, cleared; NULL: there are too many. */
struct gpu_device *gpu_poll_add(struct gpu_poll *poll);

/* The process of a device with this pid, made with nothing if it is not there; NULL: there are too many. */
struct gpu_process *gpu_device_process(struct gpu_device *device, int pid);

/* `value` where it is between 0 and `most`, else UNKNOWN: drivers say absurd things. */
double gpu_sane(double value, double most);

/* Copies what a driver calls something: at most what fits, printable ASCII; `otherwise` where nothing is left. */
void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise);

/* The energy of a device. To read NVIDIA's counter takes milliseconds of CPU time (docs/gpu.md), so it may be left for
 * some seconds: in between power × time is told, and taken off what the counter then grew by. */
struct gpu_energy {
	double joules;   /* the counter's when it was read last */
	double told;     /* since then, and what had been told too much by then */
	double ahead;    /* what of that is still to be left out */
	int64_t read_ns; /* 0: never */
	int64_t time_ns; /* the poll before */
};

/* Whether the counter is to be read in this poll. Without the power there is nothing else to tell by. */
bool gpu_energy_is_due(const struct gpu_energy *energy, double power_w, int64_t now_ns);

/* What was used since the poll before, in Wh: by the counter (joules), or, where it was not read (UNKNOWN), is not
 * there or was set back, power × time. */
double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns);

#endif
