/* SPDX-License-Identifier: Apache-2.0 */
/* What another program answers: `nvidia-smi`, and what doctor tries. Drivers are asked by their programs and not by
 * their libraries, since a static program cannot load a library; see "The report and the network" in docs/design.md. */
#ifndef RTRACK_REPORT_SERVICES_PROGRAM_H
#define RTRACK_REPORT_SERVICES_PROGRAM_H

#include "core/base.h"

/* All that the program arguments[0], looked for in PATH, prints within so many seconds, NUL-terminated, to be freed.
 * Its input is empty and its stderr goes to /dev/null. NULL: it is not there, failed, took longer (it is killed then),
 * or printed `size` bytes or more. */
char *program_answer(const char *const *arguments, double seconds, size_t size);

/* The monotonic clock, s. */
double program_clock(void);

#endif
