/* SPDX-License-Identifier: Apache-2.0 */
/* Switches to another stack, with assembly for each processor. */
#include "os/stack.h"

#if defined(__x86_64__)

void stack_switch(void *stack_top, void (*function)(void *), void *argument)
{
	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "lea -16(%[stack]), %%rsp\n\t"
			 "stmxcsr (%%rsp)\n\t"
			 "movl %[arithmetic], 4(%%rsp)\n\t"
			 "ldmxcsr 4(%%rsp)\n\t"
			 "call *%[function]\n\t"
			 "ldmxcsr (%%rsp)\n\t"
			 "mov %%rbx, %%rsp"
			 : "+D"(argument)
			 : [stack] "r"(stack_top), [function] "r"(function), [arithmetic] "i"(STACK_MXCSR)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1",
			 "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
			 "xmm13", "xmm14", "xmm15");
}

#elif defined(__aarch64__)

/* macOS reserves x18. */
void stack_switch(void *stack_top, void (*function)(void *), void *argument)
{
	register void *x0 __asm__("x0") = argument;
	__asm__ volatile("mov x19, sp\n\t"
			 "mov sp, %[stack]\n\t"
			 "mrs x20, fpcr\n\t"
			 "mrs x21, fpsr\n\t"
			 "msr fpcr, xzr\n\t"
			 "blr %[function]\n\t"
			 "msr fpsr, x21\n\t"
			 "msr fpcr, x20\n\t"
			 "mov sp, x19"
			 : "+r"(x0)
			 : [stack] "r"(stack_top), [function] "r"(function)
			 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			 "x15", "x16", "x17", "x19", "x20", "x21", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4",
			 "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",
			 "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

#elif defined(__riscv)

void stack_switch(void *stack_top, void (*function)(void *), void *argument)
{
	register void *a0 __asm__("a0") = argument;
	__asm__ volatile("mv s1, sp\n\t"
			 "mv sp, %[stack]\n\t"
			 "csrrw s2, fcsr, zero\n\t"
			 "jalr %[function]\n\t"
			 "csrw fcsr, s2\n\t"
			 "mv sp, s1"
			 : "+r"(a0)
			 : [stack] "r"(stack_top), [function] "r"(function)
			 : "s1", "s2", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4", "a5",
			 "a6", "a7", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "ft8", "ft9", "ft10",
			 "ft11", "fa0", "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "memory");
}

#endif
