/* SPDX-License-Identifier: Apache-2.0 */
/* Detects that a file was moved into place by a rename. As in all of os/, no function changes errno, allocates or
 * retries. */
#ifndef RTRACK_OS_WATCH_H
#define RTRACK_OS_WATCH_H

#include "core/base.h"
#include "os/error.h"

/* Returns a descriptor that becomes readable when a file is renamed into `directory`, or a negative value if
 * unsupported. */
int os_watch(const char *directory);

/* Returns whether a file `name` was renamed into the directory since the previous call. Consumes all pending events. */
bool os_watch_heard(int watched, const char *name);

#endif
