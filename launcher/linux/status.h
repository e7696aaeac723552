/* Signals in /proc/PID/status. */
#ifndef RTRACK_LAUNCHER_LINUX_STATUS_H
#define RTRACK_LAUNCHER_LINUX_STATUS_H

#include "core/base.h"

#include <sys/types.h>

/* The signals behind a key such as "SigCgt:"; 0 where /proc does not say. */
uint64_t status_signals(pid_t pid, const char *key);

#endif
