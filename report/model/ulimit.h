/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that ended a run because it reached a per-process memory limit (setrlimit(2), `ulimit`).
 *
 * * The kernel does not report failed allocations. Two facts are required instead: a process failed with nearly all of
 * its limit in use, and its status reached the root of the run. Shells pass on the status of their last command. */
#ifndef RTRACK_REPORT_MODEL_ULIMIT_H
#define RTRACK_REPORT_MODEL_ULIMIT_H

#include "report/spool/processes.h"

struct ulimit {
	const struct process *process; /* the process that failed, or NULL */
	bool of_data;                  /* the limit is RLIMIT_DATA; otherwise RLIMIT_AS */
	double limit_mib;
	double used_mib; /* usage of the limited resource, lower bound */
};

struct ulimit ulimit_find(const struct run *run, const struct processes *processes);

#endif
