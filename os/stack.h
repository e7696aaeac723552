/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function on another stack. makecontext(3) is not used, because musl lacks it, and the library uses no C
 * library. */
#ifndef RTRACK_OS_STACK_H
#define RTRACK_OS_STACK_H

/* Initial value of the MXCSR register of x86-64, which masks all floating-point exceptions. */
#define STACK_MXCSR 0x1f80

/* Calls function(argument) on another stack, and returns on this one. `stack_top` must be a multiple of 16. The
 * function runs with the initial floating-point state of the processor. Traps that the host has enabled
 * (feenableexcept, -ffpe-trap) are therefore off. Afterwards, the host's state is restored. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument);

#endif
