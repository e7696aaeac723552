/* What os/system.h asks of the group of processes that the caller is in, where no such group is known. */
#include "os/system.h"

int system_group_cpu(const struct system_state *state, uint64_t *cpu_ns)
{
	(void)state, (void)cpu_ns;
	return OS_ERROR_UNSUPPORTED;
}

int system_group_processes(const struct system_state *state, int *pids, size_t capacity)
{
	(void)state, (void)pids, (void)capacity;
	return OS_ERROR_UNSUPPORTED;
}

uint64_t system_memory_in_use_kib(struct system_state *state)
{
	(void)state;
	return 0;
}
