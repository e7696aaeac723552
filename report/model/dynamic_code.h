/* SPDX-License-Identifier: Apache-2.0 */
/* The script of functions that a program has sent to its workers.
 *
 * cloudpickle, which joblib, Dask, Ray and Spark use, sends the functions of a script to worker processes under the
 * file name <dynamic-code>. Their line numbers are those of the script. */
#ifndef RTRACK_REPORT_MODEL_DYNAMIC_CODE_H
#define RTRACK_REPORT_MODEL_DYNAMIC_CODE_H

#include "report/spool/code_rows.h"
#include "report/spool/processes.h"

/* Replaces <dynamic-code> in rows and their stacks by the script of the nearest ancestor that runs a .py file. May
 * reorder the rows. `cwd`: directory of the job, for a script without a path. */
void dynamic_code_resolve(struct code_rows *rows, const struct processes *processes, const char *cwd);

#endif
