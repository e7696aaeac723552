/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of runs that ended unseen: the notes by which processes find their run (docs/spool.md). */
#ifndef RTRACK_REPORT_SPOOL_NOTES_H
#define RTRACK_REPORT_SPOOL_NOTES_H

/* Removes the notes of roots that are dead, and writes down that their runs are over. Those that may be of another PID
 * or mount namespace stay. Prints nothing, and looks at no more than a few thousand. */
void notes_sweep(void);

#endif
