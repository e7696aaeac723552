/* SPDX-License-Identifier: Apache-2.0 */
/* The spools that --spool names: directories, or globs such as one directory per node. */
#ifndef RTRACK_REPORT_SPOOL_SPOOLS_H
#define RTRACK_REPORT_SPOOL_SPOOLS_H

#include <stddef.h>

struct spools {
	char **items; /* owned */
	size_t count; /* number of spools, at least 1 */
};

/* Expands `names`: a name that does not exist but matches as a glob is replaced by its matches. Without names, the
 * result is `only`. */
void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only);
void spools_free(struct spools *spools);

#endif
