/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that need assembly: a thread on its own stack, and the query for valgrind. */
#include "os/linux/sys.h"

#include "os/stack.h"

/* valgrind recognizes these instructions as a query (RUNNING_ON_VALGRIND in valgrind.h). On a real processor, they have
 * no effect. */
bool sys_is_translated(void)
{
	const long request[6] = {0x1001};
	long result = 0;
#if defined(__x86_64__)
	__asm__ volatile("rolq $3, %%rdi\n\t"
			 "rolq $13, %%rdi\n\t"
			 "rolq $61, %%rdi\n\t"
			 "rolq $51, %%rdi\n\t"
			 "xchgq %%rbx, %%rbx"
			 : "+d"(result)
			 : "a"(request)
			 : "cc", "memory");
#elif defined(__aarch64__)
	register long x3 __asm__("x3") = result;
	register const long *x4 __asm__("x4") = request;
	__asm__ volatile("ror x12, x12, #3\n\t"
			 "ror x12, x12, #13\n\t"
			 "ror x12, x12, #51\n\t"
			 "ror x12, x12, #61\n\t"
			 "orr x10, x10, x10"
			 : "+r"(x3)
			 : "r"(x4)
			 : "cc", "memory");
	result = x3;
#else
	(void)request; /* valgrind defines no such query for this processor */
#endif
	return result != 0;
}

#if defined(__x86_64__)

long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument)
{
	void **stack = stack_top;
	*--stack = argument;
	*--stack = (void *)entry;
	*--stack = (void *)STACK_MXCSR; /* value of MXCSR that masks the traps which the host has enabled */
	register int *r10 __asm__("r10") = child_tid;
	register long r8 __asm__("r8") = 0;
	long result;
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t" /* the frame pointer 0 marks the outermost frame for debuggers */
			 "ldmxcsr (%%rsp)\n\t"
			 "pop %%rax\n\t"
			 "pop %%rax\n\t"
			 "pop %%rdi\n\t"
			 "call *%%rax\n\t"
			 "hlt\n"
			 "1:"
			 : "=a"(result)
			 : "a"(__NR_clone), "D"(flags), "S"(stack), "d"(parent_tid), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument)
{
	void **stack = stack_top;
	*--stack = argument;
	*--stack = (void *)entry;
	register long x8 __asm__("x8") = __NR_clone;
	register long x0 __asm__("x0") = (long)flags;
	register void **x1 __asm__("x1") = stack;
	register int *x2 __asm__("x2") = parent_tid;
	register long x3 __asm__("x3") = 0; /* no thread-local storage */
	register int *x4 __asm__("x4") = child_tid;
	__asm__ volatile("svc #0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, #0\n\t"
			 "msr fpcr, xzr\n\t"
			 "ldp x9, x0, [sp], #16\n\t"
			 "blr x9\n\t"
			 "brk #0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "x9", "x30", "memory", "cc");
	return x0;
}

#elif defined(__riscv)

long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument)
{
	void **stack = stack_top;
	*--stack = argument;
	*--stack = (void *)entry;
	register long a7 __asm__("a7") = __NR_clone;
	register long a0 __asm__("a0") = (long)flags;
	register void **a1 __asm__("a1") = stack;
	register int *a2 __asm__("a2") = parent_tid;
	register long a3 __asm__("a3") = 0; /* no thread-local storage */
	register int *a4 __asm__("a4") = child_tid;
	__asm__ volatile("ecall\n\t"
			 "bnez a0, 1f\n\t"
			 "li s0, 0\n\t"
			 "csrw fcsr, zero\n\t"
			 "ld t0, 0(sp)\n\t"
			 "ld a0, 8(sp)\n\t"
			 "addi sp, sp, 16\n\t"
			 "jalr t0\n\t"
			 "ebreak\n"
			 "1:"
			 : "+r"(a0)
			 : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4)
			 : "t0", "ra", "memory");
	return a0;
}

#endif
