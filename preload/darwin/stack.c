/* SPDX-License-Identifier: Apache-2.0 */
/* A separate stack for the library's code in the host's threads. There is one such stack per process. A thread that
 * finds the stack in use maps another one, as on Linux.
 *
 * libSystem's functions set errno, which os/darwin restores. Other effects on the thread's data cannot be prevented. */
#include "preload/darwin/stack.h"

#include "os/memory.h"
#include "preload/host.h"
#include "preload/stack.h"

#include <pthread.h>
#include <signal.h>

enum { STACK_SIZE = 32768, SIGNALS = 31 };

static struct {
	char bytes[STACK_SIZE];
	int taken;
} own __attribute__((aligned(16)));

int stack_call(size_t size, void (*function)(void *), void *argument)
{
	char *stack = os_map(size);
	if (!stack)
		return -1;
	stack_switch(stack + size, function, argument);
	os_unmap(stack, size);
	return 0;
}

int stack_run(void (*function)(void *), void *argument)
{
	if (__atomic_exchange_n(&own.taken, 1, __ATOMIC_ACQUIRE) != 0)
		return stack_call(STACK_SIZE, function, argument);
	stack_switch(own.bytes + sizeof own.bytes, function, argument);
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
