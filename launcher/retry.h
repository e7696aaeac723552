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

/* Call it while standard input and output are still the launcher's original ones. */
void retry_begin(struct retry *retry, const struct options *options);

/* After the command was forked: closes standard input and output, unless they are needed again. */
void retry_release(struct retry *retry);

/* After the run in `directory` ran out of memory: returns whether to run the command again, with
 * options->max_memory_mib set for it. Reports this, or why not, on stderr. */
bool retry_again(struct retry *retry, struct options *options, const struct signals *signals, const char *directory);

#endif
