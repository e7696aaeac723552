/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions on a separate stack, because the host's stack may be nearly full. */
#ifndef RTRACK_PRELOAD_STACK_H
#define RTRACK_PRELOAD_STACK_H

#include "os/stack.h"

/* Calls function(argument) on the process's separate stack, or on a newly mapped one if that stack is in use. If
 * there is no memory, returns -1 without calling the function. Each platform implements it. */
int stack_run(void (*function)(void *), void *argument);

#endif
