/* SPDX-License-Identifier: Apache-2.0 */
/* Implements rtrack-run --attach.
 *
 * The attached process is not a child of rtrack-run and has not loaded the library. It is sampled from outside
 * through /proc, which does not affect the process. The usage of the process and its descendants before the start of
 * the run is read once and excluded. The exit status is known only if /proc or the kernel still reports it after the
 * end. */
#define _GNU_SOURCE
#include "launcher/attach.h"

#include "core/spool.h"
#include "launcher/beside/gpu.h"
#include "launcher/message.h"
#include "os/clock.h"
#include "os/process.h"
#include "os/self.h"
#include "sampler/run/end.h"
#include "sampler/run/make.h"
#include "sampler/sampler.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORDS_MAX = 4096, TEXT_MAX = 1 << 17, FOLLOWED_MAX = 16 };

static volatile sig_atomic_t ended_by; /* signal that rtrack-run has received and that should end it; 0 if none */

static void note_signal(int signal)
{
	ended_by = signal;
}

/* Installs handlers without SA_RESTART, so that a signal interrupts the wait for the process. */
static void take_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = note_signal};

	for (size_t i = 0; i < ARRAY_LENGTH(ending); i++)
		(void)sigaction(ending[i], &action, NULL);
}

/* Arguments or environment of a process, truncated to the size of the buffer. */
struct texts {
	char data[TEXT_MAX];
	char *items[WORDS_MAX + 1]; /* ends with NULL */
	int count;
};

/* Fills `items` from `length` bytes of NUL-terminated strings. */
static void texts_split(struct texts *texts, size_t length)
{
	texts->data[length < TEXT_MAX ? length : TEXT_MAX - 1] = '\0';
	for (size_t i = 0; i < length && texts->count < WORDS_MAX; i += strlen(texts->data + i) + 1)
		texts->items[texts->count++] = texts->data + i;
	texts->items[texts->count] = NULL;
}

static void read_command(struct texts *command, pid_t pid)
{
	char path[SPOOL_PATH_MAX];
	struct buffer exe = BUFFER(path), out = {command->data, 0, TEXT_MAX - 1, false};

	process_describe(pid, &exe, &out);
	if (out.length == 0) /* the command line is empty in a kernel thread, or if the program has cleared it */
		buffer_text(&out, exe.length > 0 ? (struct text){exe.data, exe.length} : TEXT("unknown"));
	texts_split(command, out.length);
}

static void read_environment(struct texts *environment, pid_t pid)
{
	int64_t length = process_read_environment(pid, environment->data, TEXT_MAX - 1);

	texts_split(environment, length > 0 ? (size_t)length : 0);
}

/* Checks that the process can be read. If it belongs to another user, reports which figures the kernel hides. */
static int check(pid_t pid, struct process_reading *reading)
{
	int result = pid > 0 ? process_read(pid, true, reading) : OS_ERROR_MISSING;

	if (process_is_gone(result)) {
		message_print("process %d does not exist, or the system hides it from this user", (int)pid);
		return -1;
	}
	if (result != 0) {
		message_print("process %d cannot be followed: %s", (int)pid, os_error_text(result));
		return -1;
	}
	if (reading->state == 'Z' && reading->gauge[GAUGE_THREADS] <= 1) {
		message_print("process %d has ended", (int)pid);
		return -1;
	}
	if (!reading->io_known)
		message_print("process %d is another user's, or protected: its CPU time and resident memory are "
			      "recorded. Its disk traffic, shared memory and exit status are not. "
			      "To record them, run this as that user or as root",
			(int)pid);
	return 0;
}

static struct sampler *begin(const struct options *options, char *directory)
{
	static struct texts command, environment;
	const struct settings *settings = &options->settings;
	struct process_reading reading;
	struct buffer path = {directory, 0, SPOOL_PATH_MAX, false};

	if (check(options->attach, &reading) != 0)
		return NULL;
	read_command(&command, options->attach);
	read_environment(&environment, options->attach);
	struct task task = {.of = {environment.items, command.items, command.count}, .row = -1};
	task_find(&task, NULL, options->attach);
	(void)os_learn_time();
	struct run_start start = {
		.settings = settings,
		.environment = environ,
		.arguments = command.items,
		.count = command.count,
		.pid = options->attach,
		.time_ns = os_now_ns(),
		.random = os_random(),
		.mode = RUN_MODE_ATTACH,
		.task = &task,
		.job_environment = environment.items,
	};
	run_path(&path, &start);
	(void)buffer_terminate(&path);
	int result = path.full ? OS_ERROR_TOO_LONG : run_create(&start, directory);
	if (result < 0) {
		message_print("'%s' cannot be made: %s", directory, os_error_text(result));
		return NULL;
	}
	struct sampler *sampler = sampler_open(&(struct sampler_options){
		.place = SAMPLER_IN_KEEPER,
		.directory = directory,
		.settings = settings,
		.interval_ns = (int64_t)(settings->number[SETTING_ID_INTERVAL] * 1e9),
		.root_pid = options->attach,
		.attached = true,
	});
	if (!sampler) {
		message_print(
			"process %d cannot be followed: sampling does not work on this system", (int)options->attach);
		run_remove(directory);
	}
	return sampler;
}

static void reap_gpu(struct sampler *sampler)
{
	siginfo_t ended = {.si_pid = 0};

	if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid > 0)
		(void)gpu_reap(sampler, ended.si_pid);
}

/* Waits until the next tick. If there are at most FOLLOWED_MAX processes, the end of one also ends the wait. A
 * signal that arrives immediately before a wait does not interrupt it, so each wait lasts at most a second. */
static void wait_for_tick(struct sampler *sampler)
{
	const int64_t most_ns = 1000000000;
	int pids[FOLLOWED_MAX];
	int64_t until_ns = os_since_boot_ns() + sampler_wait_ns(sampler), left_ns;

	while (!ended_by && (left_ns = until_ns - os_since_boot_ns()) > 0) {
		size_t alive = sampler_alive(sampler, pids, FOLLOWED_MAX);
		int64_t wait_ns = left_ns < most_ns ? left_ns : most_ns;
		int64_t lines_ns = sampler_lines_ns(sampler) - os_since_boot_ns();
		if (lines_ns <= 0) {
			sampler_lines(sampler);
			continue;
		}
		wait_ns = wait_ns < lines_ns ? wait_ns : lines_ns;
		int heard = alive <= FOLLOWED_MAX ? os_wait_for_end(pids, alive, wait_ns) : -1;
		if (heard > 0) {
			sampler_catch(sampler);
			return;
		}
		if (heard < 0) {
			struct timespec pause = {wait_ns / 1000000000, wait_ns % 1000000000};
			(void)nanosleep(&pause, NULL);
		}
	}
}

int attach_follow(const struct options *options, char *directory)
{
	const char *nvml = options->settings.text[SETTING_ID_NVML];

	take_signals();
	struct sampler *sampler = begin(options, directory);
	if (!sampler)
		return -1;
	/* os_wait_for_end returns immediately if a process has already ended, even if the tick cannot observe that
	 * end. The pause therefore avoids a busy loop. */
	const struct timespec moment = {.tv_nsec = 1000000};
	while (!ended_by && sampler_has_run(sampler)) {
		wait_for_tick(sampler);
		sampler_tick(sampler);
		if (sampler_alive(sampler, NULL, 0) == 0)
			break;
		gpu_watch(sampler, directory, nvml);
		reap_gpu(sampler);
		(void)nanosleep(&moment, NULL);
	}
	(void)sampler_finish(sampler, -1, 0, false);
	gpu_stop();
	if (access(directory, F_OK) != 0)
		directory[0] = '\0';
	return 0;
}
