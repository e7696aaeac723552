/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function on another stack. musl lacks makecontext(3), and the library uses no C library. */
#ifndef RTRACK_OS_STACK_H
#define RTRACK_OS_STACK_H

/* Initial value of the MXCSR register of x86-64: all floating-point exceptions masked. */
#define STACK_MXCSR 0x1f80

/* Calls function(argument) on another stack and returns to this one. `stack_top` is a multiple of 16. The function runs
 * with the processor's initial floating-point state, so traps that the host has enabled (feenableexcept, -ffpe-trap)
 * are off. The host's state is restored afterwards. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument);

#endif
