/* Which cloud the run is in: asked beside the command, by a program of its own.
 *
 * Only where the firmware names a cloud is anybody asked at all (core/firmware.h). The command waits for nothing: what
 * is not known when it ends is not known. */
#ifndef RTRACK_LAUNCHER_CLOUD_H
#define RTRACK_LAUNCHER_CLOUD_H

#include "launcher/signals.h"

struct cloud_asker {
	pid_t pid;  /* of the program that asks; 0: none */
	int answer; /* where it writes */
};

/* Starts to ask, if there is a cloud to ask. */
void cloud_start(struct cloud_asker *cloud, const struct signals *signals);

/* It has ended and was reaped: what it said goes into run.json of the run in `directory`. */
void cloud_take(struct cloud_asker *cloud, const char *directory);

/* Ends it, and waits for its end. */
void cloud_stop(struct cloud_asker *cloud);

#endif
