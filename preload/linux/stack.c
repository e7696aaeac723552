/* A stack of our own for what our code does in the host's threads; see host.h.
 *
 * A host may have next to no stack left: a handler of signals on an alternate stack of 8 KiB, of which the kernel's own
 * frame takes 3, or a thread with the 16 KiB that the C library allows at least. What our records need would kill it,
 * or, where no guard page is, write over its memory. Therefore entry points take little (scripts/lint-stack holds how
 * much) and everything else happens here.
 *
 * The stack is one per process, and any thread may come, also of a child that shares our memory (vfork) or has a copy
 * of it in which the stack stays taken for ever (fork, while another thread had it). No thread waits for it: one that
 * finds it taken gets a mapping. */
#include "preload/stack.h"

#include "os/linux/sys.h"
#include "os/memory.h"
#include "preload/host.h"

enum { STACK_SIZE = 16384, PAGE = 4096 };

/* The stack begins at the end of a page: what a usual record needs is in that. Nothing else here is aligned to pages,
 * so that what is zero at the start begins behind the library's data, and not a page further. */
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
	/* valgrind says on the host's stderr that it does not know this stack. */
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
