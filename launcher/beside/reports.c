/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the reports at the end of a run.
 *
 * rtrack-report is a separate program, so that rtrack-run stays small and needs no libraries. rtrack-report does not
 * affect the exit status, which is the command's. rtrack-run passes on signals to rtrack-report, so that a user can
 * end a report that takes too long. */
#define _GNU_SOURCE
#include "launcher/beside/reports.h"

#include "core/spool.h"
#include "launcher/library.h"
#include "launcher/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPORT_PROGRAM "rtrack-report"

static _Noreturn void run_reporter(char **arguments, const struct signals *signals)
{
	char path[SPOOL_PATH_MAX];

	/* Stdout may be a placeholder (place.h), which is closed on exec, but rtrack-report needs an output. */
	(void)dup2(STDERR_FILENO, STDOUT_FILENO);
	for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++)
		(void)fcntl(descriptor, F_SETFD, 0);
	(void)setenv("RTRACK", "off", 1);
	signals_give(signals);
	(void)execvp(library_find_program(path, arguments[0]), arguments);
	message_print("'%s' cannot be run: %s", arguments[0], strerror(errno));
	_exit(127);
}

static void run_and_wait(char **arguments, const struct signals *signals)
{
	pid_t reporter = fork();

	if (reporter == 0)
		run_reporter(arguments, signals);
	if (reporter < 0) {
		message_print("'%s' cannot be run: %s", arguments[0], strerror(errno));
		return;
	}
	while (waitpid(reporter, NULL, WNOHANG) == 0) {
		struct signal_taken taken;
		if (signals_wait(-1, &taken))
			signals_forward(&taken, reporter);
	}
}

void reports_run(const struct options *options, const struct signals *signals, const char *directory)
{
	char program[] = REPORT_PROGRAM;
	char *copy = strdup(directory);
	char *file = NULL;

	if (!copy)
		return;
	if (options->summary)
		run_and_wait((char *[]){program, (char[]){"show"}, (char[]){"--short"}, copy, NULL}, signals);
	/* "./" prevents a file name that begins with '-' from being read as an option. */
	if (options->report && asprintf(&file, "%s%s", options->report[0] == '-' ? "./" : "", options->report) >= 0) {
		run_and_wait((char *[]){program, (char[]){"html"}, (char[]){"-o"}, file, copy, NULL}, signals);
		free(file);
	}
	free(copy);
}
