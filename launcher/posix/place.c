/* SPDX-License-Identifier: Apache-2.0 */
/* The process environment of rtrack-run: the part common to all platforms. */
#include "launcher/place.h"

#include "os/self.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

void place_fill_closed(void)
{
	while (true) {
		int descriptor = place_open_placeholder();
		if (descriptor < 0)
			return;
		if (descriptor > STDERR_FILENO) {
			(void)close(descriptor);
			return;
		}
	}
}

void place_release_input_and_output(void)
{
	int descriptor = place_open_placeholder();

	if (descriptor < 0)
		return;
	for (int i = STDIN_FILENO; i <= STDOUT_FILENO; i++)
		if (dup2(descriptor, i) == i)
			(void)fcntl(i, F_SETFD, FD_CLOEXEC);
	(void)close(descriptor);
}

void place_free_directory(void)
{
	int result = chdir("/");
	(void)result;
}

void place_leave(void)
{
	sigset_t blocked;

	(void)setsid();
	place_free_directory();
	os_close_all();
	/* SIGTERM gets its default action, so that it ends the helper when the machine shuts down. */
	(void)signal(SIGTERM, SIG_DFL);
	(void)sigfillset(&blocked);
	(void)sigdelset(&blocked, SIGTERM);
	(void)sigprocmask(SIG_SETMASK, &blocked, NULL);
}
