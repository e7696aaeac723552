/* SPDX-License-Identifier: Apache-2.0 */
/* Finds symbols of a 64-bit ELF object (System V ABI) in another process. */
#include "sampler/lines/image.h"

#include "os/peek.h"

enum { PROGRAM_HEADERS_MAX = 32, DYNAMIC_MAX = 64, CHAIN_MAX = 4096, NAME_MAX_SIZE = 32 };
enum { LOAD = 1, DYNAMIC = 2 };                                     /* p_type */
enum { TAG_STRTAB = 5, TAG_SYMTAB = 6, TAG_GNU_HASH = 0x6ffffef5 }; /* d_tag */

struct header {
	uint8_t magic[4];
	uint8_t bits; /* 2 means 64 bits */
	uint8_t rest[11];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, program_headers, section_headers;
	uint32_t flags;
	uint16_t size, program_header_size, program_header_count, unused[3];
};

struct program_header {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_size, size, alignment;
};

struct dynamic {
	uint64_t tag, value;
};

struct symbol {
	uint32_t name;
	uint8_t info, other;
	uint16_t section; /* 0 if another object defines the symbol */
	uint64_t value, size;
};

bool image_copy(int pid, uint64_t at, void *to, size_t size)
{
	struct peek_range ours = {(uint64_t)(uintptr_t)to, size}, theirs = {at, size};
	return peek_read(pid, &ours, &theirs, 1) == (int64_t)size;
}

/* Converts an address in the dynamic section to a memory address. Some dynamic loaders have already converted it in
 * place. */
static uint64_t in_memory(const struct image *image, uint64_t value)
{
	return value >= image->bias ? value : value + image->bias;
}

static int read_dynamic(struct image *image, uint64_t at, uint64_t size)
{
	struct dynamic entries[DYNAMIC_MAX];
	/* Number of buckets, index of the first symbol, words in the Bloom filter, shift of the filter. */
	uint32_t head[4];
	size_t count = size / sizeof entries[0] < DYNAMIC_MAX ? (size_t)size / sizeof entries[0] : DYNAMIC_MAX;
	uint64_t hash = 0;

	if (!image_copy(image->pid, image->bias + at, entries, count * sizeof entries[0]))
		return -1;
	for (size_t i = 0; i < count && entries[i].tag != 0; i++) {
		if (entries[i].tag == TAG_STRTAB)
			image->strings = in_memory(image, entries[i].value);
		if (entries[i].tag == TAG_SYMTAB)
			image->symbols = in_memory(image, entries[i].value);
		if (entries[i].tag == TAG_GNU_HASH)
			hash = in_memory(image, entries[i].value);
	}
	if (image->strings == 0 || image->symbols == 0 || hash == 0 ||
		!image_copy(image->pid, hash, head, sizeof head) || head[0] == 0)
		return -1;
	image->bucket_count = head[0];
	image->first = head[1];
	image->buckets = hash + sizeof head + (uint64_t)head[2] * sizeof(uint64_t);
	image->chains = image->buckets + (uint64_t)head[0] * sizeof(uint32_t);
	return 0;
}

int image_open(struct image *image, int pid, uint64_t at)
{
	struct header header;
	struct program_header headers[PROGRAM_HEADERS_MAX];
	const struct program_header *dynamic = NULL;
	bool loaded = false;

	*image = (struct image){.pid = pid};
	if (!image_copy(pid, at, &header, sizeof header) || __builtin_memcmp(header.magic, "\177ELF", 4) != 0 ||
		header.bits != 2 || header.program_header_size != sizeof headers[0])
		return -1;
	size_t count = header.program_header_count < PROGRAM_HEADERS_MAX ? header.program_header_count
									 : (size_t)PROGRAM_HEADERS_MAX;
	if (!image_copy(pid, at + header.program_headers, headers, count * sizeof headers[0]))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (headers[i].type == LOAD && !loaded) {
			image->bias = at - (headers[i].address - headers[i].offset);
			loaded = true;
		}
		if (headers[i].type == DYNAMIC)
			dynamic = &headers[i];
	}
	return loaded && dynamic ? read_dynamic(image, dynamic->address, dynamic->size) : -1;
}

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

static bool is_named(const struct image *image, const struct symbol *symbol, const char *name)
{
	char seen[NAME_MAX_SIZE];
	size_t size = text_length(name) + 1;

	return size <= sizeof seen && image_copy(image->pid, image->strings + symbol->name, seen, size) &&
	       __builtin_memcmp(seen, name, size) == 0;
}

uint64_t image_find(const struct image *image, const char *name)
{
	uint32_t hash = hash_of(name), index, seen;
	struct symbol symbol;

	if (!image_copy(image->pid, image->buckets + hash % image->bucket_count * sizeof index, &index, sizeof index) ||
		index < image->first)
		return 0;
	for (int i = 0; i < CHAIN_MAX; i++, index++) {
		if (!image_copy(image->pid, image->chains + (uint64_t)(index - image->first) * sizeof seen, &seen,
			    sizeof seen))
			return 0;
		if ((seen | 1) == (hash | 1) &&
			image_copy(
				image->pid, image->symbols + (uint64_t)index * sizeof symbol, &symbol, sizeof symbol) &&
			is_named(image, &symbol, name))
			return symbol.section != 0 ? image->bias + symbol.value : 0;
		if (seen & 1)
			return 0;
	}
	return 0;
}
