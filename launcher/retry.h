/* --retry-on-oom: the command again, with a larger --max-memory, after it had too little. */
#ifndef RTRACK_LAUNCHER_RETRY_H
#define RTRACK_LAUNCHER_RETRY_H

#include "launcher/options.h"
#include "launcher/signals.h"

struct retry {
	int attempt; /* 1 at first */
	int left;    /* attempts after this one */
	off_t input; /* where standard input stood; negative: it is not a file that can be read again */
};

/* To be called while standard input and output are still those that the launcher got. */
void retry_begin(struct retry *retry, const struct options *options);

/* After the command was forked: parts with standard input and output, if they are not needed again. */
void retry_release(struct retry *retry);

/* The run in `directory` had too little memory: whether to run the command again, and then options->max_memory_mib is
 * what it gets. Says so, or why not, on stderr. */
bool retry_again(struct retry *retry, struct options *options, const struct signals *signals, const char *directory);

#endif
