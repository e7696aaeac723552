/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whole files, and makes files and directories. */
#ifndef RTRACK_REPORT_SAY_FILE_H
#define RTRACK_REPORT_SAY_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads an open file to its end. Returns its content with a terminating NUL, and stores the length in *length unless
 * `length` is NULL. The caller must free the content. Returns NULL with errno on failure. The errno is EFBIG if the
 * file is larger than `most` bytes, and EISDIR if it is a directory. */
char *file_read_open(int file, size_t most, size_t *length);
/* Like file_read_open, but opens the file `path` first. */
char *file_read(const char *path, size_t most, size_t *length);

/* Creates a new file in the directory of `path`, for a rename to `path`. Its name cannot be guessed, and its mode is
 * the one that fopen would use. Returns its descriptor, or -1 with errno. Stores its path in *fresh, which the caller
 * must free in both cases. */
int file_create_beside(const char *path, char **fresh);

/* Creates a directory unless it already exists. Returns 0, or -1 with errno. */
int file_make_directory(const char *path, mode_t mode);

#endif
