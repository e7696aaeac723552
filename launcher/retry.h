/* SPDX-License-Identifier: Apache-2.0 */
/* --retry-on-oom: runs the command again with a larger --max-memory after it ran out of memory. */
#ifndef RTRACK_LAUNCHER_RETRY_H
#define RTRACK_LAUNCHER_RETRY_H

#include "launcher/options.h"
#include "launcher/signals.h"

struct retry {
	int attempt; /* 1 for the first attempt */
	int left;    /* attempts left after this one */
	off_t input; /* initial position of standard input; negative if it is not a seekable file */
};

/* Records the position of standard input. Call it while standard input and output are still the launcher's original
 * ones. */
void retry_begin(struct retry *retry, const struct options *options);

/* Closes standard input and output after the command was forked, unless they are needed again. */
void retry_release(struct retry *retry);

/* Returns whether to run the command again after the run in `directory` ran out of memory, and sets
 * options->max_memory_mib for it. Reports the decision on stderr. */
bool retry_again(struct retry *retry, struct options *options, const struct signals *signals, const char *directory);

#endif
