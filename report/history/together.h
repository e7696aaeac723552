/* What runs of one machine used together. */
#ifndef RTRACK_REPORT_HISTORY_TOGETHER_H
#define RTRACK_REPORT_HISTORY_TOGETHER_H

#include "report/model/at_once.h"
#include "report/model/use.h"

struct together {
	struct use before; /* of all runs that had ended when those of `now` began */
	struct use now;    /* of runs each of which began before all others had ended */
	bool any_before, any_now;
	double start, stop; /* of the first and the last of all */
	double machine_mib;
	struct at_once least, most; /* of their peaks: as far as they were seen, and at most */
};

/* Makes room for `most` runs. Returns 0, or -1 with errno when there is no memory. */
int together_begin(struct together *all, size_t most);
/* Adds a run, in the order of their starts. `stop` and `machine_mib` may be UNKNOWN. */
void together_add(struct together *all, double start, double stop, double machine_mib, const struct use *use);
/* Fills `use` if there was a run, and returns whether. When each run had its peak is not kept: those of all that were
 * there at one time count together, so that it is no less than they are known to have had, and may be more. */
bool together_end(struct together *all, struct use *use);

#endif
