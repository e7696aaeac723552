/* What a directory lists, name by name, into room that the caller has. */
#ifndef RTRACK_OS_LINUX_LISTING_H
#define RTRACK_OS_LINUX_LISTING_H

#include "core/base.h"

/* struct linux_dirent64 of getdents(2), which no header of the kernel's shows. */
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
	const struct directory_entry *entry; /* the last one that was asked for */
	int directory;
	long at;
	long length;
};

/* `data`: at a multiple of 8. Where the directory cannot be opened nothing is listed, and listing_close says so. */
void listing_open(struct listing *listing, const char *path, char *data, size_t capacity);

/* The next entry, or the next with a number as its name; false at the end, or where the rest cannot be read. */
bool listing_next(struct listing *listing);
bool listing_next_number(struct listing *listing, uint64_t *number);

/* 0: as far as it was asked for, it could be read. */
int listing_close(struct listing *listing);

#endif
