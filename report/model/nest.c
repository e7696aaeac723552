/* Which run counts in a sum; see nest.h. */
#include "report/model/nest.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct nest *)a)->id, ((const struct nest *)b)->id);
}

/* The first of those with that id. */
static const struct nest *find(const struct nest *nests, size_t count, const char *id)
{
	const struct nest wanted = {.id = id};
	const struct nest *found = bsearch(&wanted, nests, count, sizeof *nests, by_id);

	while (found && found->again)
		found--;
	return found;
}

/* Runs of one start may name each other in a circle, in damaged files: therefore a way up has an end. */
static bool is_asked_around(const struct nest *nest)
{
	enum { OUTER_MOST = 64 };

	nest = nest->around;
	for (int outer = 0; nest && outer < OUTER_MOST; outer++, nest = nest->around)
		if (nest->asked)
			return true;
	return false;
}

void nest_find(struct nest *nests, size_t count)
{
	qsort(nests, count, sizeof *nests, by_id);
	for (size_t i = 1; i < count; i++)
		nests[i].again = strcmp(nests[i - 1].id, nests[i].id) == 0;
	for (size_t i = 0; i < count; i++) {
		const struct nest *found = find(nests, count, nests[i].parent);
		/* A run that began later is around none, whatever a file says. */
		bool around = found && found != &nests[i] && found->start_time <= nests[i].start_time;
		nests[i].around = around ? found : NULL;
	}
	for (size_t i = 0; i < count; i++)
		nests[i].asked_around = is_asked_around(&nests[i]);
}
