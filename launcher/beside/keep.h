/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-run --keep-output: stores the last part of the command's output in files of the run, if the output goes to
 * a terminal or a pipe. */
#ifndef RTRACK_LAUNCHER_BESIDE_KEEP_H
#define RTRACK_LAUNCHER_BESIDE_KEEP_H

#include "launcher/beside/relay.h"
#include "launcher/options.h"
#include "sampler/run/make.h"

enum { KEEP_STREAMS = 2 };

struct keep {
	struct keep_stream {
		const char *file; /* file name in the run's directory, or NULL if the stream is unused */
		/* whether this stream is stdout (0) and stderr (1); both if they are the same terminal or pipe */
		bool is[2];
		int given; /* descriptor that the command gets in place of the stream */
		int control;
		pid_t relay;
		struct relay_memory *memory;
		uint64_t stored; /* number of bytes in the stream when the file was last written */
	} streams[KEEP_STREAMS];
	int64_t stored_ns;
};

/* Starts a relay for each stream that is a terminal, a pipe or a socket. Call it with all signals blocked, before
 * rtrack-run closes its output. A stream that cannot be relayed stays unchanged. */
void keep_begin(struct keep *keep, const struct options *options);

/* Called in the command's process before its exec. Replaces the command's streams by the descriptors that lead to
 * the relays. */
void keep_give(const struct keep *keep);

/* Called in rtrack-run after the command's process was forked. Closes the descriptors that replace the command's
 * streams. */
void keep_given(struct keep *keep);

/* Adds the file names of the streams to `outputs`, for run.json. */
void keep_name(const struct keep *keep, struct run_output outputs[2]);

/* Writes the files, no more than once per second. */
void keep_store(struct keep *keep, const char *directory);

/* If `pid` is a relay, reaps it and returns true. */
bool keep_reap(struct keep *keep, pid_t pid);

/* Called after the command has ended. Waits until the relays have passed on the command's output or a signal
 * arrives, and writes the files. If other processes can still write, the relays continue after rtrack-run has ended. */
void keep_finish(struct keep *keep, const char *directory);

#endif
