/* What runs of one machine used together; see together.h. */
#include "report/history/together.h"

#include "core/number.h"

#include <math.h>

int together_begin(struct together *all, size_t most)
{
	*all = (struct together){.start = UNKNOWN, .stop = UNKNOWN, .machine_mib = UNKNOWN};
	if (at_once_begin(&all->least, most) != 0)
		return -1;
	if (at_once_begin(&all->most, most) == 0)
		return 0;
	at_once_end(&all->least);
	return -1;
}

static void end_now(struct together *all)
{
	if (all->any_before)
		use_follow(&all->before, &all->now);
	else
		all->before = all->now;
	all->any_before = true;
	all->any_now = false;
}

void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use)
{
	double end = known_first(stop, INFINITY);

	if (all->any_now && start >= all->stop)
		end_now(all);
	if (all->any_now)
		use_add(&all->now, use);
	else
		all->now = *use;
	all->any_now = true;
	all->start = known_first(all->start, start);
	all->stop = known_larger(all->stop, end);
	all->machine_mib = known_larger(all->machine_mib, machine_mib);
	at_once_add(&all->least, start, end, use->peak_mib);
	at_once_add(&all->most, start, end, use->peak_most_mib);
}

bool together_end(struct together *all, struct use *use)
{
	double least = at_once_end(&all->least), most = at_once_end(&all->most);

	if (all->any_now)
		end_now(all);
	if (!all->any_before)
		return false;
	*use = all->before;
	if (isfinite(all->stop))
		use->seconds = all->stop - all->start;
	use->peak_most_mib = use_peak_at_most(use, all->machine_mib, most);
	if (number_known(least))
		use->peak_mib = fmin(fmin(least, all->machine_mib), use->peak_most_mib);
	return true;
}
