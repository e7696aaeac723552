/* The runs of a group among each other: which comes first, and which are around others. */
#ifndef RTRACK_REPORT_MODEL_GROUP_ORDER_H
#define RTRACK_REPORT_MODEL_GROUP_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* As qsort asks for it: by rank, who has none last, and by their starts. */
int group_order(double rank, double start, double other_rank, double other_start);

/* A run of a group, by which others are found that are inside it or are the same once more. */
struct group_nest {
	const char *id, *parent;
	bool *around; /* set where it counts in no figure */
};
/* Sorts them. */
void group_mark_around(struct group_nest *nests, size_t count);

#endif
