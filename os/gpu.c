/* SPDX-License-Identifier: Apache-2.0 */
/* Size and checksum of the record that rtrack-gpu writes. */
#include "os/gpu.h"

size_t gpu_record_size(uint64_t count)
{
	return offsetof(struct gpu_record, uses) + count * sizeof(struct gpu_use);
}

uint64_t gpu_record_sum(const struct gpu_record *record)
{
	const uint64_t prime = 0x100000001b3; /* The checksum is FNV-1a over words of 64 bits. */
	const uint64_t *words = (const uint64_t *)record;
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 1; i < gpu_record_size(record->count) / sizeof *words; i++)
		sum = (sum ^ words[i]) * prime;
	return sum;
}
