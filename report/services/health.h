/* SPDX-License-Identifier: Apache-2.0 */
/* What of this machine works for rtrack, each tried and not guessed; what the system says itself is in os/health.h. */
#ifndef RTRACK_REPORT_SERVICES_HEALTH_H
#define RTRACK_REPORT_SERVICES_HEALTH_H

#include "os/health.h"

/* Calls `take` once for each row of os/health.def that this system has a word for. Starts rtrack-run to ask it for its
 * library, and a program under that library with a spool of its own below TMPDIR, which is gone afterwards. */
void health_examine(const char *spool, health_take *take, void *context);

/* The key, the title and the remedy of a row. */
struct health_words {
	const char *key;
	const char *title;
	const char *remedy;
};
extern const struct health_words health_words[HEALTH_COUNT];

/* What this program was built for and with. */
const char *health_build(void);

#endif
