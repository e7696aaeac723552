/* SPDX-License-Identifier: Apache-2.0 */
/* The spools that --spool names: directories, and globs of them, such as one for each node in a shared directory. */
#ifndef RTRACK_REPORT_SPOOL_SPOOLS_H
#define RTRACK_REPORT_SPOOL_SPOOLS_H

#include <stddef.h>

struct spools {
	char **items; /* owned */
	size_t count; /* at least 1 */
};

/* `names` as they were given; those that are no file, and match some, stand for what they match. Without any it is
 * `only`. */
void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only);
void spools_free(struct spools *spools);

#endif
