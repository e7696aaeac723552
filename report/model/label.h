/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a program as users know it, the same in all tables, charts and sentences.
 *
 * JSON has the base name of the executable as `program`, by which processes are grouped. */
#ifndef RTRACK_REPORT_MODEL_LABEL_H
#define RTRACK_REPORT_MODEL_LABEL_H

#include "report/spool/processes.h"

struct label {
	char text[256];
};

/* The script that an interpreter runs, such as "job.py" of python3 -u job.py, or Python's module, such as "pytest" of
 * python3 -m pytest. Otherwise the name that was typed, such as "awk" for mawk, or the program. */
struct label label_of(const char *program, const char *command);
struct label process_label(const struct process *process);

/* Base name of the executable, or "(unknown)". */
const char *process_program(const struct process *process);

#endif
