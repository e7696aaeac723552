/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses of rtrack-report. */
#ifndef RTRACK_REPORT_SAY_EXIT_H
#define RTRACK_REPORT_SAY_EXIT_H

enum { EXIT_DONE = 0, EXIT_NO_DATA = 1, EXIT_USAGE = 2, EXIT_CHANGED = 3 };

/* Converts a result of 0, or of -1 after a message, into an exit status. */
static inline int exit_of(int result)
{
	return result == 0 ? EXIT_DONE : EXIT_NO_DATA;
}

#endif
