/* Which run of a group comes first; see group_order.h. */
#include "report/model/group_order.h"

#include "core/number.h"

int group_order(double rank, double start, double other_rank, double other_start)
{
	if (number_known(rank) != number_known(other_rank))
		return number_known(rank) ? -1 : 1;
	if (rank != other_rank && number_known(rank))
		return rank < other_rank ? -1 : 1;
	return (start > other_start) - (start < other_start);
}
