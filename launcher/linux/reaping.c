/* SPDX-License-Identifier: Apache-2.0 */
/* Reaps the children of rtrack-run on Linux. */
#define _GNU_SOURCE
#include "launcher/reaping.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

bool reaping_adopt(bool orphans)
{
	return prctl(PR_SET_CHILD_SUBREAPER, orphans ? 1 : 0) == 0;
}

/* Unit of ru_inblock and ru_oublock, which does not depend on the disk's block size. */
enum { BLOCK_BYTES = 512 };

bool reaping_next(struct child_end *ended)
{
	siginfo_t info = {0};
	struct rusage usage = {0};

	/* The system call is made directly, because the C library's waitid lacks the last argument, which returns
	 * the usage. */
	if (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, &usage) != 0 || info.si_pid == 0)
		return false;
	bool exited = info.si_code == CLD_EXITED;
	*ended = (struct child_end){.pid = info.si_pid,
		.exit_code = exited ? info.si_status : -1,
		.exit_signal = exited ? 0 : info.si_status,
		.peak_kib = reaping_kib(usage.ru_maxrss),
		.read_bytes = (uint64_t)usage.ru_inblock * BLOCK_BYTES,
		.write_bytes = (uint64_t)usage.ru_oublock * BLOCK_BYTES};
	return true;
}

uint64_t reaping_kib(long maxrss)
{
	return (uint64_t)maxrss;
}
