/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the process that made a run fail, for messages such as "`cc -c x.c` ended with status 1 in part build". */
#ifndef RTRACK_REPORT_MODEL_FAILURE_H
#define RTRACK_REPORT_MODEL_FAILURE_H

#include "report/model/parts.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"

/* Walks down from the root to the child that failed last, as long as its parent started no other child afterwards. A
 * shell passes on only its own last status; other programs (make, Python) have a status of their own. Helpers in lib or
 * libexec (cc1 of cc) are skipped, because users know the program that they typed. Returns NULL if the run did not
 * fail, or if its root failed by itself. */
const struct process *failure_find(const struct run *run, const struct processes *processes);

/* Formats "`cc -c x.c` ended with status 1 in part build", or "" without a failure. `parts` may be empty. */
enum { FAILURE_SIZE = 400 };
const char *failure_describe(const struct process *failed, const struct parts *parts, char text[FAILURE_SIZE]);

/* Returns {"pid", "command", "exit_code", "exit_signal", "part"} or null, owned by the caller. */
cJSON *failure_json(const struct process *failed, const struct parts *parts);

#endif
