/* SPDX-License-Identifier: Apache-2.0 */
/* Answers from the network, kept for a while in $XDG_CACHE_HOME/rtrack, else $HOME/.cache/rtrack.
 *
 * One file an answer; its first line is the question. No failure here matters: an answer that cannot be kept is asked
 * for again. */
#ifndef RTRACK_REPORT_SERVICES_CACHE_H
#define RTRACK_REPORT_SERVICES_CACHE_H

#include <stddef.h>

/* The answer to `question`, which is one line, if it is no older than `seconds`. NUL-terminated, the caller frees it;
 * NULL: there is none. */
char *cache_get(const char *question, double seconds);

/* Keeps an answer, and removes answers that were of no use for a day. */
void cache_put(const char *question, const char *answer);

#endif
