/* SPDX-License-Identifier: Apache-2.0 */
/* Reads gpu.csv. */
#include "report/spool/gpus.h"

#include "report/say/alloc.h"
#include "report/spool/reader.h"

#include <stdlib.h>
#include <string.h>

static void copy(char out[GPUS_TEXT_MAX], struct text text)
{
	size_t length = text.length < GPUS_TEXT_MAX - 1 ? text.length : GPUS_TEXT_MAX - 1;
	memcpy(out, text.data, length);
	out[length] = '\0';
}

/* Returns the GPU of a row, and adds it if it is new. Returns NULL if there are too many GPUs. A GPU is identified by
 * its UUID, because its index may change if it falls off the bus and comes back. */
static struct gpu *gpu_of(struct gpus *gpus, struct reader *reader)
{
	char uuid[GPUS_TEXT_MAX];
	double index = reader_number(reader, GPU_index);

	copy(uuid, reader_text(reader, GPU_uuid));
	for (size_t i = 0; i < gpus->count; i++)
		if (*uuid ? strcmp(gpus->items[i].uuid, uuid) == 0 : gpus->items[i].index == index)
			return &gpus->items[i];
	if (gpus->count == GPUS_MAX)
		return NULL;
	struct gpu *gpu = &gpus->items[gpus->count++];
	*gpu = (struct gpu){
		.index = index,
		.vram_total_mib = UNKNOWN,
		.peak_usage = UNKNOWN,
		.job_peak_usage = UNKNOWN,
		.job_mean_usage = UNKNOWN,
		.job_peak_vram_mib = UNKNOWN,
		.energy_wh = UNKNOWN,
		.job_energy_wh = UNKNOWN,
		.throttled = UNKNOWN,
	};
	memcpy(gpu->uuid, uuid, sizeof uuid);
	copy(gpu->name, reader_text(reader, GPU_name));
	return gpu;
}

/* Returns the job's share (0 … 1) of the activity of a GPU in one row. */
static double job_part(double usage, double job_usage, double vram_mib, double job_vram_mib)
{
	double part = usage > 0 ? job_usage / usage : vram_mib > 0 ? job_vram_mib / vram_mib : 0;

	if (!number_known(job_usage) && !number_known(job_vram_mib))
		return UNKNOWN;
	return part > 1 ? 1 : part;
}

static void take_gpu_row(void *context, struct reader *reader)
{
	struct gpus *gpus = context;

	if (!gpus->items)
		gpus->items = xcalloc(GPUS_MAX, sizeof *gpus->items);
	struct gpu *gpu = gpu_of(gpus, reader);
	double usage = reader_number(reader, GPU_gpu_usage);
	double job_usage = reader_number(reader, GPU_job_gpu_usage);
	double vram_mib = reader_number(reader, GPU_gpu_vram_mib);
	double job_vram_mib = reader_number(reader, GPU_job_gpu_vram_mib);
	double energy_wh = reader_number(reader, GPU_energy_wh);
	double throttled = reader_number(reader, GPU_throttled);

	if (!gpu)
		return;
	gpu->rows++;
	gpu->vram_total_mib = known_first(reader_number(reader, GPU_vram_total_mib), gpu->vram_total_mib);
	gpu->peak_usage = known_larger(gpu->peak_usage, usage);
	gpu->job_peak_usage = known_larger(gpu->job_peak_usage, job_usage);
	gpu->job_peak_vram_mib = known_larger(gpu->job_peak_vram_mib, job_vram_mib);
	known_add(&gpu->energy_wh, energy_wh);
	known_add(&gpu->job_energy_wh, energy_wh * job_part(usage, job_usage, vram_mib, job_vram_mib));
	if (number_known(job_usage)) {
		gpu->told++;
		known_add(&gpu->job_mean_usage, job_usage);
	}
	gpu->clocked += number_known(throttled);
	known_add(&gpu->throttled, throttled);
}

void gpus_load(struct gpus *gpus, const struct files *files)
{
	*gpus = (struct gpus){0};
	reader_all(files, TABLE_gpu, take_gpu_row, gpus);
	for (size_t i = 0; i < gpus->count; i++) {
		struct gpu *gpu = &gpus->items[i];
		gpu->job_mean_usage /= gpu->told > 0 ? (double)gpu->told : 1;
		gpu->throttled /= gpu->clocked > 0 ? (double)gpu->clocked : 1;
	}
}

void gpus_free(struct gpus *gpus)
{
	free(gpus->items);
	*gpus = (struct gpus){0};
}

/* -- facts ----------------------------------------------------------------------------------------- */

/* Stops at the second row of a GPU. The rows before it belong to the first tick and contain each GPU once. */
static int take_first(void *context, struct reader *reader)
{
	const struct gpus *gpus = context;
	size_t before = gpus->count;

	take_gpu_row(context, reader);
	return gpus->count == before;
}

void gpus_add_facts(cJSON *server, const struct files *files)
{
	struct gpus gpus = {0};
	double memory_mib = 0;

	if (!cJSON_IsObject(server) || cJSON_HasObjectItem(server, "gpu_count"))
		return;
	(void)reader_find(files, TABLE_gpu, take_first, &gpus);
	if (gpus.count > 0) {
		cJSON *names = cJSON_AddArrayToObject(server, "gpu_names");
		for (size_t i = 0; i < gpus.count; i++) {
			cJSON_AddItemToArray(names, cJSON_CreateString(gpus.items[i].name));
			memory_mib += gpus.items[i].vram_total_mib; /* total of all, or UNKNOWN */
		}
		cJSON_AddStringToObject(server, "gpu_name", json_most_common(names));
		json_add_number(server, "gpu_count", (double)gpus.count, 0);
		json_add_number(server, "gpu_memory_mib", memory_mib, 2);
	}
	gpus_free(&gpus);
}
