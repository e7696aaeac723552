/* Tells a signal for the launcher alone from one for its whole process group, which the command has got already.
 *
 * The kernel does not say which of the two a signal was. The witness is a process of ours that does nothing in the same
 * process group, with every signal blocked: what is pending there was sent to all. */
#ifndef RTRACK_LAUNCHER_WITNESS_H
#define RTRACK_LAUNCHER_WITNESS_H

#include "core/base.h"

#include <sys/types.h>

struct witness {
	pid_t pid;       /* 0: there is none, and every signal counts as one for the launcher alone */
	uint64_t before; /* bit N-1: signal N was seen by an earlier witness, and not asked for yet */
};

/* To be called with all signals blocked, after the command was forked: the kernel goes through a process group from its
 * youngest member to its oldest, so the witness has what the launcher takes. As process 1 there is none, since what
 * goes to everybody (kill -1) does not go there. */
void witness_start(struct witness *witness);

/* Whether the whole group got `signal`, which the launcher has just taken. To be asked of every signal. */
bool witness_saw(struct witness *witness, int signal);

void witness_stop(struct witness *witness);

#endif
