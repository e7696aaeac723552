/* The ends of the launcher's children on macOS; see reaping.h. */
#include "launcher/reaping.h"

#include <sys/wait.h>

/* Orphans go to launchd, process 1; there is no other. */
bool reaping_adopt(bool orphans)
{
	(void)orphans;
	return false;
}

/* macOS' waitid(2) tells no peak; the sampler reads that of the zombie. */
bool reaping_next(struct child_end *ended)
{
	siginfo_t info = {0};

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
		return false;
	bool exited = info.si_code == CLD_EXITED;
	*ended = (struct child_end){.pid = info.si_pid,
		.exit_code = exited ? info.si_status & 0xff : -1,
		.exit_signal = exited ? 0 : info.si_status,
		.read_bytes = UINT64_MAX,
		.write_bytes = UINT64_MAX};
	return true;
}

/* In bytes here. */
uint64_t reaping_kib(long maxrss)
{
	return (uint64_t)maxrss / 1024;
}
