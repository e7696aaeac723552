/* SPDX-License-Identifier: Apache-2.0 */
/* Averages the polls of a tick, and computes the run's share of each device. */
#include "gpu/tick.h"

#include "core/figures.h"
#include "core/row.h"
#include "gpu/job.h"
#include "os/clock.h"
#include "os/file.h"

#include <string.h>

/* A device during a tick. Usages in `last` are sums over the polls until tick_end divides them. All other figures are
 * those of the last poll. The processes are those of all polls. */
struct device_tick {
	struct gpu_device last;
	unsigned usages; /* number of polls with a known usage */
	double energy_wh;
};

static struct {
	unsigned polls;
	size_t count;
	struct device_tick devices[GPU_DEVICES_MAX];
} tick;

/* Adds the processes of a poll. Usage is summed over the polls. Memory is that of the last poll, so it is 0 if the
 * process has ended. */
static void join_processes(struct gpu_device *sum, const struct gpu_device *device)
{
	for (size_t i = 0; i < sum->count; i++)
		sum->processes[i].vram_mib = 0;
	for (size_t i = 0; i < device->count; i++) {
		struct gpu_process *process = gpu_device_process(sum, device->processes[i].pid);
		if (!process)
			continue;
		process->usage += device->processes[i].usage; /* if one term is UNKNOWN, the sum is UNKNOWN */
		process->vram_mib = device->processes[i].vram_mib;
	}
	sum->told &= device->told;
}

static void add_device(struct device_tick *sum, const struct gpu_device *device, bool first)
{
	struct gpu_device before = sum->last;

	if (first) {
		*sum = (struct device_tick){.energy_wh = UNKNOWN};
		before.usage = UNKNOWN;
		before.count = 0;
		before.told = true;
	}
	join_processes(&before, device);
	sum->last = *device;
	sum->last.usage = before.usage;
	known_add(&sum->last.usage, device->usage);
	sum->last.told = before.told;
	sum->last.count = before.count;
	memcpy(sum->last.processes, before.processes, before.count * sizeof *before.processes);
	sum->usages += number_known(device->usage);
	known_add(&sum->energy_wh, device->energy_wh);
}

void tick_add(const struct gpu_poll *poll)
{
	for (size_t i = 0; i < poll->count; i++)
		add_device(&tick.devices[i], &poll->devices[i], tick.polls == 0 || i >= tick.count);
	tick.count = poll->count;
	tick.polls++;
}

/* -- the job's share ------------------------------------------------------------------------------- */

struct share {
	double usage;
	double vram_mib;
};

/* Returns the run's share of a device. If the usage of one of the run's processes is unknown and no other process uses
 * the device, the share is the usage of the device. */
static struct share share_of(const struct gpu_device *device)
{
	struct share share = {0, 0};
	bool alone = true;

	if (!device->told)
		return (struct share){UNKNOWN, UNKNOWN};
	for (size_t i = 0; i < device->count; i++) {
		if (!job_has(device->processes[i].pid)) {
			alone = false;
			continue;
		}
		share.usage += device->processes[i].usage;
		share.vram_mib += device->processes[i].vram_mib;
	}
	if (!number_known(share.usage) && alone)
		share.usage = device->usage;
	if (share.usage > 1)
		share.usage = 1;
	return share;
}

static void add_sums(struct gpu_sums *sums, double usage, double vram_mib)
{
	known_add(&sums->usage, usage);
	known_add(&sums->vram_mib, vram_mib);
	if (number_known(usage))
		known_add(&sums->utilized, usage > 0 ? 1 : 0);
}

static void add_whole(uint64_t *sum, double value, double unit)
{
	if (number_known(value))
		*sum = (*sum == GAUGE_UNKNOWN ? 0 : *sum) + figures_whole(value, unit);
}

static void add_uses(struct gpu_record *record, const struct gpu_device *device)
{
	for (size_t i = 0; i < device->count; i++) {
		const struct gpu_process *process = &device->processes[i];
		uint64_t at = 0;
		while (at < record->count && record->uses[at].pid != (uint64_t)process->pid)
			at++;
		if (at == GPU_USES_MAX) {
			record->told = 0;
			continue;
		}
		if (at == record->count)
			record->uses[record->count++] =
				(struct gpu_use){(uint64_t)process->pid, GAUGE_UNKNOWN, GAUGE_UNKNOWN};
		add_whole(&record->uses[at].usage, process->usage, 1e4);
		add_whole(&record->uses[at].vram_kib, process->vram_mib, 1024);
	}
}

/* -- rows ------------------------------------------------------------------------------------------ */

static void write_row(struct buffer *out, size_t index, const struct device_tick *device, struct share share)
{
	const struct gpu_device *last = &device->last;
	struct cell cells[GPU_COLUMNS];

	row_begin(cells, &tables[TABLE_gpu]);
	cells[GPU_timestamp].number = (double)os_now_ns() / 1e9;
	cells[GPU_index].number = (double)index;
	cells[GPU_uuid].text = text_of(last->uuid);
	cells[GPU_name].text = text_of(last->name);
	cells[GPU_gpu_usage].number = last->usage;
	cells[GPU_gpu_vram_mib].number = last->vram_mib;
	cells[GPU_job_gpu_usage].number = share.usage;
	cells[GPU_job_gpu_vram_mib].number = share.vram_mib;
	cells[GPU_power_w].number = last->power_w;
	cells[GPU_energy_wh].number = device->energy_wh;
	cells[GPU_temperature_c].number = last->temperature_c;
	cells[GPU_clock_mhz].number = last->clock_mhz;
	cells[GPU_throttled].number = last->throttled;
	cells[GPU_vram_total_mib].number = last->vram_total_mib;
	row_write(out, &tables[TABLE_gpu], cells);
}

static void divide(struct device_tick *device)
{
	device->last.usage /= device->usages > 0 ? device->usages : 1;
	for (size_t i = 0; i < device->last.count; i++)
		device->last.processes[i].usage /= tick.polls;
}

void tick_end(int at, uint64_t limit, struct gpu_record *record)
{
	static char rows[GPU_DEVICES_MAX * 512];
	struct buffer out = BUFFER(rows);
	const struct gpu_sums nothing = {UNKNOWN, UNKNOWN, UNKNOWN};

	record->machine = record->job = nothing;
	record->count = 0;
	record->told = tick.polls > 0 && tick.count > 0;
	job_read();
	for (size_t i = 0; i < tick.count; i++) {
		struct device_tick *device = &tick.devices[i];
		divide(device);
		struct share share = share_of(&device->last);
		write_row(&out, i, device, share);
		add_sums(&record->machine, device->last.usage, device->last.vram_mib);
		add_sums(&record->job, share.usage, share.vram_mib);
		add_uses(record, &device->last);
		record->told &= device->last.told;
	}
	if (out.length > 0 && !out.full)
		(void)os_append(at, tables[TABLE_gpu].file, (struct text){rows, out.length}, limit);
	tick.polls = 0;
}
