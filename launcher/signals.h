/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks all signals of rtrack-run, accepts them one by one, and passes them on to the command. */
#ifndef RTRACK_LAUNCHER_SIGNALS_H
#define RTRACK_LAUNCHER_SIGNALS_H

#include "core/base.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>

/* A signal that rtrack-run has accepted. */
struct signal_taken {
	int number;
	bool sent; /* whether a process or the terminal has sent the signal; false for SIGCHLD and timers */
	siginfo_t info;
};

/* State of the process that rtrack-run changes. exec preserves this state, so it must be restored before the exec of
 * the command. */
struct signals {
	uint64_t mask;             /* signal mask; bit N-1 is signal N */
	bool child_ignored;        /* SIGCHLD was ignored */
	struct itimerval timer[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int death;                 /* signal that the kernel sends when the parent ends (PR_SET_PDEATHSIG); 0 if none */
};

/* Returns the bit of a signal in a kernel signal mask. */
static inline uint64_t signal_bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* Blocks all signals of the calling process, stops its timers, and resets SIGCHLD to its default action. */
void signals_take(struct signals *signals);

/* Undoes signals_take in a forked child, and restores state that fork does not copy. */
void signals_give(const struct signals *signals);

/* Accepts the next signal. Waits up to `timeout_ns`, or without limit if that is negative. Returns false on timeout. */
bool signals_wait(int64_t timeout_ns, struct signal_taken *taken);

/* Returns whether the leader of this process group sends the same signal again within `moment_ns`, as timeout(1)
 * does: it signals its child and then the group. The second signal is accepted and stored in *again. */
bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again);

/* Returns whether a signal to rtrack-run's process group must be passed on to `target` although `target` has left
 * that group. This is so if rtrack-run leads the group, because without rtrack-run `target` would lead it. This is
 * also so if the parent leads the group and has sent the signal. Such a parent may signal its child and then the
 * group, as timeout(1) does, and the two signals merge. */
bool signals_meant(const struct signal_taken *taken, pid_t target);

/* Sends a signal from signals_wait to `target`. A signal of the terminal is not passed on, because the whole process
 * group has received it. */
void signals_forward(const struct signal_taken *taken, pid_t target);

/* Called after `signal` has stopped the child. Stops rtrack-run too, if there is a shell that can continue it. */
void signals_stop(int signal, pid_t child);

/* Ends this process with the signal that has ended the command, so that the parent sees the same status. A shell,
 * for example, ends its script if ^C has killed a command. Returns if the signal does not end this process, because
 * it is process 1. */
void signals_die(int signal);

#endif
