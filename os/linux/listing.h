/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over the entries of a directory. The caller provides the buffer. */
#ifndef RTRACK_OS_LINUX_LISTING_H
#define RTRACK_OS_LINUX_LISTING_H

#include "core/base.h"

/* struct linux_dirent64 of getdents64(2). No kernel header for programs declares it. */
struct directory_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

struct listing {
	char *data;
	size_t capacity;
	const struct directory_entry *entry; /* the current entry */
	int directory;
	long at;
	long length;
};

/* Opens a directory. `data` must be aligned to 8 bytes. If this fails, the listing is empty, and listing_close returns
 * the error. */
void listing_open(struct listing *listing, const char *path, char *data, size_t capacity);

/* Advance to the next entry, or to the next entry whose name is a number. Both return false at the end of the directory
 * or after an error. */
bool listing_next(struct listing *listing);
bool listing_next_number(struct listing *listing, uint64_t *number);

/* Closes the directory. Returns 0, or a negative os_error if an entry could not be read. */
int listing_close(struct listing *listing);

#endif
