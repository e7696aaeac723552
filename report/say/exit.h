/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses of rtrack-report. */
#ifndef RTRACK_REPORT_SAY_EXIT_H
#define RTRACK_REPORT_SAY_EXIT_H

enum { EXIT_DONE = 0, EXIT_NO_DATA = 1, EXIT_USAGE = 2, EXIT_CHANGED = 3 };

/* Converts the result of a function into an exit status. The function returns 0, or -1 after it has printed a
 * message. */
static inline int exit_of(int result)
{
	return result == 0 ? EXIT_DONE : EXIT_NO_DATA;
}

#endif
