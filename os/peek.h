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

/* Copies `count` ranges (up to PEEK_RANGES_MAX) of the memory of a process to ranges of this process with the same
 * sizes. The process is not stopped. Returns the number of bytes copied, from the beginning of the first range. Returns
 * OS_ERROR_NOT_OURS if this process may not read the other one. */
int64_t peek_read(int pid, const struct peek_range *ours, const struct peek_range *theirs, size_t count);

/* Calls `take` for each file that a process has mapped from offset 0, with the path and the address, until `take`
 * returns true. Returns 1 if `take` has returned true, 0 if not, or a negative os_error. `data` is a scratch buffer. */
int peek_images(int pid, struct buffer data, bool (*take)(void *context, struct text path, uint64_t at), void *context);

/* Reads a regular file from its beginning. `path` is resolved as in the process `pid`, with its root and working
 * directory. Returns the number of bytes read, or a negative os_error. */
int64_t peek_file(int pid, struct text path, char *data, size_t capacity);

/* Calls `take` with each name in a directory, like os_list. `path` is resolved as in peek_file. Returns 0, or a
 * negative os_error. */
int peek_list(int pid, struct text path, void (*take)(void *context, const char *name), void *context);

/* Returns the CPU time of a thread in ns, or 0 if unknown. */
uint64_t peek_thread_cpu_ns(int pid, uint64_t thread);

#endif
