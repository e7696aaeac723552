/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a program as users know it, the same in every table, chart and sentence for a person.
 *
 * JSON has the base name of the executable as `program`, by which processes are added up. */
#ifndef RTRACK_REPORT_MODEL_LABEL_H
#define RTRACK_REPORT_MODEL_LABEL_H

#include "report/spool/processes.h"

struct label {
	char text[256];
};

/* The script that an interpreter runs, "job.py" of python3 -u job.py; Python's module, "pytest" of python3 -m pytest;
 * else the name that was typed, "awk" of mawk; else the program. */
struct label label_of(const char *program, const char *command);
struct label process_label(const struct process *process);

/* The base name of the executable; "(unknown)". */
const char *process_program(const struct process *process);

#endif
