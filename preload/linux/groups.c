/* SPDX-License-Identifier: Apache-2.0 */
/* Makes process groups work under rtrack-run as without it.
 *
 * If a process that leads its group calls setpgid(0, 0), as timeout does, it stays in the group. Under rtrack-run, the
 * process does not lead its group, so the call would move it to a new group. There it would lose the terminal, and
 * signals from the terminal or from a shell.
 *
 * A scheduler, setsid, or a shell with job control starts a job as the leader of a group. The job may kill all of its
 * processes by its own pid: `kill -- -$$`. Under rtrack-run, rtrack-run leads the group, so no group has the root's
 * pid. */
#include "os/linux/sys.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/member.h"

#include <linux/errno.h>
#include <asm/unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Returns the group that rtrack-run leads in place of `group`. Returns 0 if `group` is not the root's pid, or if a
 * group has that number. If the root has ended, the caller's own group is read instead. Under a seccomp filter,
 * which may forbid getpgid, the result is 0. */
static int stands_for(int group)
{
	int launchers = group > 1 && !member_is_silent() ? (int)SYS_CALL1(__NR_getpgid, group) : 0;

	if (launchers == -ESRCH)
		launchers = (int)SYS_CALL1(__NR_getpgid, 0);
	return launchers > 0 && launchers != group && member_is_launched(group, launchers) ? launchers : 0;
}

/* Calls the function `name`. If it fails, calls it again with the group that rtrack-run leads. `sign`: -1 if the
 * function takes the negative number of the group. `behind`: the group is the second argument. */
static int call_on(void **known, const char *name, int sign, int first, int second, bool behind)
{
	if (!*known)
		*known = host_find_next(name);
	union {
		void *address;
		int (*call)(int, int);
	} real = {*known};

	int result = real.address ? real.call(first, second) : -1;
	int group = real.address && result != 0 ? stands_for(sign * (behind ? second : first)) : 0;
	if (group <= 0)
		return result;
	return behind ? real.call(first, sign * group) : real.call(sign * group, second);
}

EXPORT int kill(int pid, int signal);
EXPORT int kill(int pid, int signal)
{
	static void *known;
	return call_on(&known, "kill", -1, pid, signal, false);
}

EXPORT int killpg(int group, int signal);
EXPORT int killpg(int group, int signal)
{
	static void *known;
	return call_on(&known, "killpg", 1, group, signal, false);
}

/* Returns whether the calling process is the root and would lead its group without rtrack-run. */
static bool leads_already(void)
{
	return !member_is_silent() && member_would_lead((int)SYS_CALL1(__NR_getpgid, 0));
}

static bool is_own(int pid)
{
	return pid == 0 || pid == os_pid();
}

static int set_group(int pid, int group)
{
	static void *known;
	if (is_own(pid) && is_own(group) && leads_already())
		return 0;
	return call_on(&known, "setpgid", 1, pid, group, true);
}

EXPORT int setpgid(int pid, int group);
EXPORT int setpgid(int pid, int group)
{
	return set_group(pid, group);
}

EXPORT int setpgrp(void);
EXPORT int setpgrp(void)
{
	return set_group(0, 0);
}

/* Gives the terminal to a group. set_group may have reported success to a shell with job control without making it a
 * group leader. The shell therefore becomes the leader of a group here. */
EXPORT int tcsetpgrp(int file, int group);
EXPORT int tcsetpgrp(int file, int group)
{
	static void *known;
	if (group > 0 && is_own(group) && leads_already())
		(void)SYS_CALL2(__NR_setpgid, 0, 0);
	return call_on(&known, "tcsetpgrp", 1, file, group, true);
}
