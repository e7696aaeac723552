/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs and reads their output: nvidia-smi, and the checks of doctor.
 *
 * Drivers are queried through programs instead of libraries, because a static program cannot load a library ("The
 * report and the network" in docs/design.md). */
#ifndef RTRACK_REPORT_SERVICES_PROGRAM_H
#define RTRACK_REPORT_SERVICES_PROGRAM_H

#include "core/base.h"

/* Runs the program arguments[0], which is searched in PATH. Returns its output, NUL-terminated; the caller frees it.
 * The program's stdin is empty, and its stderr is /dev/null. Returns NULL if the program is missing, fails, prints
 * `size` bytes or more, or runs longer than `seconds`, after which it is killed. */
char *program_answer(const char *const *arguments, double seconds, size_t size);

/* Returns the time of the monotonic clock in seconds. */
double program_clock(void);

#endif
