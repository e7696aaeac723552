/* The launcher's signals: all are blocked, taken one by one, and passed on to the command. */
#ifndef RTRACK_LAUNCHER_SIGNALS_H
#define RTRACK_LAUNCHER_SIGNALS_H

#include "core/base.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>

/* A signal that was taken. */
struct signal_taken {
	int number;
	bool sent; /* by a process or the terminal; false: it tells of a child or of a timer */
	siginfo_t info;
};

/* State that an exec keeps and the launcher changes: the command gets it back. */
struct signals {
	uint64_t mask;             /* bit N-1: signal N is blocked */
	bool child_ignored;        /* SIGCHLD was ignored */
	struct itimerval timer[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int death;                 /* sent when the parent dies (PR_SET_PDEATHSIG); 0: none */
};

/* The bit of a signal in a mask of the kernel. */
static inline uint64_t signal_bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* Blocks all signals of the calling process, stops its timers, and gives SIGCHLD its default meaning. */
void signals_take(struct signals *signals);

/* Undoes signals_take in a forked child, and sets what fork does not pass on. */
void signals_give(const struct signals *signals);

/* Takes the next signal, for which it waits at most `timeout_ns` (negative: for ever); false: none came. */
bool signals_wait(int64_t timeout_ns, struct signal_taken *taken);

/* Whether the leader of our process group sends its signal once more within `moment_ns`, as timeout(1) does: to its
 * child and then to all. The second is taken, too. */
bool signals_come_twice(const struct signal_taken *taken, int64_t moment_ns, struct signal_taken *again);

/* Whether a signal that came to all of our process group was meant for `target` besides, which has left that group.
 * What started us and leads the group sends it to its child and then to all, as timeout(1), and both became one; and
 * where we lead it, it is the group that `target` would lead. */
bool signals_meant(const struct signal_taken *taken, pid_t target);

/* Sends a signal that signals_wait has taken on to `target`. Signals of the terminal are not sent on, since the whole
 * process group has got them already; for those that a process sent to the group see witness.h. */
void signals_forward(const struct signal_taken *taken, pid_t target);

/* Stops the launcher by `signal`, which has stopped its child, if a shell is there to continue it. */
void signals_stop(int signal, pid_t child);

/* Ends this process by a signal that has ended the command. The process that waits for it sees what it would see of the
 * command, as a shell that is to end a script at ^C. Comes back where that signal does not end it, as of process 1. */
void signals_die(int signal);

#endif
