/* SPDX-License-Identifier: Apache-2.0 */
/* A process that relays the command's output to a terminal or a pipe, and keeps the last part of the output in
 * memory. */
#ifndef RTRACK_LAUNCHER_BESIDE_RELAY_H
#define RTRACK_LAUNCHER_BESIDE_RELAY_H

#include "core/base.h"

enum { RELAY_KEPT = 65536, RELAY_RING = 2 * RELAY_KEPT, RELAY_CHUNK = 16384 };

/* Memory shared by the relay and rtrack-run. Byte N of the stream is at index N modulo RELAY_RING. */
struct relay_memory {
	uint64_t count; /* number of bytes so far; stored after the bytes, with release semantics */
	char ring[RELAY_RING];
};

struct relay {
	int in;      /* the command's output: a pipe, or, if `terminal`, the master of a pseudo terminal */
	int out;     /* where the output goes: stdout or stderr of this process */
	int control; /* socket to rtrack-run */
	bool terminal;
	struct relay_memory *memory;
};

/* Called in a forked process. Relays output until rtrack-run has ended and no process can write to the stream. To
 * wait for the relay, rtrack-run shuts down its end of `control`, and then reads end-of-file there when all earlier
 * output is relayed. */
_Noreturn void relay_run(const struct relay *relay);

/* Copies up to RELAY_KEPT of the last bytes and returns their number. Returns 0 if the relay overwrites them during
 * the copy. */
size_t relay_copy(const struct relay_memory *memory, char out[RELAY_KEPT]);

#endif
