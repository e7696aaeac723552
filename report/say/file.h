/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files, and makes directories. */
#ifndef RTRACK_REPORT_SAY_FILE_H
#define RTRACK_REPORT_SAY_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads an open file to its end. Returns the content with a terminating NUL, which the caller frees, and stores its
 * length in *length, which may be NULL. Returns NULL with errno if a read fails, if the file is larger than `most`
 * bytes (EFBIG), or if it is a directory (EISDIR). */
char *file_read_open(int file, size_t most, size_t *length);
/* Like file_read_open, for the file `path`. */
char *file_read(const char *path, size_t most, size_t *length);

/* Makes a directory unless it exists. Returns 0, or -1 with errno. */
int file_make_directory(const char *path, mode_t mode);

#endif
