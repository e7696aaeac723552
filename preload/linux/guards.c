/* SPDX-License-Identifier: Apache-2.0 */
/* Interposes calls of the host that conflict with the sampling thread. The thread ends first, then the C library's
 * function is called. docs/hazards.md names a program for each call.
 *
 *   unshare, setns   fail in a process with a second thread
 *   set*uid, capset  the C library changes only threads that it knows; the sampling thread would keep rights that the
 *                    host gives up
 *   sigaction        only recorded: the usage of a child that ends while SIGCHLD is ignored is lost
 *   chroot           afterwards the process cannot write its exit record
 *   prctl, syscall   a seccomp filter may kill the host for the library's system calls
 *   syscall          makes any of these calls by number, creates a PID namespace, or ends the process. In a Landlock
 *                    sandbox, programs may not find the library
 *
 * Only the root of a run without rtrack-run hosts a thread. There, sampling passes to a separate process (root_leave),
 * or pauses during the call (root_rest). */
#include "os/linux/sys.h"
#include "os/self.h"
#include "preload/host.h"
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"

#include <linux/errno.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <asm/signal.h>
#include <asm/unistd.h>

/* These constants are missing in the headers of Linux before 5.3, 5.6 and 5.13. */
enum { CLONE3 = 435, NEW_TIME = 0x80, LANDLOCK_RESTRICT_SELF = 446 };

#define EXPORT __attribute__((visibility("default")))

static bool hosts_thread(void)
{
	return root_has_sampler() && member_is_current();
}

/* Passes sampling to a keeper before a call after which the host may lack permission to write its exit record. Returns
 * false, because come_back is not needed. */
static bool step_aside(void)
{
	if (hosts_thread()) {
		root_part();
		root_leave();
	}
	return false;
}

/* Passes sampling to a keeper before a call of the C library's function `name`. Returns the function, or NULL. */
static void *leave_for(void **known, const char *name)
{
	if (!*known)
		*known = host_find_next(name);
	if (*known)
		(void)step_aside();
	return *known;
}

/* Called before a call that fails if the process has a second thread. Returns true if come_back must follow. A host
 * in a new user namespace has another user id and may be unable to record its end, so root_part is called. */
static bool step_aside_if_needed(uint64_t flags)
{
	if (hosts_thread() && flags & CLONE_NEWUSER)
		root_part();
	return hosts_thread() && root_step_aside();
}

static void come_back(bool aside)
{
	if (aside)
		root_go_on();
}

/* Passes sampling to a keeper before chroot, because the host cannot write its exit record afterwards. If the host
 * adopts orphans, no keeper is started. In that case the sampling thread continues, which is possible because it has
 * its own root directory. */
static bool step_aside_for_records(void)
{
	return os_keeps_orphans() ? false : step_aside();
}

/* Records that children will be in new namespaces. `begun`: children may already be in them. */
static void note_namespace(uint64_t flags, bool begun)
{
	if (flags & CLONE_NEWPID)
		member_notes_namespace(begun);
	if (flags & NEW_TIME)
		member_parts_in_time(false);
}

/* Called after setns, which may have moved this process to another time namespace. `type` 0 means any namespace. */
static void note_join(int type)
{
	if (type == 0 || type & NEW_TIME)
		member_parts_in_time(true);
}

/* Called before setns, because /proc may not show this process afterwards. `type` 0 means any namespace. */
static bool step_aside_to_join(int type)
{
	uint64_t flags = type == 0 ? CLONE_NEWPID | CLONE_NEWUSER : (unsigned)type;

	note_namespace(flags, false);
	return step_aside_if_needed(flags);
}

static void fall_silent(void)
{
	if (hosts_thread()) {
		if (os_keeps_orphans())
			(void)root_end(-1);
		else
			(void)step_aside();
	}
	member_fall_silent();
	host_forget_library(true);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): parameters and arguments come with theirs. */

/* Defines NAME(PARAMETERS). It evaluates `aside`, calls the C library's function with (ARGUMENTS), and on success
 * evaluates `after`. */
#define INTERPOSE(name, parameters, arguments, aside, after)                                                           \
	EXPORT int name parameters;                                                                                    \
	EXPORT int name parameters                                                                                     \
	{                                                                                                              \
		static union {                                                                                         \
			void *address;                                                                                 \
			int(*call) parameters;                                                                         \
		} real;                                                                                                \
		if (!real.address)                                                                                     \
			real.address = host_find_next(#name);                                                          \
		if (!real.address)                                                                                     \
			return -1;                                                                                     \
		bool stepped = aside;                                                                                  \
		int result = real.call arguments;                                                                      \
		if (result == 0)                                                                                       \
			after;                                                                                         \
		come_back(stepped);                                                                                    \
		return result;                                                                                         \
	}

#define NOTHING (void)0

/* Defines NAME(PARAMETERS), which passes sampling to a keeper and then calls the C library's function with
 * (ARGUMENTS). */
#define STEP_ASIDE(name, parameters, arguments)                                                                        \
	EXPORT int name parameters;                                                                                    \
	EXPORT int name parameters                                                                                     \
	{                                                                                                              \
		static void *known;                                                                                    \
		union {                                                                                                \
			void *address;                                                                                 \
			int(*call) parameters;                                                                         \
		} real = {leave_for(&known, #name)};                                                                   \
		return real.address ? real.call arguments : -1;                                                        \
	}

INTERPOSE(unshare, (int flags), (flags), step_aside_if_needed((unsigned)flags), note_namespace((unsigned)flags, true))
INTERPOSE(setns, (int descriptor, int type), (descriptor, type), step_aside_to_join(type), note_join(type))
STEP_ASIDE(setuid, (unsigned user), (user))
STEP_ASIDE(seteuid, (unsigned user), (user))
STEP_ASIDE(setreuid, (unsigned real_user, unsigned user), (real_user, user))
STEP_ASIDE(setresuid, (unsigned real_user, unsigned user, unsigned saved), (real_user, user, saved))
STEP_ASIDE(capset, (void *header, const void *data), (header, data))
INTERPOSE(chroot, (const char *path), (path), step_aside_for_records(), NOTHING)

/* NOLINTEND(bugprone-macro-parentheses) */

/* The first members of the C library's struct sigaction. */
struct action {
	uint64_t handler; /* SIG_IGN is 1 */
	uint64_t mask[16];
	int flags;
};

/* Records how SIGCHLD is handled. Returns false, because come_back is not needed. */
static bool note_action(int number, const struct action *action)
{
	if (number == SIGCHLD && action)
		member_lets_children_go(action->handler == 1 || action->flags & SA_NOCLDWAIT);
	return false;
}

/* NOLINTNEXTLINE(bugprone-macro-parentheses): as above. */
INTERPOSE(sigaction, (int number, const struct action *action, void *old), (number, action, old),
	note_action(number, action), NOTHING)

EXPORT int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d);
EXPORT int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	static union {
		void *address;
		int (*call)(int, unsigned long, unsigned long, unsigned long, unsigned long);
	} real;
	if (!real.address)
		real.address = host_find_next("prctl");
	if (!real.address)
		return -1;
	if (option == PR_SET_SECCOMP && (a != SECCOMP_MODE_FILTER || b))
		fall_silent();
	return real.call(option, a, b, c, d);
}

/* Returns whether before_watched takes a precaution for a system call. The compiler turns this switch into two bit
 * tests. */
static bool is_watched(long number)
{
	switch (number) {
	case __NR_exit:
	case __NR_exit_group:
	case __NR_seccomp:
	case __NR_prctl:
	case __NR_unshare:
	case __NR_setns:
	case __NR_setuid:
	case __NR_setreuid:
	case __NR_setresuid:
	case __NR_capset:
	case __NR_chroot:
	case LANDLOCK_RESTRICT_SELF:
		return true;
	default:
		return false;
	}
}

/* Prepares for a system call. Returns true if come_back must follow. */
static bool before_watched(long number, long a, long b, long c)
{
	if (number == __NR_seccomp || number == __NR_prctl) {
		/* A call with a null pointer as the filter only tests whether the kernel supports filters. */
		bool filters = number == __NR_prctl
				       ? a == PR_SET_SECCOMP && (b != SECCOMP_MODE_FILTER || c)
				       : a == SECCOMP_SET_MODE_STRICT || (a == SECCOMP_SET_MODE_FILTER && c);
		if (filters)
			fall_silent();
	} else if (number == __NR_exit_group) {
		library_exits((int)a);
	} else if (number == __NR_exit) {
		library_thread_exits((int)a);
	} else if (number == LANDLOCK_RESTRICT_SELF) {
		host_is_confined();
		return step_aside();
	} else if (number == __NR_unshare) {
		return step_aside_if_needed((unsigned long)a);
	} else if (number == __NR_setns) {
		return step_aside_to_join((int)b);
	} else if (number == __NR_chroot) {
		return step_aside_for_records();
	} else if (is_watched(number)) {
		return step_aside();
	}
	return false;
}

static union {
	void *address;
	long (*call)(long, long, long, long, long, long, long);
} real_syscall;

/* Returns the flags of a call that creates a process. Returns 0 for other calls, and for a call whose child shares
 * the address space. */
static uint64_t clone_flags(long number, long a, long b)
{
	uint64_t flags = 0;

	if (number == __NR_clone)
		flags = (unsigned long)a;
	else if (number == CLONE3 && (size_t)b >= sizeof flags && !member_is_silent() && sys_can_read((const void *)a))
		flags = *(const uint64_t *)a;
	return flags & CLONE_VM ? 0 : flags;
}

static long watched_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	uint64_t flags = clone_flags(number, a, b);

	note_namespace(flags, false);
	bool aside = before_watched(number, a, b, c);
	long result = real_syscall.call(number, a, b, c, d, e, f);
	if (result == 0 && number == __NR_unshare)
		note_namespace((unsigned long)a, true);
	if (result == 0 && number == __NR_setns)
		note_join((int)b);
	if (result > 0)
		note_namespace(flags, true);
	come_back(aside);
	return result;
}

/* Some programs make all of their system calls through this function. A system call that needs no precaution costs
 * one test and a jump to the C library. Because of the jump, the library has no frame on the stack, which a child
 * may share with the caller. */
EXPORT long syscall(long number, long a, long b, long c, long d, long e, long f);
EXPORT long syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (!real_syscall.address && !(real_syscall.address = host_find_next("syscall")))
		return -1;
	if (!is_watched(number) && !(clone_flags(number, a, b) & (CLONE_NEWPID | NEW_TIME)))
		return real_syscall.call(number, a, b, c, d, e, f);
	return watched_syscall(number, a, b, c, d, e, f);
}
