/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a long task as one line on stderr, and removes the line afterwards.
 *
 * The line is shown only on a terminal, and only after the program has run for a second. It is removed before any other
 * output. Of nested tasks, the outermost is shown. */
#ifndef RTRACK_REPORT_SAY_PROGRESS_H
#define RTRACK_REPORT_SAY_PROGRESS_H

#include <stdio.h>

struct progress {
	const char *what; /* such as "reading process.csv"; must remain valid until progress_end */
	double done, total;
	double began;
};

/* Enables progress on `out`, if that is a terminal, after `after` seconds. Without this call none is shown. */
void progress_allow(FILE *out, double after);

/* `total` is in any unit, or 0 if unknown. */
void progress_begin(struct progress *progress, const char *what, double total);
/* Adds to the completed amount. Cheap enough to be called very often. */
void progress_advance(struct progress *progress, double amount);
void progress_end(struct progress *progress);

/* Removes the line before other output. */
void progress_clear(void);

#endif
