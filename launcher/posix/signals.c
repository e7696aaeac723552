/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtrack-run: the part common to all platforms. */
#include "launcher/signals.h"

#include "launcher/place.h"

#include <fcntl.h>
#include <unistd.h>

/* Returns whether this process or the child is in the foreground of the terminal. In this case a shell is waiting
 * for the process. */
static bool in_foreground(pid_t child)
{
	int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (terminal < 0)
		return false;
	pid_t group = tcgetpgrp(terminal);
	(void)close(terminal);
	return group > 0 && (group == getpgrp() || group == getpgid(child));
}

/* Applies the default action of a blocked signal to this process. Returns only if the process survives or continues. */
static void undergo(int signal)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction action;
	sigset_t one;

	(void)sigemptyset(&one);
	(void)sigaddset(&one, signal);
	(void)sigaction(signal, &standard, &action);
	(void)kill(getpid(), signal);
	(void)sigprocmask(SIG_UNBLOCK, &one, NULL);
	(void)sigprocmask(SIG_BLOCK, &one, NULL);
	(void)sigaction(signal, &action, NULL);
}

void signals_stop(int signal, pid_t child)
{
	sigset_t pending;

	/* SIGSTOP may come from a program that throttles the command by stopping and continuing it. That program
	 * would not continue rtrack-run, so rtrack-run stops only if a shell is waiting. */
	if (signal == SIGSTOP && !in_foreground(child))
		return;
	/* rtrack-run does not stop if SIGCONT is pending, because a stop would discard the SIGCONT that should
	 * continue rtrack-run. */
	(void)sigemptyset(&pending);
	(void)sigpending(&pending);
	if (sigismember(&pending, SIGCONT) != 1)
		undergo(signal);
}

void signals_die(int signal)
{
	/* The command has already dumped its core, so rtrack-run must not dump one. */
	place_forbid_core();
	undergo(signal);
}
