/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal that shows something that changes: the alternate screen, no cursor, keys as they are pressed.
 *
 * However the program ends, the terminal is given back as it was: signals that would end the program are only noted,
 * and acted on after that, so that ^C, kill and a closed window are all alike. ^Z gives the terminal back until the
 * program goes on. */
#ifndef RTRACK_REPORT_SAY_SCREEN_H
#define RTRACK_REPORT_SAY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum screen_event { SCREEN_TIME, SCREEN_RESIZED, SCREEN_KEY, SCREEN_FILE, SCREEN_END };

/* Begins to note signals and, if `live`, takes the terminal. */
void screen_begin(bool live);
/* Gives the terminal back. If a signal asked for the end, the program then dies of that signal. */
void screen_end(void);

/* Shows the first `height` lines of `text` (0: all) in place of what was there. */
void screen_show(const char *text, size_t size, unsigned height);

/* Waits for the first of: the milliseconds are over; the size of the terminal has changed; a key, in *key; `file` can
 * be read (-1: none); a signal that asks for the end. */
enum screen_event screen_wait(int file, int milliseconds, char *key);

#endif
