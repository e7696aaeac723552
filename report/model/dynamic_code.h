/* SPDX-License-Identifier: Apache-2.0 */
/* The script of functions that a program has sent to its workers.
 *
 * joblib, Dask, Ray and Spark use cloudpickle to send functions of a script to worker processes. In a worker, the file
 * name of such a function is <dynamic-code>, but its line numbers are still the line numbers of the script. */
#ifndef RTRACK_REPORT_MODEL_DYNAMIC_CODE_H
#define RTRACK_REPORT_MODEL_DYNAMIC_CODE_H

#include "report/spool/code_rows.h"
#include "report/spool/processes.h"

/* Replaces <dynamic-code> in rows and their stacks by the script of the nearest ancestor that runs a .py file. May
 * reorder the rows. `cwd` is the directory of the job. It completes the name of a script without a path. */
void dynamic_code_resolve(struct code_rows *rows, const struct processes *processes, const char *cwd);

#endif
