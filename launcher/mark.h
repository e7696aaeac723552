/* --mark: an instant of the run around, marked by a shell. */
#ifndef RTRACK_LAUNCHER_MARK_H
#define RTRACK_LAUNCHER_MARK_H

/* Writes a row of mark.csv, in the name of the process that called rtrack-run. Where nothing is tracked it does
 * nothing. Returns 0, or -1 after a message. */
int mark_write(const char *label);

#endif
