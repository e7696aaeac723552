/* What a job would find around it without rtrack-run.
 *
 * A process whose parent is gone has the parent 1 then, which some wait for; below rtrack-run it is rtrack-run's child
 * as long as that lives.
 *
 * A job that is started as the first of its process group, by setsid, a scheduler or a shell with job control, may end
 * all of its processes by its own pid: `kill -- -$$`. Below rtrack-run it is rtrack-run that was started so and leads,
 * with the root in its group, and the kernel knows no group of the root's pid. */
#include "os/linux/sys.h"
#include "preload/host.h"
#include "preload/member.h"

#include <linux/errno.h>
#include <asm/unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The group that rtrack-run leads in the place of `group`, which is nobody's; 0: none. Whoever is in that group may
 * outlive the root. A filter of system calls may forbid the question. */
SELDOM static int stands_for(int group)
{
	int launchers = group > 1 && !member_is_silent() ? (int)SYS_CALL1(__NR_getpgid, group) : 0;

	if (launchers == -ESRCH)
		launchers = (int)SYS_CALL1(__NR_getpgid, 0);
	return launchers > 0 && launchers != group && member_is_launched(group, launchers) ? launchers : 0;
}

/* `sign`: by which a group's number becomes an argument of the call. */
static int send(void **known, const char *name, int sign, int to, int signal)
{
	if (!*known)
		*known = host_find_next(name);
	union {
		void *address;
		int (*call)(int, int);
	} real = {*known};

	int result = real.address ? real.call(to, signal) : -1;
	int group = real.address && result != 0 ? stands_for(sign * to) : 0;
	return group > 0 ? real.call(sign * group, signal) : result;
}

EXPORT int getppid(void);
EXPORT int getppid(void)
{
	int parent = (int)SYS_CALL0(__NR_getppid);

	return member_is_adopted(parent) ? 1 : parent;
}

EXPORT int kill(int pid, int signal);
EXPORT int kill(int pid, int signal)
{
	static void *known;
	return send(&known, "kill", -1, pid, signal);
}

EXPORT int killpg(int group, int signal);
EXPORT int killpg(int group, int signal)
{
	static void *known;
	return send(&known, "killpg", 1, group, signal);
}
