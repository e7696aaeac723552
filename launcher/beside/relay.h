/* SPDX-License-Identifier: Apache-2.0 */
/* The process that relays the command's output to a terminal or a pipe, and stores the end of it. */
#ifndef RTRACK_LAUNCHER_BESIDE_RELAY_H
#define RTRACK_LAUNCHER_BESIDE_RELAY_H

#include "core/base.h"

enum { RELAY_KEPT = 65536, RELAY_RING = 2 * RELAY_KEPT, RELAY_CHUNK = 16384 };

/* Shared memory of the relay and the launcher. Byte N of the stream is at index N modulo RELAY_RING. */
struct relay_memory {
	uint64_t count; /* number of bytes so far; stored with release after the bytes */
	char ring[RELAY_RING];
};

struct relay {
	int in;      /* output of the command: a pipe, or, if `terminal`, the master of a pseudo terminal */
	int out;     /* original output: stdout or stderr of this process */
	int control; /* socket to the launcher */
	bool terminal;
	struct relay_memory *memory;
};

/* In a forked process: relays everything until the launcher has ended, and then until no process can write any more. A
 * launcher that shuts down its end of `control` reads end-of-file there once all earlier output is relayed. */
_Noreturn void relay_run(const struct relay *relay);

/* Copies the last RELAY_KEPT bytes and returns their number, or 0 if the relay overwrites them meanwhile. */
size_t relay_copy(const struct relay_memory *memory, char out[RELAY_KEPT]);

#endif
