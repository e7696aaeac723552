/* SPDX-License-Identifier: Apache-2.0 */
/* Tests which parts of rtrack work on this machine. os/health.h has the facts that the system itself reports. */
#ifndef RTRACK_REPORT_SERVICES_HEALTH_H
#define RTRACK_REPORT_SERVICES_HEALTH_H

#include "os/health.h"

/* Calls `take` once for each row of os/health.def that applies to this system. Runs rtrack-run to find its library, and
 * a program under that library with a temporary spool below TMPDIR. */
void health_examine(const char *spool, health_take *take, void *context);

/* Key, title and remedy of a row. */
struct health_words {
	const char *key;
	const char *title;
	const char *remedy;
};
extern const struct health_words health_words[HEALTH_COUNT];

/* Describes the platform and the libraries that this program was built for. */
const char *health_build(void);

#endif
