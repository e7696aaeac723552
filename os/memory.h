/* SPDX-License-Identifier: Apache-2.0 */
/* Anonymous memory mappings. As in all of os/, no function changes errno, allocates through a C library or retries. */
#ifndef RTRACK_OS_MEMORY_H
#define RTRACK_OS_MEMORY_H

#include <stddef.h>

void *os_map(size_t size); /* Returns zeroed memory, or NULL if there is not enough. */
/* Maps memory that children of fork do not get (MADV_DONTFORK). A fork of the host therefore copies no page tables for
 * it, and its pages do not become copy-on-write. Only the sampling thread may use this memory. */
void *os_map_apart(size_t size);
/* Resizes a mapping from os_map_apart, and may move it. If `data` is NULL, creates a mapping. Returns NULL on failure,
 * and the old mapping then stays valid. */
void *os_remap_apart(void *data, size_t old_size, size_t size);
void os_unmap(void *data, size_t size); /* ignores NULL */

#endif
