/* SPDX-License-Identifier: Apache-2.0 */
/* The process that ended a run for lack of memory at a limit of each process (setrlimit(2), `ulimit`).
 *
 * The kernel does not tell that an allocation failed. What is known: a process failed with nearly all of its limit in
 * use, and its status went up to the run's root, as shells pass on that of their last command. Both are needed. */
#ifndef RTRACK_REPORT_MODEL_ULIMIT_H
#define RTRACK_REPORT_MODEL_ULIMIT_H

#include "report/spool/processes.h"

struct ulimit {
	const struct process *process; /* NULL: none */
	bool of_data;                  /* RLIMIT_DATA; else RLIMIT_AS */
	double limit_mib;
	double used_mib; /* of what is limited, at least */
};

struct ulimit ulimit_find(const struct run *run, const struct processes *processes);

#endif
