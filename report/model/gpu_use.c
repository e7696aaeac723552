/* SPDX-License-Identifier: Apache-2.0 */
/* Describes GPUs that a job requested and did not use well. */
#include "report/model/gpu_use.h"

#include <stdio.h>
#include <string.h>

/* if the job uses less than this share of its GPUs, it waits for something else */
static const double LEAST = 0.15;
static const double SLOWED = 0.1; /* share of the time; shorter throttling is not reported */
/* the CPUs are the bottleneck if the job uses at least this share of them */
static const double CPUS_BUSY = 0.8;
static const double ONE_CPU = 0.85; /* CPUs; a single thread that never waits uses at least this much */
/* % of the time; I/O is the bottleneck if tasks wait for it at least this long */
static const double IO_PERCENT = 10;
static const double NETWORK_RATE = 10 << 20; /* bytes per second; from this rate, the network is the bottleneck */
static const double DISK_RATE = 1e5;         /* bytes per second; below this rate, disks are not the bottleneck */

bool gpu_use_untold(const struct gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++)
		if (gpus->items[i].told > 0 || number_known(gpus->items[i].job_peak_vram_mib))
			return false;
	return gpus->count > 0;
}

bool gpu_use_any(const struct series *process)
{
	return series_max(process, PROCESS_gpu_usage) > 0 || series_max(process, PROCESS_gpu_vram_mib) > 0;
}

static bool is_idle(const struct gpu *gpu)
{
	return gpu->told == gpu->rows && !(gpu->job_peak_usage > 0) && !(gpu->job_peak_vram_mib > 0);
}

static bool is_slowed(const struct gpu *gpu)
{
	return gpu->throttled >= SLOWED;
}

/* Returns whether the driver reports the memory of a GPU, but not its usage. */
static bool is_unsaid(const struct gpu *gpu)
{
	return !number_known(gpu->peak_usage) && number_known(gpu->vram_total_mib) &&
	       number_known(gpu->job_peak_vram_mib);
}

static size_t count_those(const struct gpus *gpus, bool (*are)(const struct gpu *gpu))
{
	size_t count = 0;

	for (size_t i = 0; i < gpus->count; i++)
		count += are(&gpus->items[i]);
	return count;
}

/* Appends the numbers of the GPUs for which `are` returns true, such as " 1, 2 and 5". Ends with "and more" if the
 * buffer is too small. */
static void list_those(const struct gpus *gpus, bool (*are)(const struct gpu *gpu), char text[GPU_USE_SIZE])
{
	enum { ROOM_BEHIND = 120 };
	size_t count = count_those(gpus, are), listed = 0;

	for (size_t i = 0; i < gpus->count; i++) {
		if (!are(&gpus->items[i]))
			continue;
		const char *before = listed == 0 ? "" : listed + 1 == count ? " and" : ",";
		if (strlen(text) >= GPU_USE_SIZE - ROOM_BEHIND) {
			units_append(text, GPU_USE_SIZE, " and more");
			return;
		}
		units_append(text, GPU_USE_SIZE, "%s %.0f", before, gpus->items[i].index);
		listed++;
	}
}

void gpu_use_idle(const struct model *model, char text[GPU_USE_SIZE])
{
	const struct gpus *gpus = &model->gpus;
	double asked = run_asked(model->run, "gpu");
	size_t idle = count_those(gpus, is_idle);
	char rest[80];

	text[0] = '\0';
	if (idle == 0 || gpus->count < 2)
		return;
	if (asked < (double)gpus->count) {
		double unused = asked - (double)(gpus->count - idle);
		if (unused > 0)
			snprintf(text, GPU_USE_SIZE, "%.0f of %.0f GPUs %s never used by the job", unused, asked,
				unused > 1 ? "were" : "was");
		return;
	}
	/* The GPU numbers come first, because in "1 of 2 GPUs: 1" the last number would look like a count. */
	units_append(text, GPU_USE_SIZE, "%s", idle == 1 ? "GPU" : "GPUs");
	list_those(gpus, is_idle, text);
	snprintf(rest, sizeof rest, " %s never used by the job (%zu of %zu GPUs)", idle == 1 ? "was" : "were", idle,
		gpus->count);
	units_append(text, GPU_USE_SIZE, "%s", rest);
}

void gpu_use_slowed(const struct gpus *gpus, char text[GPU_USE_SIZE])
{
	size_t slowed = count_those(gpus, is_slowed);
	char how_long[80];
	double most = 0;

	text[0] = '\0';
	if (slowed == 0)
		return;
	for (size_t i = 0; i < gpus->count; i++)
		most = known_larger(most, gpus->items[i].throttled);
	snprintf(how_long, sizeof how_long, " %s held back by heat or power, in %s%.0f %% of the time",
		slowed == 1 ? "was" : "were", slowed == 1 ? "" : "up to ", 100 * most);
	units_append(text, GPU_USE_SIZE, "%s", slowed == 1 ? "GPU" : "GPUs");
	list_those(gpus, is_slowed, text);
	units_append(text, GPU_USE_SIZE, "%s", how_long);
}

void gpu_use_unsaid(const struct gpus *gpus, char text[GPU_USE_SIZE])
{
	size_t unsaid = count_those(gpus, is_unsaid);

	text[0] = '\0';
	if (unsaid == 0)
		return;
	units_append(text, GPU_USE_SIZE, "%s", unsaid == 1 ? "How busy GPU" : "How busy GPUs");
	list_those(gpus, is_unsaid, text);
	units_append(text, GPU_USE_SIZE, "%s", unsaid == 1 ? " was" : " were");
	units_append(text, GPU_USE_SIZE, "%s", " the driver does not say; it never does of one that is divided (MIG)");
}

uint64_t gpu_use_columns(enum table_id table)
{
	if (table == TABLE_process)
		return SERIES_COLUMN(PROCESS_gpu_usage) | SERIES_COLUMN(PROCESS_gpu_vram_mib);
	return table == TABLE_system
		       ? SERIES_COLUMN(SYSTEM_psi_io) | SERIES_COLUMN(SYSTEM_net_recv_bytes) |
				 SERIES_COLUMN(SYSTEM_disk_read_bytes) | SERIES_COLUMN(SYSTEM_disk_write_bytes)
		       : 0;
}

/* Returns whether disk traffic is high enough to explain waits for I/O. The check is necessary because the kernel
 * also reports I/O waits if an io_uring waits for a pipe or a socket. Returns true if the traffic is unknown. */
static bool disks_moved(const struct model *model)
{
	double bytes = series_sum(&model->system, SYSTEM_disk_read_bytes) +
		       series_sum(&model->system, SYSTEM_disk_write_bytes);
	return !(bytes < DISK_RATE * model->totals.wall_seconds);
}

/* Describes what the job probably waited for. */
static void describe_wait(const struct model *model, char *text, size_t size)
{
	double cpus = model->totals.mean_cpu_usage;
	double io = series_mean(&model->system, SYSTEM_psi_io);
	double received = series_sum(&model->system, SYSTEM_net_recv_bytes) / model->totals.wall_seconds;

	if (cpus >= CPUS_BUSY * model->run->vcpus)
		snprintf(text, size, "its CPUs were busy, %.0f %% of them", 100 * cpus / model->run->vcpus);
	else if (io >= IO_PERCENT && disks_moved(model))
		snprintf(text, size, "tasks of the machine waited for I/O in %.0f %% of the time", io);
	else if (received >= NETWORK_RATE)
		snprintf(
			text, size, "the machine received %s from the network", units_figure(UNIT_rate, received).text);
	else if (cpus >= ONE_CPU)
		snprintf(text, size,
			"%.1f of %.0f CPUs were busy meanwhile: more of them may prepare data side by side", cpus,
			model->run->vcpus);
	else
		snprintf(text, size, "what it waited for shows neither in its CPUs nor in disk or network");
}

void gpu_use_wait(const struct model *model, char text[GPU_USE_SIZE])
{
	double used = 0;
	size_t held = 0;
	char why[GPU_USE_SIZE / 2];

	text[0] = '\0';
	for (size_t i = 0; i < model->gpus.count; i++) {
		const struct gpu *gpu = &model->gpus.items[i];
		if (gpu->told == 0 || !(gpu->job_peak_vram_mib > 0 || gpu->job_peak_usage > 0))
			continue;
		held++;
		used += gpu->job_mean_usage;
	}
	if (held == 0 || !(used / (double)held < LEAST))
		return;
	describe_wait(model, why, sizeof why);
	snprintf(text, GPU_USE_SIZE, "It held %zu GPU%s and used %.0f %% of %s: %s", held, held > 1 ? "s" : "",
		100 * used / (double)held, held > 1 ? "them" : "it", why);
}
