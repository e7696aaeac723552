/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a long task as one line on stderr, and removes the line afterwards.
 *
 * The line is shown only on a terminal, and only after the program has run for a second. It is removed before any other
 * output. If a task is part of another task, only the outer task is shown. */
#ifndef RTRACK_REPORT_SAY_PROGRESS_H
#define RTRACK_REPORT_SAY_PROGRESS_H

#include <stdio.h>

struct progress {
	/* name of the task, such as "reading process.csv"; must remain valid until progress_end */
	const char *what;
	double done, total;
	double began;
};

/* Enables the line on `out`, if `out` is a terminal, and if the program has run for `after` seconds. Without this call,
 * progress is never shown. */
void progress_allow(FILE *out, double after);

/* Begins a task. `total` is the amount of work in any unit, or 0 if unknown. */
void progress_begin(struct progress *progress, const char *what, double total);
/* Adds to the amount of work that is done. This function may be called very often, because it is fast. */
void progress_advance(struct progress *progress, double amount);
void progress_end(struct progress *progress);

/* Removes the line. Call it before other output is written. */
void progress_clear(void);

#endif
