/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that ends the program when memory runs out.
 *
 * rtrack-report only reads runs, so nothing is lost when it ends. Its functions therefore do not check for failed
 * allocations: these functions print "rtrack-report: out of memory" and exit with EXIT_NO_DATA. cJSON allocates through
 * them too (alloc_begin), so its constructors never return NULL. */
#ifndef RTRACK_REPORT_SAY_ALLOC_H
#define RTRACK_REPORT_SAY_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* Makes cJSON allocate through xmalloc. Called once, before any JSON is read or built. */
void alloc_begin(void);

/* Like malloc, calloc, reallocarray, strdup, strndup and asprintf, but they never return NULL. A size of 0
 * yields a block that may be freed. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *block, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t length) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Like open_memstream and its fclose. After xclose_memstream, the caller frees *text. */
FILE *xopen_memstream(char **text, size_t *length) __attribute__((returns_nonnull));
void xclose_memstream(FILE *out);

/* Prints the message and exits, for libraries that report a failed allocation themselves (libcurl, zlib). */
_Noreturn void alloc_failed(void);

#endif
