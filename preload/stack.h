/* Calls on a stack of our own; see host.h and preload/linux/stack.c for why. */
#ifndef RTRACK_PRELOAD_STACK_H
#define RTRACK_PRELOAD_STACK_H

#include "os/stack.h"

/* Of the platform: calls function(argument) on the stack that the process has for this, or on one of its own where that
 * is taken; -1: there is no memory, and nothing was called. */
int stack_run(void (*function)(void *), void *argument);

#endif
