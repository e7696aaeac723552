/* Runs in runs; see nest.h. */
#include "report/history/nest.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct nest *)a)->id, ((const struct nest *)b)->id);
}

/* A run that began later is around none, whatever a file says: so that no walk up goes in a circle. */
static bool began_before(const struct nest *a, const struct nest *b)
{
	return a->start_time < b->start_time || (a->start_time == b->start_time && strcmp(a->id, b->id) < 0);
}

static bool is_asked_around(const struct nest *nest)
{
	for (nest = nest->around; nest; nest = nest->around)
		if (nest->asked)
			return true;
	return false;
}

void nest_find(struct nest *nests, size_t count)
{
	qsort(nests, count, sizeof *nests, by_id);
	for (size_t i = 0; i < count; i++) {
		struct nest wanted = {.id = nests[i].parent};
		const struct nest *found = bsearch(&wanted, nests, count, sizeof *nests, by_id);
		nests[i].around = found && began_before(found, &nests[i]) ? found : NULL;
	}
	for (size_t i = 0; i < count; i++)
		nests[i].asked_around = is_asked_around(&nests[i]);
}
