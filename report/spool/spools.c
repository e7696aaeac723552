/* SPDX-License-Identifier: Apache-2.0 */
/* Expands the spools that --spool names. */
#include "report/spool/spools.h"

#include "report/say/array.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct spools *spools, const char *name)
{
	array_grow(&spools->items, spools->count, sizeof *spools->items);
	spools->items[spools->count++] = xstrdup(name);
}

/* A name without matches is kept, so that it is reported as unreadable. */
static void add_matches(struct spools *spools, const char *name)
{
	glob_t found;

	if (access(name, F_OK) == 0 || glob(name, GLOB_NOCHECK, NULL, &found) != 0) {
		add(spools, name);
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add(spools, found.gl_pathv[i]);
	globfree(&found);
}

void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only)
{
	*spools = (struct spools){0};
	for (size_t i = 0; i < count; i++)
		add_matches(spools, names[i]);
	if (count == 0)
		add(spools, only);
}

void spools_free(struct spools *spools)
{
	for (size_t i = 0; i < spools->count; i++)
		free(spools->items[i]);
	free(spools->items);
	*spools = (struct spools){0};
}
