/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-run --keep-output: the end of the command's output to a terminal or a pipe, as files of the run. */
#ifndef RTRACK_LAUNCHER_BESIDE_KEEP_H
#define RTRACK_LAUNCHER_BESIDE_KEEP_H

#include "launcher/beside/relay.h"
#include "launcher/options.h"
#include "sampler/run/make.h"

enum { KEEP_STREAMS = 2 };

struct keep {
	struct keep_stream {
		const char *file; /* file name in the run's directory; NULL if the stream is unused */
		bool is[2];       /* stdout, stderr; both are set if they are the same terminal or pipe */
		int given;        /* descriptor that replaces it in the command */
		int control;
		pid_t relay;
		struct relay_memory *memory;
		uint64_t stored; /* bytes of the stream when the file was last written */
	} streams[KEEP_STREAMS];
	int64_t stored_ns;
};

/* Starts a relay for each stream that is a terminal, a pipe or a socket. Call it with all signals blocked, before the
 * launcher closes its output. A stream that cannot be relayed is left unchanged. */
void keep_begin(struct keep *keep, const struct options *options);

/* In the command's process: installs the replacements, before its exec. */
void keep_give(const struct keep *keep);

/* In the launcher: closes the replacements, after the command's process was forked. */
void keep_given(struct keep *keep);

/* Adds the file names of the streams to `outputs`, for run.json. */
void keep_name(const struct keep *keep, struct run_output outputs[2]);

/* Writes the files, at most once per second. */
void keep_store(struct keep *keep, const char *directory);

/* Returns whether `pid` was a relay, and then reaps it. */
bool keep_reap(struct keep *keep, pid_t pid);

/* After the command has ended: waits until its output has been relayed or a signal arrives, then writes the files.
 * Relays continue after the launcher's end if other processes can still write. */
void keep_finish(struct keep *keep, const char *directory);

#endif
