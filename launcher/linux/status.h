/* SPDX-License-Identifier: Apache-2.0 */
/* Signal masks in /proc/PID/status. */
#ifndef RTRACK_LAUNCHER_LINUX_STATUS_H
#define RTRACK_LAUNCHER_LINUX_STATUS_H

#include "core/base.h"

#include <sys/types.h>

/* Returns the signal mask after a key such as "SigCgt:", or 0 if unknown. */
uint64_t status_signals(pid_t pid, const char *key);

#endif
