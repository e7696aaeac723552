/* The spools that --spool names; see spools.h. */
#include "report/spool/spools.h"

#include "report/say/array.h"
#include "report/say/message.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int add(struct spools *spools, const char *name)
{
	array_grow(&spools->items, spools->count, sizeof *spools->items);
	spools->items[spools->count++] = xstrdup(name);
	return 0;
}

/* A name that matches nothing stays as it is, so that it is the one that cannot be read. */
static int add_matches(struct spools *spools, const char *name)
{
	glob_t found;
	int result = 0;

	if (access(name, F_OK) == 0 || glob(name, GLOB_NOCHECK, NULL, &found) != 0)
		return add(spools, name);
	for (size_t i = 0; result == 0 && i < found.gl_pathc; i++)
		result = add(spools, found.gl_pathv[i]);
	globfree(&found);
	return result;
}

int spools_find(struct spools *spools, const char *const *names, size_t count, const char *only)
{
	int result = 0;

	*spools = (struct spools){0};
	for (size_t i = 0; result == 0 && i < count; i++)
		result = add_matches(spools, names[i]);
	if (count == 0)
		result = add(spools, only);
	if (result == 0)
		return 0;
	message_print("out of memory");
	spools_free(spools);
	return -1;
}

void spools_free(struct spools *spools)
{
	for (size_t i = 0; i < spools->count; i++)
		free(spools->items[i]);
	free(spools->items);
	*spools = (struct spools){0};
}
