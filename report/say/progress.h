/* How far a work is that takes long: one line on stderr while a person waits, and nothing that stays.
 *
 * It is shown on a terminal only, where the program has been at it for a second, and is taken away before anything else
 * is written there. Of works within works the outermost is shown. */
#ifndef RTRACK_REPORT_SAY_PROGRESS_H
#define RTRACK_REPORT_SAY_PROGRESS_H

#include <stdio.h>

struct progress {
	const char *what; /* "reading process.csv": must last as long */
	double done, total;
	double began;
};

/* From now on works are shown on `out`, if that is a terminal, when `after` seconds have passed. Without this call none
 * is ever shown. */
void progress_allow(FILE *out, double after);

/* `total`: in any unit; 0 when it is not known. */
void progress_begin(struct progress *progress, const char *what, double total);
/* So much more is done. May be called very often. */
void progress_advance(struct progress *progress, double amount);
void progress_end(struct progress *progress);

/* Takes the line away, since another is to be written. */
void progress_clear(void);

#endif
