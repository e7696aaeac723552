/* SPDX-License-Identifier: Apache-2.0 */
/* Memory mappings of our own. As in all of os/, no function changes errno, allocates through a C library or retries. */
#ifndef RTRACK_OS_MEMORY_H
#define RTRACK_OS_MEMORY_H

#include <stddef.h>

void *os_map(size_t size); /* zeroed; NULL on failure */
/* As os_map, but the mapping is excluded from children of fork. A fork of the host therefore does not copy the page
 * tables, and no page is ever shared copy-on-write with a child. Use it for memory that only the sampling thread
 * touches. */
void *os_map_apart(size_t size);
/* Resizes a mapping of os_map_apart, or NULL, and may move it. Returns NULL on failure, with the old mapping intact. */
void *os_remap_apart(void *data, size_t old_size, size_t size);
void os_unmap(void *data, size_t size); /* ignores NULL */

#endif
