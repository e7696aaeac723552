/* SPDX-License-Identifier: Apache-2.0 */
/* Whole files read into memory, and directories made. */
#ifndef RTRACK_REPORT_SAY_FILE_H
#define RTRACK_REPORT_SAY_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads from an open file until its end. Returns the bytes, with a NUL behind them, and their count in *length, which
 * may be NULL; the caller frees them. Returns NULL with errno when a read fails, or the file has more than `most` bytes
 * (EFBIG) or is a directory (EISDIR). */
char *file_read_open(int file, size_t most, size_t *length);
/* The same for the file of that name. */
char *file_read(const char *path, size_t most, size_t *length);

/* Makes a directory unless there is one. Returns 0, or -1 with errno. */
int file_make_directory(const char *path, mode_t mode);

#endif
