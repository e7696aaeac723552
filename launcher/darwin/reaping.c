/* The ends of the launcher's children on macOS; see reaping.h. */
#include "launcher/reaping.h"

#include <sys/resource.h>
#include <sys/wait.h>

/* Orphans go to launchd, process 1; there is no other. */
bool reaping_adopt(bool orphans)
{
	(void)orphans;
	return false;
}

/* macOS' waitid(2) tells no peak; the sampler reads that of the zombie. */
bool reaping_next(struct ended *ended)
{
	siginfo_t info = {0};

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
		return false;
	bool exited = info.si_code == CLD_EXITED;
	*ended = (struct ended){.pid = info.si_pid,
		.exit_code = exited ? info.si_status & 0xff : -1,
		.exit_signal = exited ? 0 : info.si_status,
		.peak_kib = 0};
	return true;
}

static int64_t nanoseconds(struct timeval time)
{
	return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

/* ru_maxrss is in bytes here. */
bool reaping_take(pid_t pid, struct reaped *reaped)
{
	struct rusage usage = {0};

	if (wait4(pid, NULL, 0, &usage) != pid)
		return false;
	*reaped = (struct reaped){
		nanoseconds(usage.ru_utime), nanoseconds(usage.ru_stime), (uint64_t)usage.ru_maxrss / 1024};
	return true;
}

int reaping_stop(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == pid ? info.si_status : 0;
}
