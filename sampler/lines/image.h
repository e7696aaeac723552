/* Where a program or a library in another process has a name, by its dynamic symbols in memory.
 *
 * Its file is not opened: it may be in another mount namespace, or deleted. */
#ifndef RTRACK_SAMPLER_LINES_IMAGE_H
#define RTRACK_SAMPLER_LINES_IMAGE_H

#include "core/base.h"

struct image {
	int pid;
	uint64_t bias; /* what is added to an address of the file */
	uint64_t strings;
	uint64_t symbols;
	uint64_t buckets; /* of the GNU hash table */
	uint64_t chains;
	uint32_t bucket_count;
	uint32_t first; /* symbol in the hash table */
};

/* `at`: where the beginning of its file is mapped. 0; -1: it is no image that can be read. */
int image_open(struct image *image, int pid, uint64_t at);

/* The address of a name that it defines; 0: none. */
uint64_t image_find(const struct image *image, const char *name);

/* The eight bytes at an offset of what was copied. */
static inline uint64_t image_word(const uint8_t *bytes, size_t offset)
{
	uint64_t value;
	__builtin_memcpy(&value, bytes + offset, sizeof value);
	return value;
}

/* Copies `size` bytes of a process' memory: whether all could be read. */
bool image_copy(int pid, uint64_t at, void *to, size_t size);

#endif
