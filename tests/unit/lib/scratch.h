/* SPDX-License-Identifier: Apache-2.0 */
/* A directory for one test, and files in it. Whatever cannot be made ends the test. */
#ifndef RTRACK_TESTS_SCRATCH_H
#define RTRACK_TESTS_SCRATCH_H

#include <stddef.h>

/* Makes a new empty directory below $TMPDIR, which is removed with all that is in it when the program ends;
 * the path stays valid. */
const char *scratch_directory(void);

/* Makes a directory below it; the path stays valid. */
const char *scratch_make(const char *name);

/* Writes a file anew; `name` is a path below the scratch directory. */
void scratch_write(const char *name, const char *content);
void scratch_write_bytes(const char *name, const void *content, size_t length);
void scratch_remove(const char *name);
/* Makes a file look as if it had last been written `seconds` ago. */
void scratch_age(const char *name, long seconds);

/* From now on stderr is collected; scratch_messages gives what came since the last call. */
void scratch_collect_messages(void);
const char *scratch_messages(void);

#endif
