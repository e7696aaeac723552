/* SPDX-License-Identifier: Apache-2.0 */
/* Removes the notes of ended runs. A note is a link by which new processes find their run, or an empty file that shows
 * that the end of a run could not be written to its spool (docs/spool.md). */
#ifndef RTRACK_REPORT_SPOOL_NOTES_H
#define RTRACK_REPORT_SPOOL_NOTES_H

/* For each note whose root is dead, records the end of the run and removes the note. Keeps notes that may belong to
 * another PID or mount namespace. Removes an unrecorded end after a month. Prints nothing and reads at most a few
 * thousand notes. */
void notes_sweep(void);

#endif
