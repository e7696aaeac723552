/* A terminal while it shows something that changes: another screen, no cursor, keys as they are pressed.
 *
 * Whatever ends the program gives the terminal back as it was: signals that end it are taken note of and acted on
 * after that, so that ^C, kill and a closed window are all alike. ^Z gives it back until the program goes on. */
#ifndef RTRACK_REPORT_SAY_SCREEN_H
#define RTRACK_REPORT_SAY_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

enum screen_event { SCREEN_TIME, SCREEN_RESIZED, SCREEN_KEY, SCREEN_FILE, SCREEN_END };

/* Signals are taken note of from now on, and, if `live`, the terminal is taken. */
void screen_begin(bool live);
/* Gives the terminal back; and if a signal asked for the end, dies of it. */
void screen_end(void);

/* Shows the lines of `text` from the top, as many as `height` says (0: all), in place of what was there. */
void screen_show(const char *text, size_t size, unsigned height);

/* Waits until the milliseconds are over or something else happens: another size; a key, in *key; something to
 * read in `file` (-1: none); a signal that asks for the end. */
enum screen_event screen_wait(int file, int milliseconds, char *key);

#endif
