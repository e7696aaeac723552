/* SPDX-License-Identifier: Apache-2.0 */
/* --retry-on-oom: runs the command again with a larger --max-memory after it ran out of memory. */
#ifndef RTRACK_LAUNCHER_RETRY_H
#define RTRACK_LAUNCHER_RETRY_H

#include "launcher/options.h"
#include "launcher/signals.h"

struct retry {
	int attempt; /* number of the attempt; the first attempt is 1 */
	int left;    /* attempts left after this one */
	off_t input; /* initial offset of standard input; negative if it is not a seekable file */
};

/* Records the offset of standard input. Call it before rtrack-run closes standard input and output. */
void retry_begin(struct retry *retry, const struct options *options);

/* Closes standard input and output after the command was forked, unless another attempt needs them. */
void retry_release(struct retry *retry);

/* Called after the run in `directory` ran out of memory. If the command should run again, sets
 * options->max_memory_mib and returns true. Reports the decision on stderr. */
bool retry_again(struct retry *retry, struct options *options, const struct signals *signals, const char *directory);

#endif
