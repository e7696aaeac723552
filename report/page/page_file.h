/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a page to a file, completely or not at all, and opens it in a browser. Unless its comment says otherwise, an
 * int function returns an exit status. If the status is not EXIT_DONE, the function has printed a message. */
#ifndef RTRACK_REPORT_PAGE_PAGE_FILE_H
#define RTRACK_REPORT_PAGE_PAGE_FILE_H

#include <stdio.h>

/* Returns "rtrack-ID.html". Characters of the id that could lead out of the current directory are replaced. The caller
 * must free the result. */
char *page_file_name(const char *id);

/* Writes a page to a path that the user gave, which may be a link or a device. `write` returns 0, or -1 with errno. If
 * `write` fails, the incomplete file is removed. */
int page_file_write(const char *path, int (*write)(FILE *out, const void *page), const void *page);

/* Replaces a file at a path that others can guess. The page is written to a new file in the same directory, which is
 * then renamed. A link at the path is replaced, not followed. */
int page_file_replace(const char *path, int (*write)(FILE *out, const void *page), const void *page);

/* Writes a comparison as a page: one file without JavaScript, in the style of the report. `path` may be "-" for stdout.
 * Returns 0, or -1 after a message. */
struct comparison;
int page_write_comparison(const struct comparison *comparison, const char *path);

/* Opens a page in the browser. Does not wait for the browser. */
int page_file_open(const char *path);

#endif
