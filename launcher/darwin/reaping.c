/* SPDX-License-Identifier: Apache-2.0 */
/* Reaps the children of rtrack-run on macOS. */
#include "launcher/reaping.h"

#include <sys/wait.h>

/* Returns false, because only launchd, process 1, adopts orphans. */
bool reaping_adopt(bool orphans)
{
	(void)orphans;
	return false;
}

/* Finds an ended child. The sampler reads the child's peak from the zombie, because waitid(2) of macOS does not
 * return the peak. */
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

/* Converts ru_maxrss, which is in bytes on macOS. */
uint64_t reaping_kib(long maxrss)
{
	return (uint64_t)maxrss / 1024;
}
