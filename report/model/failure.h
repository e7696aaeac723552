/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that made a run fail, for messages such as "`cc -c x.c` ended with status 1 in part build". */
#ifndef RTRACK_REPORT_MODEL_FAILURE_H
#define RTRACK_REPORT_MODEL_FAILURE_H

#include "report/model/parts.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Walks down the process tree from the root, each time to the child that failed last. Stops at a process that
 * started another child after this failure. If a process is a shell, its child must have the same status, because
 * shells pass on the status of their last command. Helpers in lib or libexec, such as cc1, are skipped, because
 * users do not know them. Returns NULL if the run did not fail, or if the root itself failed. */
const struct process *failure_find(const struct run *run, const struct processes *processes);

/* Formats "`cc -c x.c` ended with status 1 in part build", or "" if `failed` is NULL. `parts` may be empty. */
enum { FAILURE_SIZE = 400 };
const char *failure_describe(const struct process *failed, const struct processes *processes, const struct parts *parts,
	char text[FAILURE_SIZE]);

/* Returns {"pid", "command", "exit_code", "exit_signal", "at_cpu_limit", "part"}, or null if `failed` is NULL. The
 * caller owns the result. */
cJSON *failure_json(const struct process *failed, const struct processes *processes, const struct parts *parts);

#endif
