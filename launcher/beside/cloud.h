/* Which cloud the run is in: a program of its own asks, beside the command.
 *
 * It is started only where the firmware names a cloud (core/firmware.h). The command never waits for it: what is not
 * known when the command ends stays unknown. */
#ifndef RTRACK_LAUNCHER_CLOUD_H
#define RTRACK_LAUNCHER_CLOUD_H

#include "launcher/signals.h"

struct cloud_asker {
	pid_t pid;  /* of the program that asks; 0: none */
	int answer; /* where it writes */
};

/* Starts to ask, if there is a cloud to ask. */
void cloud_start(struct cloud_asker *cloud, const struct signals *signals);

/* Puts its answer into run.json of the run in `directory`. To be called once the program has ended and was reaped. */
void cloud_take(struct cloud_asker *cloud, const char *directory);

/* Ends the program, if it runs, and waits for its end. */
void cloud_stop(struct cloud_asker *cloud);

#endif
