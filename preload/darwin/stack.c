/* A stack of our own for what our code does in the host's threads; see host.h. As on Linux: one for the process, and a
 * mapping for whoever finds it taken.
 *
 * libSystem's calls set errno, and os/darwin sets it back; what they do to the thread's data else is theirs. */
#include "preload/darwin/stack.h"

#include "os/memory.h"
#include "preload/host.h"

#include <pthread.h>
#include <signal.h>

enum { STACK_SIZE = 32768, SIGNALS = 31 };

static struct {
	char bytes[STACK_SIZE];
	int taken;
} own __attribute__((aligned(16)));

#if defined(__x86_64__)

static void call_on(void *stack_top, void (*function)(void *), void *argument)
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

#else

/* x18 is the system's own on macOS, and is not touched. */
static void call_on(void *stack_top, void (*function)(void *), void *argument)
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

int stack_call(size_t size, void (*function)(void *), void *argument)
{
	char *stack = os_map(size);
	if (!stack)
		return -1;
	call_on(stack + size, function, argument);
	os_unmap(stack, size);
	return 0;
}

static int run(void (*function)(void *), void *argument)
{
	if (__atomic_exchange_n(&own.taken, 1, __ATOMIC_ACQUIRE) != 0)
		return stack_call(STACK_SIZE, function, argument);
	call_on(own.bytes + sizeof own.bytes, function, argument);
	__atomic_store_n(&own.taken, 0, __ATOMIC_RELEASE);
	return 0;
}

/* -- signals ---------------------------------------------------------------------------------------- */

uint64_t host_block_signals(void)
{
	sigset_t all, before;
	uint64_t mask = 0;

	(void)sigfillset(&all);
	(void)sigemptyset(&before);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	for (int i = 1; i <= SIGNALS; i++)
		mask |= sigismember(&before, i) == 1 ? (uint64_t)1 << (i - 1) : 0;
	return mask;
}

void host_restore_signals(uint64_t before)
{
	sigset_t mask;

	(void)sigemptyset(&mask);
	for (int i = 1; i <= SIGNALS; i++)
		if (before >> (i - 1) & 1)
			(void)sigaddset(&mask, i);
	(void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

int host_run(void (*function)(void *), void *argument)
{
	uint64_t before = host_block_signals();
	int result = run(function, argument);
	host_restore_signals(before);
	return result;
}

int host_run_last(void (*function)(void *), void *argument)
{
	(void)host_block_signals();
	return run(function, argument);
}
