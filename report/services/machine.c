/* SPDX-License-Identifier: Apache-2.0 */
/* Reads facts about this machine. */
#define _GNU_SOURCE
#include "report/services/machine.h"

#include "core/number.h"
#include "report/services/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* time limit of nvidia-smi in seconds; an idle driver takes some seconds to initialize many GPUs */
#define DRIVER_SECONDS 10.0
enum { LIST_MAX = 1 << 18, NAME_SIZE = 128 };

/* Parses a line of nvidia-smi such as "NVIDIA T4, 15360". If a GPU fell off its bus, its line is an error message
 * without a number after a comma. */
static bool read_line(struct text line, char name[NAME_SIZE], double *memory_mib)
{
	size_t comma = line.length;

	while (comma > 0 && line.data[comma - 1] != ',')
		comma--;
	if (comma < 2 || comma > NAME_SIZE)
		return false;
	struct text memory = {line.data + comma, line.length - comma};
	while (memory.length > 0 && *memory.data == ' ')
		memory = (struct text){memory.data + 1, memory.length - 1};
	*memory_mib = UNKNOWN;
	if (number_read(memory, memory_mib) != 0 && !text_starts(memory, "["))
		return false;
	memcpy(name, line.data, comma - 1);
	name[comma - 1] = '\0';
	return true;
}

/* Lists NVIDIA GPUs with nvidia-smi, which is part of every driver installation and of every container with GPU access.
 * Appends the name of each GPU to `names`, and stores the total memory in MiB, or UNKNOWN if one GPU does not report
 * it. Returns the number of GPUs, or 0 without changes if nvidia-smi is missing or fails. */
static unsigned nvidia_read(cJSON *names, double *memory_mib)
{
	static const char *const query[] = {
		"nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits", NULL};
	char *answer = program_answer(query, DRIVER_SECONDS, LIST_MAX);
	struct text rest = text_of(answer ? answer : "");
	unsigned count = 0;
	double sum = 0;

	while (rest.length > 0) {
		size_t end = text_find(rest, '\n', 0);
		size_t next = end < rest.length ? end + 1 : end;
		char name[NAME_SIZE];
		double memory;
		if (read_line((struct text){rest.data, end}, name, &memory)) {
			cJSON_AddItemToArray(names, cJSON_CreateString(name));
			sum += memory;
			count++;
		}
		rest = (struct text){rest.data + next, rest.length - next};
	}
	if (count > 0)
		*memory_mib = sum;
	free(answer);
	return count;
}

/* -- GPUs ------------------------------------------------------------------------------------------ */

struct taking {
	struct machine *machine;
	bool nvidia; /* whether to list NVIDIA boards too, because nvidia-smi listed no GPU */
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
	add_text(json, "gpu_name", json_most_common(machine->gpu_names));
	json_add_number(json, "gpu_memory_mib", gpus > 0 ? machine->gpu_memory_mib : 0, 2);
	return json;
}
