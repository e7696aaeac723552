/* rtrack-run: runs a command, samples it and everything it starts, and ends as the command ended.
 *
 * The launcher stands between its caller and the command, and tries to be nobody: what the command inherits is what the
 * launcher was given, signals go through, the exit status is the command's, and every failure to
 * track means tracking less, not running less. It is the run's sampler, so that no thread is needed in any process of
 * the job, and the job's sub-reaper, so that it hears of every orphan's end. One loop does it all: wait for a
 * signal or for the next tick.
 *
 *   options.c   the command line             child.c     the command's process
 *   signals.c   signals and job control      library.c   finding and preloading librtrack.so
 *   reports.c   --summary and --report       message.c   what is said on stderr
 *   cloud.c     which cloud this is       witness.c   whom a signal was meant for */
#define _GNU_SOURCE
#include "launcher/child.h"
#include "launcher/cloud.h"
#include "launcher/message.h"
#include "launcher/options.h"
#include "launcher/reports.h"
#include "launcher/signals.h"
#include "launcher/witness.h"
#include "sampler/keeper.h"
#include "sampler/os.h"
#include "sampler/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum exit_status {
	STATUS_FAILED = 125,
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_SIGNAL = 128, /* plus its number */
};

/* The record that is being made; `sampler` is NULL while or because there is none. */
struct record {
	char directory[SPOOL_PATH_MAX];
	struct sampler *sampler;
	struct cloud_asker cloud;           /* who asks in which cloud we are */
	struct witness witness;             /* tells signals for us from those for all */
	char problem[SPOOL_PATH_MAX + 128]; /* why there is no record; for --summary and RTRACK_DEBUG */
};

/* How the command ended: one of both is set, the other -1 or 0 as in run.h. */
struct ending {
	int exit_code;
	int exit_signal;
};

/* Were a standard descriptor closed, our own files would take its number, and messages would end up in
 * them. A place holder that cannot be read or written acts like a closed descriptor, and is one again in
 * the command, since it is close-on-exec. */
static void fill_closed_descriptors(void)
{
	while (true) {
		int descriptor = open("/", O_PATH | O_CLOEXEC);
		if (descriptor < 0)
			return;
		if (descriptor > STDERR_FILENO) {
			(void)close(descriptor);
			return;
		}
	}
}

/* The command has its own copies of these; ours would keep the other ends of its pipes waiting. */
static void release_input_and_output(void)
{
	int descriptor = open("/", O_PATH | O_CLOEXEC);

	if (descriptor < 0)
		return;
	(void)dup3(descriptor, STDIN_FILENO, O_CLOEXEC);
	(void)dup3(descriptor, STDOUT_FILENO, O_CLOEXEC);
	(void)close(descriptor);
}

static int say_cannot_run(const char *command, int reason)
{
	message_print("cannot run '%s': %s", command, strerror(reason));
	return reason == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

/* Makes the run's directory and takes up sampling, or says in record->problem why not. */
static void begin_record(struct record *record, const struct options *options, pid_t root)
{
	const struct settings *settings = &options->settings;
	const char *around = getenv("RTRACK_RUN");
	struct buffer path = BUFFER(record->directory);

	struct run_start start = {
		.settings = settings,
		.environment = environ,
		.arguments = options->command,
		.count = options->command_length,
		.pid = root,
		.time_ns = os_now_ns(),
		.random = os_random(),
		.mode = "launcher",
	};
	if (around && run_is_ours(around))
		start.parent = text_basename(text_of(around));
	run_path(&path, &start);
	(void)buffer_terminate(&path);
	int result = path.full ? -ENAMETOOLONG : run_create(&start, record->directory);
	if (result < 0) {
		(void)snprintf(record->problem, sizeof record->problem, "cannot make '%s': %s", record->directory,
			strerror(-result));
		return;
	}

	struct sampler_options sampling = {
		.directory = record->directory,
		.settings = settings,
		.interval_ns = (int64_t)(settings->number[SETTING_ID_INTERVAL] * 1e9),
		.root_pid = root,
		.place = SAMPLER_IN_LAUNCHER,
	};
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1);
	record->sampler = sampler_open(&sampling);
	if (!record->sampler) {
		(void)prctl(PR_SET_CHILD_SUBREAPER, 0);
		run_remove(record->directory);
		(void)snprintf(record->problem, sizeof record->problem, "cannot sample on this system");
	}
}

/* Beside the command, and no part of it. */
static void ask_cloud(struct record *record, const struct signals *signals)
{
	cloud_start(&record->cloud, signals);
	sampler_set_helper(record->sampler, SAMPLER_HELPER_CLOUD, record->cloud.pid);
}

static void hear_cloud(struct record *record)
{
	(void)waitpid(record->cloud.pid, NULL, 0);
	cloud_take(&record->cloud, record->directory);
	sampler_set_helper(record->sampler, SAMPLER_HELPER_CLOUD, 0);
}

static void know_witness(struct record *record)
{
	if (record->sampler)
		sampler_set_helper(record->sampler, SAMPLER_HELPER_WITNESS, record->witness.pid);
}

/* Somebody killed it. */
static void replace_witness(struct record *record)
{
	witness_stop(&record->witness);
	witness_start(&record->witness);
	know_witness(record);
}

/* Reaps every child that has ended; returns whether the command was among them, with *ending set. */
static bool reap(pid_t root, struct record *record, struct ending *ending)
{
	struct sampler *sampler = record->sampler;
	bool ended = false;

	while (true) {
		siginfo_t info = {0};
		struct rusage usage = {0};
		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
			return ended;
		if (record->cloud.pid > 0 && info.si_pid == record->cloud.pid) {
			hear_cloud(record);
			continue;
		}
		if (record->witness.pid > 0 && info.si_pid == record->witness.pid) {
			replace_witness(record);
			continue;
		}
		bool exited = info.si_code == CLD_EXITED;
		struct ending this = {exited ? info.si_status : -1, exited ? 0 : info.si_status};
		if (sampler)
			sampler_ended(sampler, info.si_pid, this.exit_code, this.exit_signal);
		if (wait4(info.si_pid, NULL, 0, &usage) == info.si_pid && sampler)
			sampler_reaped(sampler, usage.ru_utime.tv_sec * 1000000000LL + usage.ru_utime.tv_usec * 1000LL,
				usage.ru_stime.tv_sec * 1000000000LL + usage.ru_stime.tv_usec * 1000LL,
				(uint64_t)usage.ru_maxrss);
		if (info.si_pid == root) {
			*ending = this;
			ended = true;
		}
	}
}

/* Job control: the shell that waits for us must see that the command was stopped. */
static void stop_with(pid_t root)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)root, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid == root)
		signals_stop(info.si_status, root);
}

/* Waits for a signal until the next tick (ns since the epoch; 0: there are no ticks), and passes it on. */
static void wait_and_forward(pid_t root, struct record *record, int64_t next_ns)
{
	siginfo_t info;
	int64_t left_ns = next_ns > 0 ? next_ns - os_since_boot_ns() : -1;

	if (signals_wait(next_ns > 0 && left_ns < 0 ? 0 : left_ns, &info) == 0)
		return;
	if (signal_is_sent(&info) && witness_saw(&record->witness, info.si_signo))
		know_witness(record);
	else
		signals_forward(&info, root);
}

/* Since boot, as the time of day may be set. */
static int64_t next_tick_ns(const struct sampler *sampler)
{
	return os_since_boot_ns() + sampler_wait_ns(sampler);
}

/* Samples, reaps and forwards until the command ends. */
static struct ending follow(pid_t root, struct record *record)
{
	struct sampler *sampler = record->sampler;
	struct ending ending = {-1, 0};
	int64_t next_ns = sampler ? next_tick_ns(sampler) : 0;

	while (!reap(root, record, &ending)) {
		stop_with(root);
		if (sampler && os_since_boot_ns() >= next_ns) {
			sampler_tick(sampler);
			next_ns = next_tick_ns(sampler);
		}
		wait_and_forward(root, record, next_ns);
	}
	return ending;
}

/* Daemons of the command may outlive it, and the launcher must not: a child goes on sampling them, with nothing
 * of what we were given. */
static void start_keeper(const char *directory)
{
	pid_t pid = fork();

	if (pid < 0)
		keeper_end(directory, environ);
	if (pid != 0)
		return;
	(void)setsid();
	(void)syscall(SYS_chdir, "/"); /* staying would only keep a file system from being unmounted */
	(void)syscall(SYS_close_range, 0, ~0u, 0);
	keeper_run(directory, environ);
	_exit(0);
}

/* Closes the record, or removes it if the command never ran. */
static void end_record(struct record *record, struct ending ending, bool ran)
{
	if (!record->sampler)
		return;
	if (sampler_finish(record->sampler, ending.exit_code, ending.exit_signal, ran))
		start_keeper(record->directory);
	record->sampler = NULL;
	if (!ran)
		run_remove(record->directory);
	else if (access(record->directory, F_OK) != 0)
		(void)snprintf(
			record->problem, sizeof record->problem, "'%s' is not there any more", record->directory);
}

static int run(const struct options *options)
{
	static struct record record;
	struct signals signals;
	struct child child;
	const char *command = options->command[0];

	fill_closed_descriptors();
	signals_take(&signals);
	if (child_fork(&child, options, &signals) != 0) {
		/* Without us the command would have needed no further process. */
		message_debug(options->settings.text[SETTING_ID_DEBUG], "no record: cannot fork: %s", strerror(errno));
		signals_give(&signals);
		return say_cannot_run(command, child_replace(options->command));
	}
	release_input_and_output();
	begin_record(&record, options, child.pid);
	witness_start(&record.witness);
	know_witness(&record);
	if (!record.sampler)
		message_debug(options->settings.text[SETTING_ID_DEBUG], "no record: %s", record.problem);
	child_start(&child, record.sampler ? record.directory : "");

	if (record.sampler)
		ask_cloud(&record, &signals);

	struct ending ending = follow(child.pid, &record);
	witness_stop(&record.witness);
	cloud_stop(&record.cloud);
	int reason = child_finish(&child);
	end_record(&record, ending, reason == 0);
	if (reason != 0)
		return say_cannot_run(command, reason);
	if (options->summary || options->report) {
		if (record.problem[0] == '\0')
			reports_run(options, &signals, record.directory);
		else
			message_print("no record of this run: %s", record.problem);
	}
	return ending.exit_signal > 0 ? STATUS_SIGNAL + ending.exit_signal : ending.exit_code;
}

/* -- a small stack --------------------------------------------------------------------------------- */

static const struct options *given;
static int outcome;

static void run_given(void)
{
	outcome = run(given);
}

/* The limit on the stack is meant for the command: where it is small we take a stack of our own. */
static int run_with_room(const struct options *options)
{
	enum { ROOM = 1 << 18 };
	static ucontext_t here, there;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= ROOM || getcontext(&there) != 0)
		return run(options);
	void *stack = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack == MAP_FAILED)
		return run(options);
	given = options;
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = ROOM;
	there.uc_link = &here;
	makecontext(&there, run_given, 0);
	(void)swapcontext(&here, &there);
	return outcome;
}

int main(int count, char **arguments)
{
	static struct options options;
	char text[2048];
	struct buffer complaint = BUFFER(text);

	switch (options_read(&options, count, arguments, environ, &complaint)) {
	case OPTIONS_HELP:
		if (options_print_help() == 0)
			return EXIT_SUCCESS;
		message_print("cannot write the help: %s", strerror(errno));
		return STATUS_FAILED;
	case OPTIONS_VERSION:
		if (puts("rtrack-run " RTRACK_VERSION) >= 0 && fflush(stdout) == 0)
			return EXIT_SUCCESS;
		message_print("cannot write the version: %s", strerror(errno));
		return STATUS_FAILED;
	case OPTIONS_WRONG:
		message_print("%s", buffer_terminate(&complaint));
		return STATUS_FAILED;
	default:
		break;
	}
	if (settings_is(&options.settings, SETTING_ID_TRACK, "off"))
		return say_cannot_run(options.command[0], child_replace(options.command));
	return run_with_room(&options);
}
