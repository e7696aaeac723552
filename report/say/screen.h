/* SPDX-License-Identifier: Apache-2.0 */
/* Full-screen terminal output that is updated: the alternate screen, without a cursor, with single keys as input.
 *
 * However the program ends, the terminal is restored. Signals that would end the program are only recorded, and take
 * effect after the terminal has been restored. This treats ^C, kill and a closed window alike. ^Z restores the terminal
 * until the program is resumed. */
#ifndef RTRACK_REPORT_SAY_SCREEN_H
#define RTRACK_REPORT_SAY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum screen_event { SCREEN_TIME, SCREEN_RESIZED, SCREEN_KEY, SCREEN_FILE, SCREEN_END };

/* Starts recording signals and, with `live`, switches the terminal to the alternate screen. */
void screen_begin(bool live);
/* Restores the terminal. If a fatal signal was recorded, the program then dies of that signal. */
void screen_end(void);

/* Replaces the screen with the first `height` lines of `text` (all lines if 0). */
void screen_show(const char *text, size_t size, unsigned height);

/* Waits until the milliseconds have passed, the terminal is resized, a key is pressed (stored in *key), `file` is
 * readable (-1 for none), or a fatal signal arrives. */
enum screen_event screen_wait(int file, int milliseconds, char *key);

#endif
