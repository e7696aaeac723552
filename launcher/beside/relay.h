/* SPDX-License-Identifier: Apache-2.0 */
/* A process that relays the command's output to a terminal or a pipe, and keeps the end of it. */
#ifndef RTRACK_LAUNCHER_BESIDE_RELAY_H
#define RTRACK_LAUNCHER_BESIDE_RELAY_H

#include "core/base.h"

enum { RELAY_KEPT = 65536, RELAY_RING = 2 * RELAY_KEPT, RELAY_CHUNK = 16384 };

/* Memory shared by the relay and rtrack-run. Byte N of the stream is at index N modulo RELAY_RING. */
struct relay_memory {
	uint64_t count; /* number of bytes until now; stored with release semantics, after the bytes */
	char ring[RELAY_RING];
};

struct relay {
	int in;      /* the command's output: a pipe, or, if `terminal`, the master of a pseudo terminal */
	int out;     /* where the output goes: stdout or stderr of this process */
	int control; /* socket to rtrack-run */
	bool terminal;
	struct relay_memory *memory;
};

/* Called in a forked process. Relays until rtrack-run has ended and no process can write any more. If rtrack-run shuts
 * down its end of `control`, it reads end-of-file there once all earlier output is relayed. */
_Noreturn void relay_run(const struct relay *relay);

/* Copies the last RELAY_KEPT bytes and returns their number, or 0 if the relay overwrites them at this time. */
size_t relay_copy(const struct relay_memory *memory, char out[RELAY_KEPT]);

#endif
