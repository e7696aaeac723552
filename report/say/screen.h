/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a full-screen text on a terminal and updates it. Uses the alternate screen, hides the cursor and reads single
 * keys.
 *
 * The terminal is restored before the program ends, even if the program is killed by a signal such as ^C. The handler
 * only records the signal. After the terminal has been restored, the program dies of that signal. ^Z also restores the
 * terminal, until the program is resumed. */
#ifndef RTRACK_REPORT_SAY_SCREEN_H
#define RTRACK_REPORT_SAY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum screen_event { SCREEN_TIME, SCREEN_RESIZED, SCREEN_KEY, SCREEN_FILE, SCREEN_END };

/* Begins to record signals. If `live` is true, also switches the terminal to the alternate screen. */
void screen_begin(bool live);
/* Restores the terminal. If a fatal signal was recorded, the program then dies of that signal. */
void screen_end(void);

/* Shows the first `height` lines of `text` instead of the previous text. If `height` is 0, shows all lines. */
void screen_show(const char *text, size_t size, unsigned height);

/* Waits for the first of these events: the milliseconds have passed, the terminal was resized, a key was pressed
 * (stored in *key), `file` is readable (-1 for no file), or a signal arrived that ends the program. */
enum screen_event screen_wait(int file, int milliseconds, char *key);

#endif
