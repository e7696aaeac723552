/* SPDX-License-Identifier: Apache-2.0 */
/* Reaps the children of rtrack-run: the part common to all platforms. */
#define _GNU_SOURCE
#include "launcher/reaping.h"

#include <sys/resource.h>
#include <sys/wait.h>

static int64_t nanoseconds(struct timeval time)
{
	return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

bool reaping_take(pid_t pid, struct reaped *reaped)
{
	struct rusage usage = {0};

	if (wait4(pid, NULL, 0, &usage) != pid)
		return false;
	*reaped =
		(struct reaped){nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime), reaping_kib(usage.ru_maxrss)};
	return true;
}

int reaping_stop(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == pid ? info.si_status : 0;
}
