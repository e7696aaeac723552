/* Runs of a group among each other; see order.h. */
#include "report/model/group_order.h"

#include "core/number.h"

#include <stdlib.h>
#include <string.h>

int group_order(double rank, double start, double other_rank, double other_start)
{
	if (number_known(rank) != number_known(other_rank))
		return number_known(rank) ? -1 : 1;
	if (rank != other_rank && number_known(rank))
		return rank < other_rank ? -1 : 1;
	return (start > other_start) - (start < other_start);
}

static int by_id(const void *a, const void *b)
{
	return strcmp(((const struct group_nest *)a)->id, ((const struct group_nest *)b)->id);
}

/* The same run may be in two spools, or in one that was named twice: once is enough. */
void group_mark_around(struct group_nest *nests, size_t count)
{
	qsort(nests, count, sizeof *nests, by_id);
	for (size_t i = 1; i < count; i++)
		if (strcmp(nests[i - 1].id, nests[i].id) == 0)
			*nests[i].around = true;
	for (size_t i = 0; i < count; i++) {
		struct group_nest wanted = {.id = nests[i].parent};
		struct group_nest *found = bsearch(&wanted, nests, count, sizeof *nests, by_id);
		if (found)
			*found->around = true;
	}
}
