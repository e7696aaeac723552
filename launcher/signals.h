/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtrack-run. All are blocked, accepted one by one, and passed on to the command. */
#ifndef RTRACK_LAUNCHER_SIGNALS_H
#define RTRACK_LAUNCHER_SIGNALS_H

#include "core/base.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>

/* A signal that rtrack-run has accepted. */
struct signal_taken {
	int number;
	bool sent; /* a process or the terminal has sent it; false for SIGCHLD and timers */
	siginfo_t info;
};

/* State that rtrack-run changes and exec preserves, so it must be restored for the command. */
struct signals {
	uint64_t mask;             /* signal mask; bit N-1 is signal N */
	bool child_ignored;        /* SIGCHLD was ignored */
	struct itimerval timer[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int death;                 /* signal at the parent's end (PR_SET_PDEATHSIG); 0 if none */
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

/* Accepts the next signal, and waits for it up to `timeout_ns` (negative: without limit). Returns false on timeout. */
bool signals_wait(int64_t timeout_ns, struct signal_taken *taken);

/* Returns whether the leader of this process group sends a signal again within `moment_ns`. timeout(1) signals its
 * child and then the group. The second signal is accepted too. */
bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again);

/* Returns whether a signal to the process group of rtrack-run is also for `target`, which has left that group. A parent
 * that leads the group may signal its child and then the group, as timeout(1) does, and the two signals merge. If
 * rtrack-run leads the group, the signal is for the group that `target` would lead without rtrack-run. */
bool signals_meant(const struct signal_taken *taken, pid_t target);

/* Sends a signal from signals_wait to `target`. A signal of the terminal is not sent, because the whole process group
 * has received it. */
void signals_forward(const struct signal_taken *taken, pid_t target);

/* Stops rtrack-run with `signal`, which has stopped its child, if there is a shell to continue it. */
void signals_stop(int signal, pid_t child);

/* Ends this process with the signal that has ended the command. The parent then sees the command's status: a shell, for
 * example, ends its script at ^C. Returns if the signal does not end this process, because it is process 1. */
void signals_die(int signal);

#endif
