/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that ends the program when memory runs out.
 *
 * rtrack-report only reads runs, so nothing is lost when it ends. Its functions therefore neither check for a failed
 * allocation nor report one: these print "rtrack-report: out of memory" and exit with EXIT_NO_DATA. cJSON allocates
 * through them as well (alloc_begin), so its constructors never return NULL. */
#ifndef RTRACK_REPORT_SAY_ALLOC_H
#define RTRACK_REPORT_SAY_ALLOC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Makes cJSON allocate through xmalloc. Called once, before any JSON is read or built. */
void alloc_begin(void);

/* As malloc, calloc, reallocarray, strdup, strndup, asprintf and vasprintf of the C library, but never NULL. A size of
 * 0 gives a block that may be freed. */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));
void *xreallocarray(void *block, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t length) __attribute__((malloc, returns_nonnull));
char *xasprintf(const char *format, ...) __attribute__((malloc, returns_nonnull, format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list arguments) __attribute__((malloc, returns_nonnull, format(printf, 1, 0)));

/* open_memstream, which writes to *text and *length, and its fclose: afterwards the caller frees *text. */
FILE *xopen_memstream(char **text, size_t *length) __attribute__((returns_nonnull));
void xclose_memstream(FILE *out);

/* Ends the program as they do, for libraries that report the lack of memory themselves (libcurl, zlib). */
_Noreturn void alloc_failed(void);

#endif
