/* SPDX-License-Identifier: Apache-2.0 */
/* What the program says on stderr: one line, "rtrack-report: …". */
#ifndef RTRACK_REPORT_SAY_MESSAGE_H
#define RTRACK_REPORT_SAY_MESSAGE_H

#include <stdbool.h>

/* Texts of a job or of the command line are shown, never obeyed: control characters and bytes that are no UTF-8 are
 * written as \xNN, so that the message stays one line. */
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; but nothing where this line was said before, as by a command that reads a file twice. */
void message_print_once(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "'PATH' cannot be read: REASON" for an errno. */
void message_cannot_read(const char *path, int error);

/* "'PATH' cannot be written: REASON" for errno. Returns EXIT_NO_DATA. */
int message_cannot_write(const char *path);

/* While quiet, message_print prints nothing. Returns whether it was quiet before. */
bool message_quiet(bool quiet);

#endif
