/* Distinguishes signals to the launcher from signals to its group: the part common to all platforms. */
#include "launcher/witness.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

void witness_stop(struct witness *witness)
{
	if (witness->pid <= 0)
		return;
	(void)kill(witness->pid, SIGKILL);
	(void)waitpid(witness->pid, NULL, 0);
	if (witness->end >= 0)
		(void)close(witness->end);
	witness->pid = 0;
}
