/* SPDX-License-Identifier: Apache-2.0 */
/* Calls functions on a separate stack, with signals blocked. */
#include "preload/stack.h"

#include "preload/host.h"

int host_run(void (*function)(void *), void *argument)
{
	/* Signals are blocked because the host's signal handlers would run on this stack, and may need more space
	 * than it has. */
	uint64_t before = host_block_signals();
	int result = stack_run(function, argument);
	host_restore_signals(before);
	return result;
}

int host_run_last(void (*function)(void *), void *argument)
{
	(void)host_block_signals();
	return stack_run(function, argument);
}
