/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on a stack of our own, because the host's may have little room left. */
#ifndef RTRACK_PRELOAD_STACK_H
#define RTRACK_PRELOAD_STACK_H

#include "os/stack.h"

/* Calls function(argument) on the process's stack for this purpose, or on a new one if that is in use. Implemented per
 * platform. Returns 0, or -1 if there is no memory, without calling the function. */
int stack_run(void (*function)(void *), void *argument);

#endif
