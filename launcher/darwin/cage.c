/* macOS has no groups of processes that the kernel holds to an amount of memory; see cage.h. */
#include "launcher/cage.h"

void cage_open(struct cage *cage, pid_t pid, double memory_mib)
{
	(void)pid, (void)memory_mib;
	*cage = (struct cage){.directory = ""};
}

bool cage_has_killed(const struct cage *cage)
{
	(void)cage;
	return false;
}

void cage_close(struct cage *cage)
{
	(void)cage;
}
