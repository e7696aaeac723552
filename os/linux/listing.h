/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over the entries of a directory. The caller provides the buffer. */
#ifndef RTRACK_OS_LINUX_LISTING_H
#define RTRACK_OS_LINUX_LISTING_H

#include "core/base.h"

/* struct linux_dirent64 of getdents(2), which no kernel header declares. */
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

/* Opens a directory. `data` must be aligned to 8 bytes. On failure, the listing is empty and listing_close returns the
 * error. */
void listing_open(struct listing *listing, const char *path, char *data, size_t capacity);

/* listing_next advances to the next entry. The other function skips to the next name that is a number. Both return
 * false at the end, or on an error. */
bool listing_next(struct listing *listing);
bool listing_next_number(struct listing *listing, uint64_t *number);

/* Returns 0 if all entries requested so far could be read, or a negative os_error. */
int listing_close(struct listing *listing);

#endif
