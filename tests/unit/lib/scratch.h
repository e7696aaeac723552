/* SPDX-License-Identifier: Apache-2.0 */
/* A temporary directory for one test, and files in it. If anything cannot be created, the test ends. */
#ifndef RTRACK_TESTS_SCRATCH_H
#define RTRACK_TESTS_SCRATCH_H

#include <stddef.h>

/* Makes an empty directory below $TMPDIR. The directory is removed when the program ends. The returned path stays
 * valid. */
const char *scratch_directory(void);

/* Makes a directory below the scratch directory. The returned path stays valid. */
const char *scratch_make(const char *name);

/* Writes or replaces a file. `name` is a path below the scratch directory. */
void scratch_write(const char *name, const char *content);
void scratch_write_bytes(const char *name, const void *content, size_t length);
void scratch_remove(const char *name);
/* Sets the modification time of a file to `seconds` before the current time. */
void scratch_age(const char *name, long seconds);

/* Redirects stderr to a file. scratch_messages returns what was written to stderr since its previous call. */
void scratch_collect_messages(void);
const char *scratch_messages(void);

#endif
