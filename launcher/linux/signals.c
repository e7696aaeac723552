/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtrack-run on Linux.
 *
 * There are no handlers. All signals are blocked, and stay pending in the kernel until the main loop accepts them, so
 * none is lost between two system calls. rtrack-run also passes on a signal that is ignored (SIGHUP under nohup), or
 * has no effect on process 1. It makes the system calls itself, because the C library's functions exclude two
 * signals. */
#define _GNU_SOURCE
#include "launcher/signals.h"

#include "launcher/linux/status.h"

#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* glibc expects an enumeration here and musl an int; uint8_t converts to both. */
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

	/* `perl -e 'alarm 60; exec @ARGV'` limits the time of a command. exec preserves timers, but fork does not, so
	 * the command's process gets them again. */
	for (size_t i = 0; i < ARRAY_LENGTH(timer_kinds); i++)
		(void)setitimer(timer_kinds[i], &stopped, &signals->timer[i]);
	(void)prctl(PR_GET_PDEATHSIG, &signals->death);

	/* While SIGCHLD is ignored, the kernel reaps the children and their status is lost. */
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

/* Accepts the next signal of a set. */
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

/* Returns whether a signal would stop the command only because of rtrack-run. Without rtrack-run, the command would be
 * process 1 of a PID namespace, which the kernel does not stop. Nobody might continue the stopped command. */
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
		/* Not passed on: a signal that rtrack-run has raised itself, such as SIGPIPE from a write to a pipe
		 * without a reader. */
		if (info->si_pid != getpid())
			(void)kill(target, info->si_signo);
		break;
	case SI_QUEUE:
		(void)syscall(SYS_rt_sigqueueinfo, target, info->si_signo, info);
		break;
	case SI_KERNEL:
		/* When a terminal hangs up, the kernel signals only the session leader, so rtrack-run passes SIGHUP
		 * on. */
		if (info->si_signo == SIGHUP && getsid(0) == getpid())
			(void)kill(target, SIGHUP);
		break;
	default:
		break;
	}
}
