/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function on another stack. makecontext(3) is not an option: musl lacks it, and the library uses no C
 * library. */
#ifndef RTRACK_OS_STACK_H
#define RTRACK_OS_STACK_H

/* Initial value of the MXCSR register of x86-64: all floating-point exceptions masked. */
#define STACK_MXCSR 0x1f80

/* Calls function(argument) on another stack and returns to this one. `stack_top` is a multiple of 16. The function runs
 * with the processor's initial floating-point state: traps that the host has enabled (feenableexcept, -ffpe-trap) are
 * off, and the host's flags are restored afterwards. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument);

#endif
