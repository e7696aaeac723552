/* Hears that a file was put in place by a rename; see file.h for the blanket conditions. */
#ifndef RTRACK_OS_WATCH_H
#define RTRACK_OS_WATCH_H

#include "core/base.h"
#include "os/error.h"

/* A descriptor that can be waited for, and is readable when a file was renamed into `directory`; negative where the
 * system has no such thing. */
int os_watch(const char *directory);

/* Whether a file of that name was put in place since the previous call. All other events are dropped. */
bool os_watch_heard(int watched, const char *name);

#endif
