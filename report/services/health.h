/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which parts of rtrack work on this machine. Facts that the system itself reports come from os/health.h. */
#ifndef RTRACK_REPORT_SERVICES_HEALTH_H
#define RTRACK_REPORT_SERVICES_HEALTH_H

#include "os/health.h"

/* Calls `take` once for each row of os/health.def that applies to this system. To test the library, runs rtrack-run
 * with a short program, which writes to a temporary spool in TMPDIR. */
void health_examine(const char *spool, health_take *take, void *context);

/* The key, the title and the remedy of a row. */
struct health_words {
	const char *key;
	const char *title;
	const char *remedy;
};
extern const struct health_words health_words[HEALTH_COUNT];

/* Describes the platform and the libraries that this program was built for. */
const char *health_build(void);

#endif
