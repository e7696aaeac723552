/* rtrack-run --keep-output: the last of what the command writes to a terminal or a pipe, as files of the run. */
#ifndef RTRACK_LAUNCHER_BESIDE_KEEP_H
#define RTRACK_LAUNCHER_BESIDE_KEEP_H

#include "launcher/beside/relay.h"
#include "launcher/options.h"
#include "sampler/run/make.h"

enum { KEEP_STREAMS = 2 };

struct keep {
	struct keep_stream {
		const char *file; /* its name in the run's directory; NULL: there is no such stream */
		bool is[2];       /* stdout, stderr; both where both are one terminal or pipe */
		int given;        /* what the command has in its place */
		int control;
		pid_t relay;
		struct relay_memory *memory;
		uint64_t stored; /* bytes of the stream when the file was written */
	} streams[KEEP_STREAMS];
	int64_t stored_ns;
};

/* Starts a relay for each stream that is a terminal, a pipe or a socket. To be called with all signals blocked, and
 * before the launcher gives up its output. A stream that cannot be kept stays as it is. */
void keep_begin(struct keep *keep, const struct options *options);

/* In the command's process, before its exec. */
void keep_give(const struct keep *keep);

/* In the launcher, once the command's process is forked. */
void keep_given(struct keep *keep);

/* Names the files of kept streams, for run.json. */
void keep_name(const struct keep *keep, struct run_output outputs[2]);

/* Writes the files, once a second at most. */
void keep_store(struct keep *keep, const char *directory);

/* Whether `pid` was a relay; it is reaped then. */
bool keep_reap(struct keep *keep, pid_t pid);

/* After the command's end: waits until what it wrote is passed on, or a signal comes, and writes the files. Relays go
 * on without the launcher where other processes can still write. */
void keep_finish(struct keep *keep, const char *directory);

#endif
