/* SPDX-License-Identifier: Apache-2.0 */
/* The label of a program: the name under which users know it. All tables, charts and sentences use the same label.
 *
 * In JSON, `program` is the base name of the executable instead, because processes are grouped by executable. */
#ifndef RTRACK_REPORT_MODEL_LABEL_H
#define RTRACK_REPORT_MODEL_LABEL_H

#include "report/spool/processes.h"

struct label {
	char text[256];
};

/* Returns the label of a program. For an interpreter, this is the script or the module, such as "job.py" for
 * `python3 -u job.py` or "pytest" for `python3 -m pytest`. For other programs, this is the name that the user typed,
 * such as "awk" if the executable is mawk. */
struct label label_of(const char *program, const char *command);
struct label process_label(const struct process *process);

/* Returns the base name of the executable, or "(unknown)". */
const char *process_program(const struct process *process);

#endif
