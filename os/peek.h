/* The memory of another process, read without stopping it; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_PEEK_H
#define RTRACK_OS_PEEK_H

#include "core/base.h"

/* A stretch of memory; the kernel's struct iovec where pointers have 64 bits. */
struct peek_range {
	uint64_t at;
	uint64_t size;
};
enum { PEEK_RANGES_MAX = 1024 };

/* Copies ranges of a process' memory into ranges of ours of the same sizes, `count` of them, up to PEEK_RANGES_MAX.
 * Returns how many bytes were copied, from the first range on; the process goes on meanwhile. OS_ERROR_NOT_OURS: this
 * process may not be read. */
int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count);

/* Calls `take` with the path of each file that a process has mapped from its beginning on and where that is, until it
 * returns true. 1: it did; 0: it did not; or a negative os_error. `data`: room for the texts of the kernel. */
int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context);

/* Reads a regular file from its beginning: `path` as that process names it, within its root and from its working
 * directory. Returns how many bytes; negative: there is none, or it may not be read. */
int64_t peek_file(int pid, struct text path, char *data, size_t capacity);

/* The CPU time of a thread in ns; 0: unknown. */
uint64_t peek_thread_cpu_ns(int pid, uint64_t thread);

#endif
