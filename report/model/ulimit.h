/* Who ended a run for want of memory at a limit that the system sets to each process (setrlimit(2), `ulimit`).
 *
 * Nobody tells that an allocation failed. What is known is that a process failed with nearly all of its limit in use,
 * and that its status went up to the run's root, as shells pass on that of their last command; nothing less is taken
 * for it. */
#ifndef RTRACK_REPORT_MODEL_ULIMIT_H
#define RTRACK_REPORT_MODEL_ULIMIT_H

#include "report/spool/processes.h"

struct ulimit {
	const struct process *process; /* NULL: nobody */
	bool of_data;                  /* RLIMIT_DATA; else RLIMIT_AS */
	double limit_mib;
	double used_mib; /* of what is limited, at least */
};

struct ulimit ulimit_find(const struct run *run, const struct processes *processes);

#endif
