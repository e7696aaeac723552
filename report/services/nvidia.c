/* SPDX-License-Identifier: Apache-2.0 */
/* Lists NVIDIA GPUs with nvidia-smi. */
#include "report/services/nvidia.h"

#include "core/number.h"
#include "report/services/program.h"

#include <stdlib.h>
#include <string.h>

#define DRIVER_SECONDS 10.0 /* an idle driver is initialized first, which takes some seconds with many GPUs */
enum { LIST_MAX = 1 << 18, NAME_SIZE = 128 };

/* Parses "NVIDIA T4, 15360". A GPU that fell off its bus has an error message instead, without a number after a
 * comma. */
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

unsigned nvidia_read(cJSON *names, double *memory_mib)
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
