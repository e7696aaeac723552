/* Which run of a group comes first. */
#ifndef RTRACK_REPORT_MODEL_GROUP_ORDER_H
#define RTRACK_REPORT_MODEL_GROUP_ORDER_H

/* As qsort asks for it: by rank, a run without one last, and by their starts. */
int group_order(double rank, double start, double other_rank, double other_start);

#endif
