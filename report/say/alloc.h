/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation functions that never fail.
 *
 * If memory runs out, they print "rtrack-report: out of memory" and exit with EXIT_NO_DATA. Callers therefore need not
 * check the result. Nothing is lost by the exit, because rtrack-report only reads runs. cJSON also uses these functions
 * (alloc_begin), so its constructors never return NULL. */
#ifndef RTRACK_REPORT_SAY_ALLOC_H
#define RTRACK_REPORT_SAY_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* Makes cJSON allocate memory with xmalloc. Must be called before any other function of cJSON. */
void alloc_begin(void);

/* Like malloc, calloc, reallocarray, strdup, strndup and asprintf, but they never return NULL. A size of 0
 * yields a block that may be freed. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *block, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t length) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* xopen_memstream is like open_memstream, and xclose_memstream is like fclose. The caller must free *text after
 * xclose_memstream. */
FILE *xopen_memstream(char **text, size_t *length) __attribute__((returns_nonnull));
void xclose_memstream(FILE *out);

/* Prints "out of memory" and exits. It is for libraries that report failed allocations themselves (libcurl, zlib). */
_Noreturn void alloc_failed(void);

#endif
