/* The process that passes on what the command writes to a terminal or a pipe, and holds the last of it. */
#ifndef RTRACK_LAUNCHER_BESIDE_RELAY_H
#define RTRACK_LAUNCHER_BESIDE_RELAY_H

#include "core/base.h"

enum { RELAY_KEPT = 65536, RELAY_RING = 2 * RELAY_KEPT, RELAY_CHUNK = 16384 };

/* In memory that the relay and the launcher share. Byte N of the stream is at N modulo RELAY_RING. */
struct relay_memory {
	uint64_t count; /* of bytes so far; written with release once they are there */
	char ring[RELAY_RING];
};

struct relay {
	int in;      /* what the command writes; a master of a pseudo terminal if `terminal` says so */
	int out;     /* where the command would have written: stdout or stderr of this process */
	int control; /* to the launcher */
	bool terminal;
	struct relay_memory *memory;
};

/* In a forked process: passes everything on until the launcher has ended, and then until no process can write any more.
 * A launcher that shuts its end of `control` down reads the end of the file there once all that was written before is
 * passed on. */
_Noreturn void relay_run(const struct relay *relay);

/* Copies the last RELAY_KEPT bytes, and returns how many there are; 0 as well while the relay overwrites them. */
size_t relay_copy(const struct relay_memory *memory, char out[RELAY_KEPT]);

#endif
