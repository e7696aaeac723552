/* SPDX-License-Identifier: Apache-2.0 */
/* Functions common to all sources of GPU figures. */
#include "gpu/poll.h"

#include <string.h>

#define JOULES_PER_WH 3600
#define COUNTER_EVERY_NS 5000000000

void gpu_device_clear(struct gpu_device *device)
{
	device->usage = device->vram_mib = device->vram_total_mib = device->power_w = UNKNOWN;
	device->energy_wh = device->temperature_c = device->clock_mhz = device->throttled = UNKNOWN;
	device->told = false;
	device->count = 0;
}

struct gpu_device *gpu_poll_add(struct gpu_poll *poll)
{
	if (poll->count == GPU_DEVICES_MAX)
		return NULL;
	struct gpu_device *device = &poll->devices[poll->count++];
	gpu_device_clear(device);
	return device;
}

struct gpu_process *gpu_device_process(struct gpu_device *device, int pid)
{
	for (size_t i = 0; i < device->count; i++)
		if (device->processes[i].pid == pid)
			return &device->processes[i];
	if (device->count == GPU_PROCESSES_MAX)
		return NULL;
	device->processes[device->count] = (struct gpu_process){pid, 0, 0};
	return &device->processes[device->count++];
}

double gpu_sane(double value, double most)
{
	return value >= 0 && value <= most ? value : UNKNOWN;
}

void gpu_copy_text(char out[GPU_TEXT_MAX], const char *text, size_t length, const char *otherwise)
{
	size_t count = 0;

	for (size_t i = 0; i < length && text[i] != '\0' && count < GPU_TEXT_MAX - 1; i++)
		if (text[i] >= ' ' && text[i] <= '~')
			out[count++] = text[i];
	out[count] = '\0';
	if (count == 0) {
		strncpy(out, otherwise, GPU_TEXT_MAX - 1);
		out[GPU_TEXT_MAX - 1] = '\0';
	}
}

bool gpu_energy_is_due(const struct gpu_energy *energy, double power_w, int64_t now_ns)
{
	return energy->time_ns == 0 || !number_known(power_w) || now_ns - energy->read_ns >= COUNTER_EVERY_NS;
}

static double seconds_since(int64_t then_ns, int64_t now_ns)
{
	return then_ns > 0 ? (double)(now_ns - then_ns) / 1e9 : 0;
}

double gpu_energy_grown(struct gpu_energy *energy, double joules, double power_w, int64_t now_ns)
{
	double seconds = seconds_since(energy->time_ns, now_ns);
	double grown = joules - energy->joules;
	double used = power_w * seconds;

	/* A GPU draws some hundred watts. If the increase corresponds to more than 100 kW, it is ignored, because it
	 * must be from another counter. */
	bool counted = energy->read_ns > 0 && grown >= 0 && grown <= (seconds_since(energy->read_ns, now_ns) + 1) * 1e5;
	if (counted)
		used = grown > energy->told ? grown - energy->told : 0;
	if (number_known(joules)) {
		energy->told = energy->ahead = counted && energy->told > grown ? energy->told - grown : 0;
		energy->joules = joules;
		energy->read_ns = now_ns;
	} else if (number_known(used)) {
		double paid = energy->ahead < used ? energy->ahead : used;
		energy->ahead -= paid;
		used -= paid;
		energy->told += used;
	}
	energy->time_ns = now_ns;
	return seconds > 0 ? used / JOULES_PER_WH : UNKNOWN;
}
