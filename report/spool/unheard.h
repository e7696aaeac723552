/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that end unheard by the library. */
#ifndef RTRACK_REPORT_SPOOL_UNHEARD_H
#define RTRACK_REPORT_SPOOL_UNHEARD_H

#include <stdbool.h>

/* Whether the program of that path may end, or become another, without passing by a hook of the library; false where
 * its file cannot be read. The file of a program is read once for many runs. */
bool unheard_is(const char *path);

#endif
