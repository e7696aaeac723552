/* Calls on another stack: makecontext(3) is in no musl, and the library has no C library. */
#ifndef RTRACK_OS_STACK_H
#define RTRACK_OS_STACK_H

/* What arithmetic of the processor begins with: the MXCSR register of x86-64, all exceptions masked. */
#define STACK_MXCSR 0x1f80

/* Calls function(argument) with another stack, and comes back to this one. `stack_top` is a multiple of 16. Arithmetic
 * is as the processor begins with it meanwhile: what the host traps (feenableexcept, -ffpe-trap) is not, and its flags
 * are afterwards what they were. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument);

#endif
