/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of rtrack-run: one line on stderr, prefixed with its name. */
#ifndef RTRACK_LAUNCHER_MESSAGE_H
#define RTRACK_LAUNCHER_MESSAGE_H

/* Writes "rtrack-run: MESSAGE\n" to stderr in one write. Replaces control characters by '?', so that the message
 * remains one line. Truncates the line to 4 KiB. Preserves errno. */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

/* Appends a message as one line to the file `path`, which RTRACK_DEBUG names. Does nothing if `path` is empty or not
 * writable. */
__attribute__((format(printf, 2, 3))) void message_debug(const char *path, const char *format, ...);

/* Opens the file `path` for appending, and creates it with mode 0600 if it does not exist. Returns the descriptor, or
 * -1 if `path` is empty, is a symbolic link, or belongs to another user. */
int message_open_debug(const char *path);

#endif
