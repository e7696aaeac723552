/* SPDX-License-Identifier: Apache-2.0 */
/* The alerts of `watch --when`. Each alert is reported once, as a line or to the command of --exec. */
#ifndef RTRACK_REPORT_COMMANDS_ALERTS_H
#define RTRACK_REPORT_COMMANDS_ALERTS_H

#include "report/commands/options.h"
#include "report/compare/alert.h"
#include "report/text/watch_frame.h"

enum { ALERTS_MAX = 32 };

struct alerts {
	struct alert items[ALERTS_MAX];
	bool told[ALERTS_MAX];
	bool unknown[ALERTS_MAX]; /* a message has reported that its bound is unknown for this run */
	size_t count;
	const char *command; /* command of --exec, or NULL to print a line */
	bool json;
	bool known; /* there is a previous run, whose totals are in `previous` */
	struct totals previous;
};

/* Reads --when, and the previous run. Returns 0, or -1 after a message. */
int alerts_begin(struct alerts *alerts, const struct options *options, const struct run *run);

/* Reports alerts whose conditions hold for the first time. */
void alerts_look(struct alerts *alerts, const struct watch_frame *frame);

#endif
