/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the address of a symbol in a program or library of another process, from the dynamic symbols in its memory. The
 * file is not opened, because it may be in another mount namespace, or deleted. */
#ifndef RTRACK_SAMPLER_LINES_IMAGE_H
#define RTRACK_SAMPLER_LINES_IMAGE_H

#include "core/base.h"

struct image {
	int pid;
	uint64_t bias; /* difference between memory addresses and file addresses */
	uint64_t strings;
	uint64_t symbols;
	uint64_t buckets; /* address of the buckets of the GNU hash table */
	uint64_t chains;
	uint32_t bucket_count;
	uint32_t first; /* index of the first symbol in the hash table */
};

/* Opens an ELF object. `at`: address at which the beginning of its file is mapped. Returns 0, or -1 if it is not a
 * readable ELF object. */
int image_open(struct image *image, int pid, uint64_t at);

/* Returns the address of a symbol that the object defines, or 0. */
uint64_t image_find(const struct image *image, const char *name);

/* Returns the eight bytes at an offset of a copied structure. */
static inline uint64_t image_word(const uint8_t *bytes, size_t offset)
{
	uint64_t value;
	__builtin_memcpy(&value, bytes + offset, sizeof value);
	return value;
}

/* Copies `size` bytes of a process's memory. Returns false if not all could be read. */
bool image_copy(int pid, uint64_t at, void *to, size_t size);

#endif
