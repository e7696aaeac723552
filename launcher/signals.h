/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher's signals: all are blocked, accepted one by one, and passed on to the command. */
#ifndef RTRACK_LAUNCHER_SIGNALS_H
#define RTRACK_LAUNCHER_SIGNALS_H

#include "core/base.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>

/* An accepted signal. */
struct signal_taken {
	int number;
	bool sent; /* sent by a process or the terminal; false for children and timers */
	siginfo_t info;
};

/* State that exec preserves and the launcher changes, to be restored for the command. */
struct signals {
	uint64_t mask;             /* signal mask; bit N-1 is signal N */
	bool child_ignored;        /* SIGCHLD was ignored */
	struct itimerval timer[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int death;                 /* signal at the parent's death (PR_SET_PDEATHSIG); 0 if none */
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

/* Accepts the next signal, waiting at most `timeout_ns` (negative: without limit). Returns false on timeout. */
bool signals_wait(int64_t timeout_ns, struct signal_taken *taken);

/* Returns whether the leader of our process group sends its signal again within `moment_ns`, as timeout(1) does: to its
 * child and then to the group. The second signal is accepted as well. */
bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again);

/* Returns whether a signal to our whole process group was also meant for `target`, which has left that group. A parent
 * that leads the group may signal its child and then the group, as timeout(1) does, and both signals merge into one. If
 * we lead the group, it stands for the group that `target` would lead. */
bool signals_meant(const struct signal_taken *taken, pid_t target);

/* Sends a signal from signals_wait to `target`. Signals of the terminal are not sent, because the whole process group
 * has received them. Signals that a process sent to the group are handled by signal_probe.h. */
void signals_forward(const struct signal_taken *taken, pid_t target);

/* Stops the launcher with `signal`, which has stopped its child, if there is a shell to continue it. */
void signals_stop(int signal, pid_t child);

/* Ends this process with a signal that has ended the command, so that the waiting process sees the command's status,
 * for example a shell that ends a script at ^C. Returns if the signal does not end this process, as for process 1. */
void signals_die(int signal);

#endif
