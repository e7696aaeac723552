/* SPDX-License-Identifier: Apache-2.0 */
/* Starts a separate program next to the command that identifies the cloud of the run.
 *
 * The program is started only if the firmware names a cloud (core/firmware.h). rtrack-run never waits for the
 * program. If the program has not answered when the command ends, the cloud remains unknown. */
#ifndef RTRACK_LAUNCHER_CLOUD_H
#define RTRACK_LAUNCHER_CLOUD_H

#include "launcher/signals.h"

struct cloud_asker {
	pid_t pid;  /* pid of the program; 0 if none */
	int answer; /* descriptor of the program's output */
};

/* Starts the program, if the firmware names a cloud. */
void cloud_start(struct cloud_asker *cloud, const struct signals *signals);

/* Adds the answer to run.json of the run in `directory`. Call it after the program has ended and was reaped. */
void cloud_take(struct cloud_asker *cloud, const char *directory);

/* Ends the program if it is running, and reaps it. */
void cloud_stop(struct cloud_asker *cloud);

#endif
