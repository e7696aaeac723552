/* macOS has no process groups with a memory limit, so there is never a control group. */
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
