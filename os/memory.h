/* Memory in mappings of our own; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_MEMORY_H
#define RTRACK_OS_MEMORY_H

#include <stddef.h>

void *os_map(size_t size); /* zeroed; NULL when there is none */
/* The same, and a child of fork has none of it. Its fork need not copy the tables of these pages, and its end need not
 * let go of them. We meet no page that it shares with us. For what only the thread that samples touches. */
void *os_map_apart(size_t size);
/* Of what os_map_apart gave, or NULL: may move; NULL, with the old one kept. */
void *os_remap_apart(void *data, size_t old_size, size_t size);
void os_unmap(void *data, size_t size); /* NULL: nothing */

#endif
