/* SPDX-License-Identifier: Apache-2.0 */
/* A separate stack for the library's code in the host's threads.
 *
 * A host may have very little stack left: a signal handler may run on an alternate stack of 8 KiB, of which the
 * kernel's frame uses 3 KiB, and a thread may have the C library's minimum of 16 KiB. Writing a record on such a stack
 * would kill the host or, without a guard page, overwrite its memory. Entry points therefore use little stack
 * (scripts/lint-stack checks it), and all other code runs on the separate stack.
 *
 * There is one stack per process. Any thread may need it, and so may a child that shares the memory (vfork). If a
 * child is forked while another thread uses the stack, the stack stays in use forever in the child. No thread waits
 * for the stack: if it is in use, a thread maps a new one. */
#include "preload/stack.h"

#include "os/linux/sys.h"
#include "os/memory.h"
#include "preload/host.h"

enum { STACK_SIZE = 16384, PAGE = 4096 };

/* The stack begins at the end of a page and grows down, so that most records touch only one page. The array is one
 * page larger instead of page-aligned, because alignment would move the zero-initialized data away from the other
 * data. */
static char own[STACK_SIZE + PAGE];
static int taken BESIDE_LOADER;

static int run_on_mapping(void (*function)(void *), void *argument)
{
	char *stack = os_map(STACK_SIZE);
	if (!stack)
		return -1;
	stack_switch(stack + STACK_SIZE, function, argument);
	os_unmap(stack, STACK_SIZE);
	return 0;
}

int stack_run(void (*function)(void *), void *argument)
{
	/* Under valgrind, the function runs on the host's stack, because valgrind would report an unknown stack on
	 * the host's stderr. */
	if (sys_is_translated()) {
		function(argument);
		return 0;
	}
	int result = 0;

	if (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE) == 0) {
		stack_switch(own + sizeof own - (uintptr_t)(own + sizeof own) % PAGE, function, argument);
		__atomic_store_n(&taken, 0, __ATOMIC_RELEASE);
	} else {
		result = run_on_mapping(function, argument);
	}
	return result;
}
