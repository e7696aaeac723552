/* Calls on a stack of our own; see host.h and preload/linux/stack.c for why. */
#ifndef RTRACK_PRELOAD_STACK_H
#define RTRACK_PRELOAD_STACK_H

/* Calls function(argument) with another stack, and comes back to this one. `stack_top` is a multiple of 16. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument);

/* Of the platform: calls function(argument) on the stack that the process has for this, or on one of its own where that
 * is taken; -1: there is no memory, and nothing was called. */
int stack_run(void (*function)(void *), void *argument);

#endif
