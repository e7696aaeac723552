/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and ends the program that sends the run.
 *
 * The URL is passed in the environment variable RTRACK_SHIP, because all users can read a command line. */
#define _GNU_SOURCE
#include "launcher/beside/shipper.h"

#include "core/spool.h"
#include "launcher/library.h"
#include "launcher/message.h"
#include "launcher/place.h"
#include "os/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHIPPER_NICE = 19 };

static _Noreturn void run_shipper(const struct options *options, const struct signals *signals, const char *directory)
{
	const char *debug = options->settings.text[SETTING_ID_DEBUG];
	char path[SPOOL_PATH_MAX];
	struct signals given = *signals;
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	int said = message_open_debug(debug);

	place_die_with_parent();
	(void)setsid(); /* gives the program its own process group, so that its children can be killed with it */
	(void)setpriority(PRIO_PROCESS, 0, SHIPPER_NICE);
	(void)setenv("RTRACK", "off", 1);
	(void)setenv("RTRACK_SHIP", options->ship, 1);
	/* rtrack-run requests the end of rtrack-report by SIGTERM. The signal may arrive before rtrack-report is
	 * ready, so it stays blocked until rtrack-report accepts it. */
	(void)signal(SIGTERM, SIG_DFL);
	given.mask |= signal_bit(SIGTERM);
	signals_give(&given);
	if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
		dup2(said >= 0 ? said : nothing, STDERR_FILENO) >= 0)
		(void)execlp(library_find_program(path, "rtrack-report"), "rtrack-report", "ship", "--follow", "--",
			directory, (char *)NULL);
	_exit(127);
}

pid_t shipper_start(const struct options *options, const struct signals *signals, const char *directory)
{
	if (!options->ship)
		return 0;
	pid_t pid = fork();
	if (pid == 0)
		run_shipper(options, signals, directory);
	return pid > 0 ? pid : 0;
}

void shipper_reap(pid_t pid)
{
	/* This signals only the program's group, because no other process can get this pid before the program is
	 * reaped. */
	(void)kill(-pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

void shipper_finish(pid_t pid, double seconds)
{
	int64_t until_ns = os_since_boot_ns() + (int64_t)(seconds * 1e9);
	siginfo_t ended = {.si_pid = 0};

	if (pid <= 0)
		return;
	/* Restores the normal priority, because the command has ended. With the lowest priority, the program may get no
	 * CPU time for ten seconds on a busy machine. */
	(void)setpriority(PRIO_PGRP, (id_t)pid, getpriority(PRIO_PROCESS, 0));
	(void)kill(pid, SIGTERM);
	while (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
		int64_t left_ns = until_ns - os_since_boot_ns();
		struct signal_taken taken;
		if (left_ns <= 0 || (signals_wait(left_ns, &taken) && taken.sent))
			break;
	}
	shipper_reap(pid);
}
