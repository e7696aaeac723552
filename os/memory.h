/* SPDX-License-Identifier: Apache-2.0 */
/* Anonymous memory mappings. As in all of os/, no function changes errno, allocates through a C library or retries. */
#ifndef RTRACK_OS_MEMORY_H
#define RTRACK_OS_MEMORY_H

#include <stddef.h>

void *os_map(size_t size); /* Returns zeroed memory, or NULL on failure. */
/* As os_map, but children of fork do not get the mapping (MADV_DONTFORK). A fork of the host therefore copies no page
 * tables for it, and its pages never become copy-on-write. Use it only for memory of the sampling thread. */
void *os_map_apart(size_t size);
/* Resizes a mapping of os_map_apart, which may move; `data` may be NULL. Returns NULL on failure, and then the old
 * mapping is intact. */
void *os_remap_apart(void *data, size_t old_size, size_t size);
void os_unmap(void *data, size_t size); /* ignores NULL */

#endif
