/* SPDX-License-Identifier: Apache-2.0 */
/* Upper bounds of what is read from a file (bounds.def). */
#ifndef RTRACK_REPORT_SAY_BOUNDS_H
#define RTRACK_REPORT_SAY_BOUNDS_H

/* BOUND_RUN_JSON and so on: the limits, in bytes or as numbers of items. */
enum {
#define BOUND(name, limit, message) BOUND_##name = (limit),
#include "report/say/bounds.def"
};

/* Returns the message for an exceeded bound, such as BOUND_MESSAGE(RUN_JSON). */
enum bound {
#define BOUND(name, limit, message) BOUND_OF_##name,
#include "report/say/bounds.def"
};
const char *bound_message(enum bound bound);
#define BOUND_MESSAGE(name) bound_message(BOUND_OF_##name)

#endif
