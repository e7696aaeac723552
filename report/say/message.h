/* SPDX-License-Identifier: Apache-2.0 */
/* Prints messages on stderr. Each is one line that begins with "rtrack-report: ". */
#ifndef RTRACK_REPORT_SAY_MESSAGE_H
#define RTRACK_REPORT_SAY_MESSAGE_H

#include <stdbool.h>

/* Prints a message on one line. Control characters and invalid UTF-8 are written as \xNN, because the message may
 * contain untrusted text. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like message_print, but prints nothing if the same line was printed before. For example, a command may read a damaged
 * file twice. */
void message_print_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "'PATH' cannot be read: REASON". `error` is the errno. */
void message_cannot_read(const char *path, int error);

/* Prints "'PATH' cannot be written: REASON", where the reason is errno. Returns EXIT_NO_DATA. */
int message_cannot_write(const char *path);

/* Sets whether message_print prints nothing. Returns the previous setting. */
bool message_quiet(bool quiet);

#endif
