/* SPDX-License-Identifier: Apache-2.0 */
/* How far a long piece of work is: one line on stderr while a person waits, which is then removed.
 *
 * It is shown on a terminal only, once the program has worked for a second, and is removed before anything else is
 * written there. The outermost of pieces of work within each other is shown. */
#ifndef RTRACK_REPORT_SAY_PROGRESS_H
#define RTRACK_REPORT_SAY_PROGRESS_H

#include <stdio.h>

struct progress {
	const char *what; /* "reading process.csv"; must stay until progress_end */
	double done, total;
	double began;
};

/* Shows progress on `out` from now on, if that is a terminal, once `after` seconds have passed. Without this call none
 * is shown. */
void progress_allow(FILE *out, double after);

/* `total`: in any unit; 0 when it is not known. */
void progress_begin(struct progress *progress, const char *what, double total);
/* Adds to what is done. May be called very often. */
void progress_advance(struct progress *progress, double amount);
void progress_end(struct progress *progress);

/* Removes the line, since another is to be written. */
void progress_clear(void);

#endif
