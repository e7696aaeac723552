/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a page: its name, writing it completely or not at all, and opening it. Functions that return int return
 * the exit status, after a message if it is not EXIT_DONE. */
#ifndef RTRACK_REPORT_PAGE_PAGE_FILE_H
#define RTRACK_REPORT_PAGE_PAGE_FILE_H

#include <stdio.h>

/* "rtrack-ID.html", without characters that could lead out of the current directory. The caller frees it. */
char *page_file_name(const char *id);

/* `write` returns 0, or -1 with errno. A file that could not be written completely is removed. */
int page_file_write(const char *path, int (*write)(FILE *out, const void *page), const void *page);

/* {"file": NAME} */
int page_file_print_name(const char *name);

/* Starts the browser and does not wait for it. */
int page_file_open(const char *path);

#endif
