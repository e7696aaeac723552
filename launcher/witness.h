/* Tells a signal for the launcher alone, which must be passed on, from one for its whole process group, which the
 * command has got already.
 *
 * The kernel does not say which of the two a signal was. The witness is a process of ours in the same process group
 * that does nothing and has every signal blocked: a signal that is pending there was sent to the whole group. */
#ifndef RTRACK_LAUNCHER_WITNESS_H
#define RTRACK_LAUNCHER_WITNESS_H

#include "core/base.h"

#include <sys/types.h>

struct witness {
	pid_t pid;       /* 0: there is none, and every signal counts as one for the launcher alone */
	int end;         /* of a pipe that asks it; negative: none */
	uint64_t before; /* bit N-1: an earlier witness saw signal N, and witness_saw was not asked about it yet */
};

/* Starts the witness. To be called with all signals blocked, and after the command was forked. The kernel signals a
 * process group from its youngest member to its oldest. Therefore the witness gets a signal before the launcher does.
 * As process 1 there is none, since signals to all processes (kill -1) do not reach process 1. */
void witness_start(struct witness *witness);

/* Whether the whole group got `signal`, which the launcher has just taken. To be called for every signal taken. */
bool witness_saw(struct witness *witness, int signal);

void witness_stop(struct witness *witness);

#endif
