/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions on a separate stack, because the host's stack may be nearly full. */
#ifndef RTRACK_PRELOAD_DARWIN_STACK_H
#define RTRACK_PRELOAD_DARWIN_STACK_H

#include <stddef.h>

enum { STACK_OF_ROOT = 131072 };

/* Calls function(argument) on a stack of `size` bytes. Returns 0, or -1 if there is no memory. */
int stack_call(size_t size, void (*function)(void *), void *argument);

#endif
