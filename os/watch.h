/* SPDX-License-Identifier: Apache-2.0 */
/* Detects that a rename has moved a file to its final name. As in all of os/, no function changes errno, allocates or
 * retries. */
#ifndef RTRACK_OS_WATCH_H
#define RTRACK_OS_WATCH_H

#include "core/base.h"
#include "os/error.h"

/* Returns a descriptor that becomes readable when a file is renamed into `directory`. Returns a negative value if the
 * system does not support this. */
int os_watch(const char *directory);

/* Returns whether a file was renamed to `name` in the directory since the previous call. Discards all pending
 * events. */
bool os_watch_heard(int watched, const char *name);

#endif
