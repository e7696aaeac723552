/* The launcher's signals: all of them blocked, taken one by one, and passed on to the command. */
#ifndef RTRACK_LAUNCHER_SIGNALS_H
#define RTRACK_LAUNCHER_SIGNALS_H

#include "core/base.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/types.h>

/* A signal that was taken. */
struct signal_taken {
	int number;
	bool sent;      /* by somebody, or by the terminal; others tell of a child or of a timer */
	siginfo_t info; /* what came with it */
};

/* What the launcher was given and the command is to get: state that an exec would have kept. */
struct signals {
	uint64_t mask;             /* bit N-1: signal N is blocked */
	bool child_ignored;        /* SIGCHLD was ignored */
	struct itimerval timer[3]; /* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int death;                 /* the signal to get when the parent dies, 0: none */
};

/* The place of a signal in a mask of the kernel's. */
static inline uint64_t signal_bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* Blocks all signals of the calling process, stops its timers, and gives SIGCHLD its default meaning. */
void signals_take(struct signals *signals);

/* Undoes signals_take in a forked child, and gives it what a fork does not pass on. */
void signals_give(const struct signals *signals);

/* Takes the next signal, and waits for it until `timeout_ns` have passed (negative: for ever); false: none came. */
bool signals_wait(int64_t timeout_ns, struct signal_taken *taken);

/* Sends a signal that signals_wait has taken to `target`; not those of the terminal, which have reached the whole
 * process group already. For those that a process sent to the group see witness.h. */
void signals_forward(const struct signal_taken *taken, pid_t target);

/* Stops the launcher after its child was stopped by `signal`, if somebody is there to continue it. */
void signals_stop(int signal, pid_t child);

#endif
