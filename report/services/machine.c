/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about this machine. */
#define _GNU_SOURCE
#include "report/services/machine.h"

#include "core/number.h"
#include "report/services/nvidia.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- GPUs ------------------------------------------------------------------------------------------ */

struct taking {
	struct machine *machine;
	bool nvidia; /* NVIDIA boards not yet listed by the driver */
};

static void take_gpu(void *context, enum system_gpu vendor, struct text model, double memory_mib)
{
	const struct taking *taking = context;
	struct machine *machine = taking->machine;
	char name[128];

	if (vendor == SYSTEM_GPU_NVIDIA && !taking->nvidia)
		return;
	snprintf(name, sizeof name, "%.*s", (int)model.length, model.data);
	cJSON_AddItemToArray(machine->gpu_names, cJSON_CreateString(name));
	known_add(&machine->gpu_memory_mib, memory_mib);
}

/* -- all facts ------------------------------------------------------------------------------------- */

void machine_read(struct machine *machine, const char *root, bool ask_drivers)
{
	*machine = (struct machine){.gpu_memory_mib = UNKNOWN};
	system_read_facts(&machine->facts, root);
	machine->gpu_names = cJSON_CreateArray();
	struct taking taking = {
		machine, !ask_drivers || nvidia_read(machine->gpu_names, &machine->gpu_memory_mib) == 0};
	system_find_gpus(root, take_gpu, &taking);
}

void machine_free(struct machine *machine)
{
	cJSON_Delete(machine->gpu_names);
	machine->gpu_names = NULL;
}

/* The most common name; of equally common ones the first. */
static const char *most_common(const cJSON *names)
{
	const cJSON *one, *other;
	const char *best = NULL;
	int most = 0;

	cJSON_ArrayForEach(one, names)
	{
		int count = 0;
		cJSON_ArrayForEach(other, names)
		{
			count += strcmp(one->valuestring, other->valuestring) == 0;
		}
		if (count > most) {
			most = count;
			best = one->valuestring;
		}
	}
	return best;
}

static void add_text(cJSON *json, const char *key, const char *text)
{
	if (text && *text)
		cJSON_AddStringToObject(json, key, text);
	else
		cJSON_AddNullToObject(json, key);
}

cJSON *machine_json(const struct machine *machine)
{
	cJSON *json = cJSON_CreateObject();
	int gpus = cJSON_GetArraySize(machine->gpu_names);

	add_text(json, "os", machine->facts.os);
	add_text(json, "kernel", machine->facts.kernel);
	add_text(json, "architecture", machine->facts.architecture);
	add_text(json, "cpu_model", machine->facts.cpu_model);
	json_add_number(json, "vcpus", machine->facts.vcpus, 2);
	json_add_number(json, "memory_mib", machine->facts.memory_mib, 2);
	json_add_number(json, "cgroup_memory_limit_mib", machine->facts.memory_limit_mib, 2);
	json_add_number(json, "gpu_count", gpus, 0);
	cJSON_AddItemToObject(json, "gpu_names", cJSON_Duplicate(machine->gpu_names, true));
	add_text(json, "gpu_name", most_common(machine->gpu_names));
	json_add_number(json, "gpu_memory_mib", gpus > 0 ? machine->gpu_memory_mib : 0, 2);
	return json;
}
