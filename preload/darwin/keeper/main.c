/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-keeper: samples a run on macOS from its start to its end, alongside the root (preload/darwin/root.c).
 *
 * rtrack-keeper DIRECTORY      with the run's settings as its environment; only the library starts it
 *
 * rtrack-keeper first releases the resources that it inherits from the host. Then it forks. The host waits for the
 * first process, which ends, and the second process becomes an orphan and samples the run. */
#include "os/self.h"
#include "sampler/keeper.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

extern char **environ;

static void part(void)
{
	sigset_t blocked;
	int most = getdtablesize();

	for (int i = 0; i < most; i++)
		(void)close(i);
	for (int i = 0; i <= STDERR_FILENO; i++)
		(void)open("/dev/null", O_RDWR);
	(void)setsid();
	(void)chdir("/");
	/* Restore the default actions, so that SIGTERM ends the keeper when the machine shuts down. */
	for (int i = 1; i < NSIG; i++)
		(void)signal(i, SIG_DFL);
	(void)sigfillset(&blocked);
	(void)sigdelset(&blocked, SIGTERM);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
}

int main(int count, char **arguments)
{
	if (count != 2)
		return 1;
	part();
	pid_t pid = fork();
	if (pid != 0)
		return pid < 0;
	os_raise_descriptor_limit();
	keeper_run(arguments[1], environ);
	return 0;
}
