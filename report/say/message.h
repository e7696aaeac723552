/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on stderr: one line, "rtrack-report: …". */
#ifndef RTRACK_REPORT_SAY_MESSAGE_H
#define RTRACK_REPORT_SAY_MESSAGE_H

#include <stdbool.h>

/* Prints a message. Control characters and invalid UTF-8 in untrusted text become \xNN, so that the message stays one
 * line. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like message_print, but skips a line that was printed before, for example if a command reads a file twice. */
void message_print_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints "'PATH' cannot be read: REASON" for an errno. */
void message_cannot_read(const char *path, int error);

/* Prints "'PATH' cannot be written: REASON" for errno. Returns EXIT_NO_DATA. */
int message_cannot_write(const char *path);

/* While quiet, message_print prints nothing. Returns the previous setting. */
bool message_quiet(bool quiet);

#endif
