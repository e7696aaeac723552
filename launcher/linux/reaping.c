/* The ends of the launcher's children on Linux; see reaping.h. */
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

bool reaping_next(struct ended *ended)
{
	siginfo_t info = {0};
	struct rusage usage = {0};

	/* The system call has one argument more than the function of the C library. */
	if (syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, &usage) != 0 || info.si_pid == 0)
		return false;
	bool exited = info.si_code == CLD_EXITED;
	*ended = (struct ended){.pid = info.si_pid,
		.exit_code = exited ? info.si_status : -1,
		.exit_signal = exited ? 0 : info.si_status,
		.peak_kib = (uint64_t)usage.ru_maxrss};
	return true;
}

static int64_t nanoseconds(struct timeval time)
{
	return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

bool reaping_take(pid_t pid, struct reaped *reaped)
{
	struct rusage usage = {0};

	if (wait4(pid, NULL, 0, &usage) != pid)
		return false;
	*reaped = (struct reaped){nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime), (uint64_t)usage.ru_maxrss};
	return true;
}

int reaping_stop(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == pid ? info.si_status : 0;
}
