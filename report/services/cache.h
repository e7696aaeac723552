/* SPDX-License-Identifier: Apache-2.0 */
/* Caches answers from the network in $XDG_CACHE_HOME/rtrack or $HOME/.cache/rtrack.
 *
 * Each answer is a file whose first line is the question. Failures are ignored: an answer that cannot be stored is
 * requested again. */
#ifndef RTRACK_REPORT_SERVICES_CACHE_H
#define RTRACK_REPORT_SERVICES_CACHE_H

#include <stddef.h>

/* Returns the answer to `question` (one line) if the answer is at most `seconds` old, otherwise NULL. The answer is
 * NUL-terminated. The caller must free it. */
char *cache_read(const char *question, double seconds);

/* Stores an answer, and removes answers that are older than a day. */
void cache_write(const char *question, const char *answer);

#endif
