/* The alerts of `watch --when`: each condition is told once, by a line or to the command of --exec. */
#ifndef RTRACK_REPORT_COMMANDS_ALERTS_H
#define RTRACK_REPORT_COMMANDS_ALERTS_H

#include "report/commands/options.h"
#include "report/compare/alert.h"
#include "report/text/watch_frame.h"

enum { ALERTS_MAX = 32 };

struct alerts {
	struct alert items[ALERTS_MAX];
	bool told[ALERTS_MAX];
	bool unknown[ALERTS_MAX]; /* … was said: its bound is not known of this run */
	size_t count;
	const char *command; /* of --exec; NULL: a line is printed */
	bool json;
	bool known; /* there is a run before, with these totals: */
	struct totals previous;
};

/* Reads --when and the run before. Returns 0, or -1 after a message. */
int alerts_begin(struct alerts *alerts, const struct options *options, const struct run *run);

/* Tells those conditions that hold now and were not told yet. */
void alerts_look(struct alerts *alerts, const struct watch_frame *frame);

#endif
