/* The ends of the launcher's children: of the command, and of whatever is left to us when its parent ends. */
#ifndef RTRACK_LAUNCHER_REAPING_H
#define RTRACK_LAUNCHER_REAPING_H

#include "core/base.h"

#include <sys/types.h>

struct ended {
	pid_t pid;
	int exit_code;   /* -1: a signal ended it */
	int exit_signal; /* 0: it ended by itself */
};

/* What the kernel's account of a reaped child says, its own reaped children included. */
struct reaped {
	int64_t user_ns;
	int64_t system_ns;
	uint64_t peak_kib; /* of the largest process */
};

/* Whether descendants whose parent ends become children of ours. False where the system has no such thing. */
bool reaping_adopt(bool orphans);

/* Some child that has ended, not reaped yet: its figures can still be read. False: there is none. */
bool reaping_next(struct ended *ended);

/* Reaps a child that reaping_next has named; false: somebody did already. */
bool reaping_take(pid_t pid, struct reaped *reaped);

/* The signal that has stopped this child since it was asked last; 0: none has. */
int reaping_stop(pid_t pid);

#endif
