/* Distinguishes a signal to the launcher alone, which must be passed on, from one to its whole process group, which the
 * command has already received.
 *
 * The kernel does not report the difference. The witness is a process of ours in the same process group that does
 * nothing and has every signal blocked: a signal pending there was sent to the whole group. */
#ifndef RTRACK_LAUNCHER_WITNESS_H
#define RTRACK_LAUNCHER_WITNESS_H

#include "core/base.h"

#include <sys/types.h>

struct witness {
	pid_t pid; /* 0 if there is none; every signal then counts as one to the launcher alone */
	int end;   /* end of a pipe for queries; negative if none */
	/* Signals (bit N-1 is signal N) that an earlier witness received and witness_saw has not yet reported. */
	uint64_t before;
};

/* Starts the witness. Call it with all signals blocked, after the command was forked. The kernel signals a process
 * group from its youngest member to its oldest, so the witness gets a signal before the launcher does. There is no
 * witness if we are process 1, because signals to all processes (kill -1) do not reach process 1. */
void witness_start(struct witness *witness);

/* Returns whether the whole group received `signal`, which the launcher has just accepted. Call it for every accepted
 * signal. */
bool witness_saw(struct witness *witness, int signal);

void witness_stop(struct witness *witness);

#endif
