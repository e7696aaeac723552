/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares the next attempt of --retry-on-oom.
 *
 * The new limit is the request of `rtrack-report recommend` for this job, which includes earlier runs. If
 * rtrack-report is missing, or requests no more memory than the current limit, the limit is doubled. The command
 * itself must handle files that a failed attempt has left. If standard input is a file, it is rewound for the next
 * attempt. */
#define _GNU_SOURCE
#include "launcher/retry.h"

#include "core/number.h"
#include "core/spool.h"
#include "launcher/library.h"
#include "launcher/message.h"
#include "launcher/place.h"
#include "os/system.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWER_MAX = 64 };
static const double BLIND = 2; /* factor by which the limit grows if there is no request */

void retry_begin(struct retry *retry, const struct options *options)
{
	*retry = (struct retry){.attempt = 1, .left = options->retries, .input = -1};
	if (retry->left > 0)
		retry->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

void retry_release(struct retry *retry)
{
	if (retry->left == 0)
		place_release_input_and_output();
}

/* -- request --------------------------------------------------------------------------------------- */

static _Noreturn void run_recommend(int answer, const struct signals *signals, const char *directory)
{
	char path[SPOOL_PATH_MAX];
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	place_die_with_parent();
	(void)setenv("RTRACK", "off", 1);
	signals_give(signals);
	if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(answer, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0)
		(void)execlp(library_find_program(path, "rtrack-report"), "rtrack-report", "recommend", "--for",
			"docker", directory, (char *)NULL);
	_exit(127);
}

/* Waits for the end of the process `pid`. Returns false if rtrack-run receives a signal to end. */
static bool wait_for(pid_t pid)
{
	bool calm = true;

	while (waitpid(pid, NULL, WNOHANG) == 0) {
		struct signal_taken taken;
		if (signals_wait(-1, &taken) && taken.sent && taken.number != SIGCONT && taken.number != SIGWINCH) {
			calm = false;
			(void)kill(pid, SIGKILL);
		}
	}
	return calm;
}

/* Runs `rtrack-report recommend --for docker` and reads the request in MiB that follows `--memory=` in the output. */
static bool ask(double *mib, const struct signals *signals, const char *directory)
{
	char text[ANSWER_MAX] = "";
	int answer = place_memory_file();
	pid_t pid = answer < 0 ? -1 : fork();
	bool calm = true;

	*mib = UNKNOWN;
	if (pid == 0)
		run_recommend(answer, signals, directory);
	if (pid > 0) {
		calm = wait_for(pid);
		ssize_t length = pread(answer, text, sizeof text - 1, 0);
		const char *memory = length > 0 ? strstr(text, "--memory=") : NULL;
		if (memory)
			*mib = strtod(memory + strlen("--memory="), NULL);
	}
	if (answer >= 0)
		(void)close(answer);
	return calm;
}

bool retry_again(struct retry *retry, struct options *options, const struct signals *signals, const char *directory)
{
	static struct system_facts facts;
	double limit = options->max_memory_mib, next;

	if (retry->left == 0)
		return false;
	if (!ask(&next, signals, directory))
		return false;
	if (!(next > limit))
		next = limit * BLIND;
	/* The limit must not exceed the memory of the machine or the limit of rtrack-run's control group. */
	system_read_facts(&facts, "");
	double most = facts.memory_limit_mib < facts.memory_mib ? facts.memory_limit_mib : facts.memory_mib;
	next = next > most ? most : next;
	if (!(next > limit)) {
		message_print("the command is not run again: more memory is not available");
		return false;
	}
	message_print("the command needs more than %.0f MiB: running it again with %.0f MiB (%d of %d)", limit, next,
		retry->attempt, options->retries);
	if (retry->input >= 0)
		(void)lseek(STDIN_FILENO, retry->input, SEEK_SET);
	retry->attempt++;
	retry->left--;
	options->max_memory_mib = next;
	return true;
}
