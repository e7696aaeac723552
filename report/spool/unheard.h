/* SPDX-License-Identifier: Apache-2.0 */
/* Detects programs that can end without a hook of the library. */
#ifndef RTRACK_REPORT_SPOOL_UNHEARD_H
#define RTRACK_REPORT_SPOOL_UNHEARD_H

#include <stdbool.h>

/* Whether the program may end, or exec another, without calling a hook of the library; false if its file cannot be
 * read. Results are cached by path. */
bool unheard_is(const char *path);

#endif
