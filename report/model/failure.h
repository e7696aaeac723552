/* SPDX-License-Identifier: Apache-2.0 */
/* The process that made a failed run fail: "`cc -c x.c` ended with status 1 in part build". */
#ifndef RTRACK_REPORT_MODEL_FAILURE_H
#define RTRACK_REPORT_MODEL_FAILURE_H

#include "report/model/parts.h"
#include "report/say/json.h"
#include "report/spool/processes.h"
#include "report/spool/run.h"

/* From the root down, as long as a child failed last and its parent started no other after that. A shell passes on only
 * what has its own status; another program (make, Python) has one of its own. Helpers of a program (cc1 of cc), which
 * lie in its lib or libexec, are not what a person typed: the program is named. NULL: the run has not failed, or its
 * root failed by itself. */
const struct process *failure_find(const struct run *run, const struct processes *processes);

/* "`cc -c x.c` ended with status 1 in part build"; "" without a failure. `parts` may be empty. */
enum { FAILURE_SIZE = 400 };
const char *failure_describe(const struct process *failed, const struct parts *parts, char text[FAILURE_SIZE]);

/* {"pid", "command", "exit_code", "exit_signal", "part"}, or null. The caller owns it. */
cJSON *failure_json(const struct process *failed, const struct parts *parts);

#endif
