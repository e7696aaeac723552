/* SPDX-License-Identifier: Apache-2.0 */
/* Distinguishes signals to rtrack-run from signals to its group: the part common to all platforms. */
#include "launcher/signal_probe.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void signal_probe_stop(struct signal_probe *probe)
{
	if (probe->pid <= 0)
		return;
	(void)kill(probe->pid, SIGKILL);
	(void)waitpid(probe->pid, NULL, 0);
	if (probe->end >= 0)
		(void)close(probe->end);
	probe->pid = 0;
}
