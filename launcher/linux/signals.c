/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtrack-run on Linux.
 *
 * rtrack-run has no signal handlers. All signals are blocked and stay pending in the kernel until the main loop
 * accepts them, so no signal is lost between two system calls. rtrack-run also passes on signals that are ignored
 * (SIGHUP under nohup) or that have no effect on process 1. The system calls are made directly, because the C
 * library's functions exclude two signals. */
#define _GNU_SOURCE
#include "launcher/signals.h"

#include "launcher/linux/status.h"

#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The type is uint8_t because it converts to the parameter's type in both C libraries: an enumeration in glibc and
 * an int in musl. */
static const uint8_t timer_kinds[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

static const uint64_t every_signal = UINT64_MAX;

static void set_mask(const uint64_t *mask, uint64_t *before)
{
	(void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, before, sizeof *mask);
}

void signals_take(struct signals *signals)
{
	const struct itimerval stopped = {0};
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction before = {0};

	*signals = (struct signals){0};
	set_mask(&every_signal, &signals->mask);

	/* The caller may have set a timer to limit the time of the command, as in `perl -e 'alarm 60; exec @ARGV'`.
	 * fork does not copy timers, so they are set again in the command's process. */
	for (size_t i = 0; i < ARRAY_LENGTH(timer_kinds); i++)
		(void)setitimer(timer_kinds[i], &stopped, &signals->timer[i]);
	(void)prctl(PR_GET_PDEATHSIG, &signals->death);

	/* SIGCHLD must not be ignored, because the kernel would reap the children and their status would be lost. */
	(void)sigaction(SIGCHLD, &standard, &before);
	signals->child_ignored = before.sa_handler == SIG_IGN;
}

void signals_give(const struct signals *signals)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};

	if (signals->child_ignored)
		(void)sigaction(SIGCHLD, &ignored, NULL);
	if (signals->death != 0)
		(void)prctl(PR_SET_PDEATHSIG, signals->death);
	for (size_t i = 0; i < ARRAY_LENGTH(timer_kinds); i++)
		if (timerisset(&signals->timer[i].it_value))
			(void)setitimer(timer_kinds[i], &signals->timer[i], NULL);
	set_mask(&signals->mask, NULL);
}

/* Accepts the next signal of a set. Waits up to `timeout_ns`, or without limit if that is negative. Returns false on
 * timeout. */
static bool take(const uint64_t *set, int64_t timeout_ns, struct signal_taken *taken)
{
	struct timespec timeout = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};

	long signal =
		syscall(SYS_rt_sigtimedwait, set, &taken->info, timeout_ns < 0 ? NULL : &timeout, sizeof every_signal);
	if (signal <= 0)
		return false;
	taken->number = (int)signal;
	taken->sent = taken->info.si_code == SI_USER || taken->info.si_code == SI_KERNEL;
	return true;
}

bool signals_wait(int64_t timeout_ns, struct signal_taken *taken)
{
	return take(&every_signal, timeout_ns, taken);
}

bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again)
{
	uint64_t same = signal_bit(taken->number);

	return taken->info.si_code == SI_USER && taken->info.si_pid == getpgrp() && take(&same, moment_ns, again);
}

bool signals_meant(const struct signal_taken *taken, pid_t target)
{
	pid_t leader = getpgrp();
	bool by_parent = leader == getppid() && taken->info.si_pid == leader;

	return getpgid(target) != leader && taken->info.si_code == SI_USER && (by_parent || leader == getpid());
}

/* Returns whether a signal would stop the command only because of rtrack-run. This is the case if rtrack-run is
 * process 1 of a PID namespace. Without rtrack-run, the command would be process 1, and the kernel would not stop
 * it. A stopped command might never be continued. */
static bool stops_in_place_of_first(int signal, pid_t target)
{
	return getpid() == 1 && (signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU) &&
	       (status_signals(target, "SigCgt:") & signal_bit(signal)) == 0;
}

void signals_forward(const struct signal_taken *taken, pid_t target)
{
	const siginfo_t *info = &taken->info;

	if (stops_in_place_of_first(info->si_signo, target))
		return;
	switch (info->si_code) {
	case SI_USER:
	case SI_TKILL:
		/* A signal that rtrack-run has raised itself is not passed on, such as SIGPIPE from a write to a
		 * pipe without a reader. */
		if (info->si_pid != getpid())
			(void)kill(target, info->si_signo);
		break;
	case SI_QUEUE:
		(void)syscall(SYS_rt_sigqueueinfo, target, info->si_signo, info);
		break;
	case SI_KERNEL:
		/* When a terminal hangs up, the kernel sends SIGHUP only to the session leader. If this is
		 * rtrack-run, it passes on the signal. */
		if (info->si_signo == SIGHUP && getsid(0) == getpid())
			(void)kill(target, SIGHUP);
		break;
	default:
		break;
	}
}
