/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the memory of another process without stopping it. As in all of os/, no function changes errno, allocates or
 * retries. */
#ifndef RTRACK_OS_PEEK_H
#define RTRACK_OS_PEEK_H

#include "core/base.h"

/* A range of memory, with the layout of struct iovec on 64-bit kernels. */
struct peek_range {
	uint64_t at;
	uint64_t size;
};
enum { PEEK_RANGES_MAX = 1024 };

/* Copies `count` ranges (up to PEEK_RANGES_MAX) of a process's memory into ranges of this process with the same sizes.
 * The process keeps running. Returns the number of bytes copied, counted from the first range. OS_ERROR_NOT_OURS: no
 * permission to read this process. */
int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count);

/* Calls `take` with the path and address of each file that a process has mapped from offset 0, until `take` returns
 * true. Returns 1 if it did, 0 if not, or a negative os_error. `data` is a scratch buffer. */
int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context);

/* Reads a regular file from its beginning. `path` is resolved with the root and working directory of the process `pid`.
 * Returns the number of bytes read, or a negative os_error. */
int64_t peek_file(int pid, struct text path, char *data, size_t capacity);

/* Returns the CPU time of a thread in ns, or 0 if unknown. */
uint64_t peek_thread_cpu_ns(int pid, uint64_t thread);

#endif
