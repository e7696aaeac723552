/* The two system-call sequences that C cannot express: a thread on a stack of its own, and a call on
 * another stack; see sys.h. */
#include "os/linux/sys.h"

#if defined(__x86_64__)

long sys_clone_thread(
	unsigned long flags, void *stack_top, int *parent_tid, int *child_tid, void (*entry)(void *), void *argument)
{
	void **stack = stack_top;
	*--stack = argument;
	*--stack = (void *)entry;
	register int *r10 __asm__("r10") = child_tid;
	register long r8 __asm__("r8") = 0;
	long result;
	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t" /* the outermost frame, for debuggers */
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

void sys_call_on_stack(void *stack_top, void (*function)(void *), void *argument)
{
	__asm__ volatile("mov %%rsp, %%rbx\n\t"
			 "mov %[stack], %%rsp\n\t"
			 "call *%[function]\n\t"
			 "mov %%rbx, %%rsp"
			 : "+D"(argument)
			 : [stack] "r"(stack_top), [function] "r"(function)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1",
			 "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
			 "xmm13", "xmm14", "xmm15");
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
			 "ldp x9, x0, [sp], #16\n\t"
			 "blr x9\n\t"
			 "brk #0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "x9", "x30", "memory", "cc");
	return x0;
}

void sys_call_on_stack(void *stack_top, void (*function)(void *), void *argument)
{
	register void *x0 __asm__("x0") = argument;
	__asm__ volatile("mov x19, sp\n\t"
			 "mov sp, %[stack]\n\t"
			 "blr %[function]\n\t"
			 "mov sp, x19"
			 : "+r"(x0)
			 : [stack] "r"(stack_top), [function] "r"(function)
			 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14",
			 "x15", "x16", "x17", "x19", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
			 "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20",
			 "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

#endif
