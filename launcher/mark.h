/* SPDX-License-Identifier: Apache-2.0 */
/* --mark: a shell marks the current time in the enclosing run. */
#ifndef RTRACK_LAUNCHER_MARK_H
#define RTRACK_LAUNCHER_MARK_H

/* Writes a row of mark.csv for the process that called rtrack-run. Does nothing if that process is not tracked. Returns
 * 0, or -1 after printing a message. */
int mark_write(const char *label);

#endif
