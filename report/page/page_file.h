/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a page to a file, completely or not at all, and opens it in a browser. Functions that return int return the
 * exit status, after a message if it is not EXIT_DONE. */
#ifndef RTRACK_REPORT_PAGE_PAGE_FILE_H
#define RTRACK_REPORT_PAGE_PAGE_FILE_H

#include <stdio.h>

/* Returns "rtrack-ID.html" with characters that could lead out of the current directory replaced. The caller frees
 * it. */
char *page_file_name(const char *id);

/* Writes to the file at a path that the user gave, which may be a link or a device. `write` returns 0, or -1 with
 * errno. An incomplete file is removed. */
int page_file_write(const char *path, int (*write)(FILE *out, const void *page), const void *page);

/* Replaces the file at a path whose name others can guess: writes a new file beside it and renames that. A link at the
 * path is replaced, not followed. */
int page_file_replace(const char *path, int (*write)(FILE *out, const void *page), const void *page);

/* Writes a comparison as a page: one file without JavaScript, in the style of the report. `path` may be "-" for stdout.
 * Returns 0, or -1 after a message. */
struct comparison;
int page_write_comparison(const struct comparison *comparison, const char *path);

/* Starts the browser without waiting for it. */
int page_file_open(const char *path);

#endif
