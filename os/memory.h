/* Memory in mappings of our own; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_MEMORY_H
#define RTRACK_OS_MEMORY_H

#include <stddef.h>

void *os_map(size_t size);                                /* zeroed; NULL when there is none */
void *os_remap(void *data, size_t old_size, size_t size); /* may move; NULL, with the old one kept */
void os_unmap(void *data, size_t size);                   /* NULL: nothing */

#endif
