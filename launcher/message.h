/* What rtrack-run says: one line on stderr, with its name in front. */
#ifndef RTRACK_LAUNCHER_MESSAGE_H
#define RTRACK_LAUNCHER_MESSAGE_H

/* Writes "rtrack-run: MESSAGE\n" to stderr in one write. Control bytes are written as '?', so that it stays one
 * line; what exceeds 4 KiB is cut. Keeps errno. */
__attribute__((format(printf, 1, 2))) void message_print(const char *format, ...);

/* Appends the same line to the file of RTRACK_DEBUG; does nothing if `path` is empty or cannot be written. */
__attribute__((format(printf, 2, 3))) void message_debug(const char *path, const char *format, ...);

#endif
