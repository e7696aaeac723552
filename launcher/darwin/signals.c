/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtrack-run on macOS.
 *
 * macOS has no sigtimedwait(2). All signals are therefore blocked, and a queue reports each signal, even if it is
 * ignored (kqueue(2), EVFILT_SIGNAL). The sender of a signal is unknown, because macOS reports it only to a handler.
 * All signals except SIGCHLD are therefore treated as sent by a process or the terminal, and the probe determines
 * which of them the command has already received. */
#include "launcher/signals.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/event.h>
#include <time.h>
#include <unistd.h>

enum { SIGNALS = 31 };

static const int timer_kinds[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};

static int queue = -1;

static uint64_t mask_of(const sigset_t *set)
{
	uint64_t mask = 0;

	for (int i = 1; i <= SIGNALS; i++)
		mask |= sigismember(set, i) == 1 ? signal_bit(i) : 0;
	return mask;
}

/* If the queue cannot be created, signals stay pending until signals_wait checks again. */
static void open_queue(void)
{
	queue = kqueue();
	if (queue < 0)
		return;
	(void)fcntl(queue, F_SETFD, FD_CLOEXEC);
	for (int i = 1; i <= SIGNALS; i++) {
		struct kevent change;
		EV_SET(&change, (uintptr_t)i, EVFILT_SIGNAL, EV_ADD | EV_CLEAR, 0, 0, NULL);
		if (i != SIGKILL && i != SIGSTOP)
			(void)kevent(queue, &change, 1, NULL, 0, NULL);
	}
}

void signals_take(struct signals *signals)
{
	const struct itimerval stopped = {.it_value = {0, 0}};
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction before = {.sa_handler = SIG_DFL};
	sigset_t all, mask;

	*signals = (struct signals){.mask = 0};
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, &mask);
	signals->mask = mask_of(&mask);
	for (size_t i = 0; i < ARRAY_LENGTH(timer_kinds); i++)
		(void)setitimer(timer_kinds[i], &stopped, &signals->timer[i]);
	/* SIGCHLD must not be ignored, because the kernel would reap the children and their status would be lost. */
	(void)sigaction(SIGCHLD, &standard, &before);
	signals->child_ignored = before.sa_handler == SIG_IGN;
	if (queue < 0)
		open_queue();
}

void signals_give(const struct signals *signals)
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	sigset_t mask;

	if (signals->child_ignored)
		(void)sigaction(SIGCHLD, &ignored, NULL);
	for (size_t i = 0; i < ARRAY_LENGTH(timer_kinds); i++)
		if (timerisset(&signals->timer[i].it_value))
			(void)setitimer(timer_kinds[i], &signals->timer[i], NULL);
	(void)sigemptyset(&mask);
	for (int i = 1; i <= SIGNALS; i++)
		if (signals->mask & signal_bit(i))
			(void)sigaddset(&mask, i);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
}

/* Removes a signal that rtrack-run has accepted from the pending signals. */
static void take_pending(int number)
{
	sigset_t pending, wanted;
	int taken;

	(void)sigpending(&pending);
	if (sigismember(&pending, number) != 1)
		return;
	(void)sigemptyset(&wanted);
	(void)sigaddset(&wanted, number);
	(void)sigwait(&wanted, &taken);
}

bool signals_wait(int64_t timeout_ns, struct signal_taken *taken)
{
	const struct timespec timeout = {timeout_ns / 1000000000, timeout_ns % 1000000000};
	struct kevent event;

	*taken = (struct signal_taken){.number = 0};
	if (queue < 0) {
		(void)nanosleep(timeout_ns < 0 ? &(struct timespec){1, 0} : &timeout, NULL);
		return false;
	}
	if (kevent(queue, NULL, 0, &event, 1, timeout_ns < 0 ? NULL : &timeout) != 1)
		return false;
	taken->number = (int)event.ident;
	taken->sent = taken->number != SIGCHLD;
	take_pending(taken->number);
	return true;
}

bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again)
{
	(void)moment_ns;
	(void)taken; /* the sender is unknown */
	(void)again;
	return false;
}

bool signals_meant(const struct signal_taken *taken, pid_t target)
{
	(void)taken; /* the sender is unknown */
	return getpgid(target) != getpgrp() && getpgrp() == getppid();
}

/* SIGPIPE is not passed on, because rtrack-run's own writes may raise it. */
void signals_forward(const struct signal_taken *taken, pid_t target)
{
	if (taken->sent && taken->number != SIGPIPE)
		(void)kill(target, taken->number);
}
