/* SPDX-License-Identifier: Apache-2.0 */
/* Reads NVIDIA devices with NVML. A figure is unknown if its call fails, or if the value is impossible. */
#include "gpu/nvml.h"

#include "gpu/nvml_abi.h"
#include "gpu/place.h"
#include "os/clock.h"

#include <dlfcn.h>
#include <string.h>

enum { UUID_SIZE = 96, LOOK_AGAIN_POLLS = 10, SAMPLES_MAX = 4096, WINDOW_US = 1000000, EARLY_US = 100000 };

#define MIB 1048576.0
#define VRAM_MOST 67108864.0 /* MiB: 64 TiB */

static struct {
/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define CALL(member, required, arguments, name, older) int(*member) arguments;
	NVML_CALLS(CALL)
#undef CALL
} nvml;

/* State of a device that is kept between polls. */
struct known {
	void *handle; /* NULL if the device is lost or was not opened yet */
	char uuid[GPU_TEXT_MAX];
	char name[GPU_TEXT_MAX];
	struct gpu_energy energy;
	int64_t sampled_us; /* time at which the usage of the processes was last read */
	size_t count;
	struct gpu_process used[GPU_PROCESSES_MAX]; /* usage of the processes at that time */
};

static struct {
	unsigned count;
	struct known devices[GPU_DEVICES_MAX];
	bool works;  /* initialized */
	bool broken; /* whether a call has reported that NVML is no longer initialized */
	unsigned polls;
	bool sees_all_pids; /* whether NVML reports pids of our PID namespace */
} state;

static bool find(void *library, const char *name, void *function)
{
	void *found = name ? dlsym(library, name) : NULL;
	/* The pointer is copied, because ISO C cannot convert the data pointer from dlsym to a function pointer. */
	memcpy(function, &found, sizeof found);
	return found != NULL;
}

static bool load(const char *path)
{
	static const char *const usual[] = {"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1",
		"/usr/lib64-nvidia/libnvidia-ml.so.1", "/run/opengl-driver/lib/libnvidia-ml.so.1",
		"/usr/lib/wsl/lib/libnvidia-ml.so.1"};
	void *library = path[0] != '\0' ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	bool whole = true;

	for (size_t i = 0; path[0] == '\0' && !library && i < ARRAY_LENGTH(usual); i++)
		library = dlopen(usual[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return false;
#define CALL(member, required, arguments, name, older)                                                                 \
	if (!find(library, name, &nvml.member) && !find(library, older, &nvml.member) && (required))                   \
		whole = false;
	NVML_CALLS(CALL)
#undef CALL
	return whole;
}

static bool begin(void)
{
	unsigned count = 0;

	if (nvml.init() != NVML_OK)
		return false;
	if (nvml.count(&count) == NVML_OK)
		state.count = count < GPU_DEVICES_MAX ? count : GPU_DEVICES_MAX;
	for (unsigned i = 0; i < state.count; i++)
		state.devices[i].handle = NULL;
	state.works = true;
	state.broken = false;
	return true;
}

bool nvml_open(const char *path)
{
	state.sees_all_pids = place_sees_all_processes();
	return load(path) && begin() && state.count > 0;
}

/* Returns whether a call succeeded. If the error means that the device or the driver is lost, marks it as lost. */
static bool worked(struct known *known, int result)
{
	if (result == NVML_GPU_IS_LOST)
		known->handle = NULL;
	if (result == NVML_UNINITIALIZED || result == NVML_DRIVER_NOT_LOADED || result == NVML_RM_VERSION_MISMATCH)
		state.broken = true;
	return result == NVML_OK;
}

/* Calls a function of NVML if the library has it and the device is present. The value is true if the call succeeded. */
#define ASK(known, function, ...)                                                                                      \
	(nvml.function && (known)->handle && worked((known), nvml.function((known)->handle, __VA_ARGS__)))

static void get_handle(struct known *known, unsigned index)
{
	char uuid[UUID_SIZE] = "";
	char name[UUID_SIZE] = "";

	if (!worked(known, nvml.handle(index, &known->handle)))
		known->handle = NULL;
	if (!ASK(known, uuid, uuid, sizeof uuid))
		uuid[0] = '\0';
	if (!ASK(known, name, name, sizeof name))
		name[0] = '\0';
	if (uuid[0] != '\0' || known->uuid[0] == '\0')
		gpu_copy_text(known->uuid, uuid, sizeof uuid, "");
	if (name[0] != '\0' || known->name[0] == '\0')
		gpu_copy_text(known->name, name, sizeof name, "NVIDIA GPU");
}

static void ask_memory(struct known *known, struct gpu_device *device)
{
	struct nvml_memory_v2 newer = {.version = NVML_MEMORY_V2};
	struct nvml_memory memory = {0};

	if (ASK(known, memory_v2, &newer))
		memory = (struct nvml_memory){newer.total, newer.free, newer.used};
	else if (!ASK(known, memory, &memory))
		return;
	device->vram_total_mib = gpu_sane((double)memory.total / MIB, VRAM_MOST);
	device->vram_mib = gpu_sane((double)memory.used / MIB, device->vram_total_mib);
	if (device->vram_total_mib == 0)
		device->vram_total_mib = device->vram_mib = UNKNOWN;
}

static void ask_figures(struct known *known, struct gpu_device *device, int64_t now_ns)
{
	struct nvml_utilization rates;
	unsigned value;
	unsigned long long large;

	if (ASK(known, utilization, &rates))
		device->usage = gpu_sane(rates.gpu, 100) / 100;
	ask_memory(known, device);
	if (ASK(known, power, &value))
		device->power_w = gpu_sane(value / 1e3, 1e4);
	if (ASK(known, temperature, NVML_TEMPERATURE_GPU, &value))
		device->temperature_c = gpu_sane(value, 200);
	if (ASK(known, clock, NVML_CLOCK_SM, &value))
		device->clock_mhz = gpu_sane(value, 1e5);
	if (ASK(known, throttling, &large))
		device->throttled = (large & NVML_THROTTLED) != 0;
	bool due = gpu_energy_is_due(&known->energy, device->power_w, now_ns);
	double joules = due && ASK(known, energy, &large) ? (double)large / 1e3 : UNKNOWN;
	device->energy_wh = gpu_energy_grown(&known->energy, joules, device->power_w, now_ns);
}

/* -- processes ------------------------------------------------------------------------------------- */

static void add_process(struct gpu_device *device, unsigned pid, unsigned long long used)
{
	struct gpu_process *process = pid > 0 && pid <= INT32_MAX ? gpu_device_process(device, (int)pid) : NULL;

	if (!process) {
		device->told = false;
		return;
	}
	process->usage = UNKNOWN;
	/* A process that is in both lists has the same memory in each, so the values are not added. */
	double vram_mib = used == NVML_NOT_AVAILABLE ? UNKNOWN : gpu_sane((double)used / MIB, VRAM_MOST);
	process->vram_mib = process->vram_mib >= vram_mib ? process->vram_mib : vram_mib;
}

/* Reads both process lists of a device, with the newest version of the functions that the library has. */
static bool list_processes(struct known *known, struct gpu_device *device)
{
	static struct nvml_process newer[GPU_PROCESSES_MAX];
	static struct nvml_process_v1 older[GPU_PROCESSES_MAX];
	bool listed = false;

	device->told = true;
	for (int graphics = 0; graphics < 2; graphics++) {
		unsigned count = GPU_PROCESSES_MAX;
		bool asked = graphics ? ASK(known, graphics, &count, newer) : ASK(known, compute, &count, newer);
		for (unsigned i = 0; asked && i < count && i < GPU_PROCESSES_MAX; i++)
			add_process(device, newer[i].pid, newer[i].used);
		count = GPU_PROCESSES_MAX;
		bool old = !asked &&
			   (graphics ? ASK(known, graphics_v1, &count, older) : ASK(known, compute_v1, &count, older));
		for (unsigned i = 0; old && i < count && i < GPU_PROCESSES_MAX; i++)
			add_process(device, older[i].pid, older[i].used);
		/* A data center device may have no list of graphics processes. */
		listed |= graphics == 0 && (asked || old);
	}
	return listed && device->told;
}

/* Computes the mean usage of each process from the samples since `since_us`. Returns false if the samples cannot be
 * read. */
static bool read_samples(struct known *known, const struct gpu_device *device, int64_t since_us)
{
	static struct nvml_process_sample samples[SAMPLES_MAX];
	static struct gpu_device sum;             /* only the field `processes` is used */
	static unsigned taken[GPU_PROCESSES_MAX]; /* number of samples of each process */
	unsigned count = SAMPLES_MAX;

	int result = nvml.samples(known->handle, samples, &count, (unsigned long long)since_us);
	if (result != NVML_NOT_FOUND && !worked(known, result))
		return false;
	sum.count = 0;
	for (size_t i = 0; i < device->count; i++)
		taken[gpu_device_process(&sum, device->processes[i].pid) - sum.processes] = 0;
	for (unsigned i = 0; result == NVML_OK && i < count && i < SAMPLES_MAX; i++) {
		if (samples[i].pid == 0 || samples[i].pid > INT32_MAX || samples[i].sm > 100 ||
			(int64_t)samples[i].time_us < since_us)
			continue;
		size_t before = sum.count;
		struct gpu_process *process = gpu_device_process(&sum, (int)samples[i].pid);
		if (!process)
			return false;
		size_t place = (size_t)(process - sum.processes);
		taken[place] = place == before ? 1 : taken[place] + 1;
		process->usage += samples[i].sm / 100.0;
	}
	for (size_t i = 0; i < sum.count; i++)
		sum.processes[i].usage /= taken[i] > 0 ? taken[i] : 1;
	known->count = sum.count;
	memcpy(known->used, sum.processes, sum.count * sizeof *known->used);
	return true;
}

/* Returns whether the device is used by a process that did not use it when samples were last read. */
static bool has_new(const struct known *known, const struct gpu_device *device)
{
	size_t found = 0;

	for (size_t i = 0; i < device->count; i++)
		for (size_t k = 0; k < known->count; k++)
			found += known->used[k].pid == device->processes[i].pid;
	return found < device->count;
}

/* Adds the mean usage of each process since the last reading, or in the last second if that is longer. The samples are
 * not read at each poll, because the driver takes only a few per second, and reading them takes milliseconds. */
static bool ask_usage(struct known *known, struct gpu_device *device, int64_t now_us)
{
	int64_t since_us = now_us - WINDOW_US;
	bool due = now_us - known->sampled_us >= WINDOW_US - EARLY_US || now_us < known->sampled_us ||
		   has_new(known, device);

	if (!nvml.samples || !known->handle)
		return false;
	if (known->sampled_us > 0 && known->sampled_us < since_us)
		since_us = known->sampled_us;
	if (due && !read_samples(known, device, since_us)) {
		known->sampled_us = 0;
		return false;
	}
	if (due)
		known->sampled_us = now_us;
	for (size_t i = 0; i < device->count; i++)
		device->processes[i].usage = 0;
	for (size_t i = 0; i < known->count; i++) {
		struct gpu_process *process = gpu_device_process(device, known->used[i].pid);
		if (!process)
			return false;
		process->usage = known->used[i].usage;
	}
	return true;
}

static void forget_usage(struct gpu_device *device)
{
	for (size_t i = 0; i < device->count; i++)
		device->processes[i].usage = UNKNOWN;
	if (device->count == 1)
		device->processes[0].usage = device->usage; /* the process is the device's only user */
}

/* Returns whether the listed pids belong to our PID namespace. NVML reports pids of the initial namespace, unless the
 * driver translates them. The pids are ours if each of the processes has an NVIDIA device open. An empty list proves
 * nothing, so the result is then false. */
static bool are_ours(const struct gpu_device *device)
{
	for (size_t i = 0; i < device->count && !state.sees_all_pids; i++)
		if (!place_uses_nvidia(device->processes[i].pid))
			return false;
	return state.sees_all_pids || device->count > 0;
}

static void ask_processes(struct known *known, struct gpu_device *device, int64_t now_us)
{
	unsigned mig = 0;
	unsigned pending;

	device->told = list_processes(known, device);
	bool divided = ASK(known, mig, &mig, &pending) && mig == 1;
	/* If a device is divided into instances (MIG), the driver reports neither the usage of the device nor that of
	 * its processes. */
	if (divided)
		device->usage = UNKNOWN;
	if (divided || !ask_usage(known, device, now_us))
		forget_usage(device);
	if (!device->told || !are_ours(device)) {
		device->told = false;
		device->count = 0;
	}
}

void nvml_poll(struct gpu_poll *poll, int64_t now_ns)
{
	int64_t now_us = os_now_ns() / 1000;
	bool look_again = state.polls++ % LOOK_AGAIN_POLLS == 0;

	if (state.broken && look_again) {
		(void)nvml.shutdown();
		state.works = begin();
		state.broken = !state.works;
	}
	for (unsigned i = 0; i < state.count; i++) {
		struct known *known = &state.devices[i];
		struct gpu_device *device = gpu_poll_add(poll);
		if (!device)
			break;
		if (!known->handle && state.works && (look_again || known->name[0] == '\0'))
			get_handle(known, i);
		ask_figures(known, device, now_ns);
		ask_processes(known, device, now_us);
		/* The device was lost during the poll. Its figures are removed, because they are unreliable. */
		if (!known->handle)
			gpu_device_clear(device);
		memcpy(device->uuid, known->uuid, sizeof device->uuid);
		memcpy(device->name, known->name, sizeof device->name);
	}
}
