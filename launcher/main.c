/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-run: runs a command, samples it and its descendants, and ends with the command's exit status.
 *
 * Neither the caller nor the command may notice rtrack-run. The command inherits everything that rtrack-run was given,
 * signals are passed on, and the exit status is the command's. If something fails, less is tracked. rtrack-run hosts
 * the run's sampler, so that no process of the job needs a sampling thread. It is also the job's child subreaper, so
 * that it observes the end of every orphan. One loop waits for a signal or the next tick.
 *
 *   main                         reads the options (options.c); under RTRACK=off, replaces itself by the command
 *     mark_write                 mark.c: --mark, only marks a time in the enclosing run
 *     attach_follow              attach.c: --attach, samples a running process
 *   run                          fills closed descriptors (place.c) and takes over all signals (signals.c)
 *   attempt                      forks the command (child.c), which waits until its run exists
 *     keep_begin                 beside/keep.c: --keep-output, starts processes that relay the command's output
 *     begin_record               creates the run (sampler/run/make.c) and opens its sampler (sampler/sampler.c)
 *     words_show                 words.c: removes the command's words from the command line of rtrack-run
 *     signal_probe_start         signal_probe.c: detects signals that were sent to the whole process group
 *     limits_begin               limits.c: --max-memory, --max-seconds; memory_cgroup.c: the command's control group
 *     child_start                child.c: sends the waiting child its run; the child calls exec
 *       preload_library          preload.c: adds the library to the environment; library.c: finds its file
 *     ask_cloud                  beside/cloud.c: starts the program that identifies the cloud
 *     shipper_start              beside/shipper.c: with --ship, starts the program that sends the run
 *     follow                     the loop, until the command has ended
 *       wait_and_forward         signals.c: passes a signal on, unless the command has already received it
 *       reap                     reaping.c: reports the ends of the command and of orphans to the sampler
 *       sampler_tick             sampler/sampler.c
 *       gpu_watch, gpu_stop      beside/gpu.c: starts the program that reads GPUs, if there are any
 *       limits_hold              limits.c: ends a run that exceeds a limit
 *     follow_rest                waits for the remaining processes of a run that has exceeded a limit
 *     end_record                 ends the run; if daemons are left, start_keeper forks a child that continues to sample
 *                                them (sampler/keeper.c)
 *     shipper_finish             waits until the whole run was sent
 *   retry_again                  retry.c: --retry-on-oom, another attempt
 *   reports_run                  beside/reports.c: --summary and --report, with rtrack-report
 *
 * message.c writes the lines on stderr. memory_cgroup, place, preload, signals, signal_probe and reaping are in
 * launcher/linux/; the parts that they share with macOS are in launcher/posix/. */
#define _GNU_SOURCE
#include "core/number.h"
#include "core/spool.h"
#include "launcher/child.h"
#include "launcher/attach.h"
#include "launcher/beside/cloud.h"
#include "launcher/beside/gpu.h"
#include "launcher/beside/keep.h"
#include "launcher/library.h"
#include "launcher/limits.h"
#include "launcher/mark.h"
#include "launcher/message.h"
#include "launcher/options.h"
#include "launcher/place.h"
#include "launcher/reaping.h"
#include "launcher/beside/reports.h"
#include "launcher/beside/shipper.h"
#include "launcher/retry.h"
#include "launcher/signals.h"
#include "launcher/signal_probe.h"
#include "launcher/words.h"
#include "os/clock.h"
#include "os/self.h"
#include "sampler/keeper.h"
#include "sampler/run/end.h"
#include "sampler/run/make.h"
#include "sampler/run/names.h"
#include "sampler/sampler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/build.h"

enum exit_status {
	STATUS_FAILED = 125,
	STATUS_CANNOT_RUN = 126,
	STATUS_NOT_FOUND = 127,
	STATUS_SIGNAL = 128, /* the exit status of a killed command is 128 plus the number of the signal */
};

/* Files to which the command's stdout and stderr go. They are determined before rtrack-run closes its own stdout
 * (place_release_input_and_output). */
static struct run_output outputs[2];

/* The run that is being recorded. `sampler` is NULL before the sampler is created, or if that failed. */
struct record {
	char directory[SPOOL_PATH_MAX];
	struct sampler *sampler;
	struct cloud_asker cloud;         /* the program that identifies the cloud */
	pid_t shipper;                    /* pid of the program that sends the run; 0 if there is none */
	struct keep keep;                 /* the relays of the command's output */
	struct signal_probe signal_probe; /* detects signals that were sent to the whole process group */
	struct limits limits;
	bool ran;                           /* whether the command could be executed */
	int exit_signal;                    /* signal that ended the command; 0 if none, or if a limit ended it */
	char problem[SPOOL_PATH_MAX + 128]; /* why there is no record of the run; for --summary and RTRACK_DEBUG */
};

/* Returns the interpreter for a script with this suffix, or NULL if the suffix is unknown. */
static const char *interpreter_of(const char *script)
{
	static const char *const known[][2] = {{".py", "python3"}, {".R", "Rscript"}, {".sh", "sh"}};

	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (text_ends(text_of(script), known[i][0]))
			return known[i][1];
	return NULL;
}

/* Prints why the command cannot be run. Also prints what to type for a script that is not executable, and for a whole
 * command line in one argument. */
static int say_cannot_run(char *const *arguments, int reason)
{
	const char *command = arguments[0], *interpreter = interpreter_of(command);
	bool line = !arguments[1] && strchr(command, ' ') && !strchr(command, '\'');

	if (reason == EACCES && interpreter)
		message_print("'%s' cannot be run: it is not executable; did you mean '%s %s'?", command, interpreter,
			command);
	else if (reason == ENOENT && line)
		message_print("'%s' cannot be run: %s; for a command line or a pipeline: rtrack-run sh -c '%s'",
			command, strerror(reason), command);
	else
		message_print("'%s' cannot be run: %s", command, strerror(reason));
	return reason == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

/* Creates the run's directory and opens its sampler. On failure, writes the reason to record->problem. */
static void begin_record(struct record *record, const struct options *options, pid_t root, int attempt)
{
	const struct settings *settings = &options->settings;
	const struct run_limits limits = {options->max_memory_mib, options->max_seconds, attempt};
	const char *around = getenv("RTRACK_RUN");
	struct buffer path = BUFFER(record->directory);
	struct task task = {.of = {environ, options->command, options->command_length}, .row = -1};

	if (around && !run_is_ours(around))
		around = NULL;
	task_find(&task, around, getpid());
	struct run_start start = {
		.settings = settings,
		.environment = environ,
		.arguments = options->command,
		.count = options->command_length,
		.pid = root,
		.time_ns = os_now_ns(),
		.random = os_random(),
		.mode = "launcher",
		.task = &task,
		.outputs = outputs,
		.limits = number_known(limits.memory_mib) || number_known(limits.seconds) ? &limits : NULL,
	};
	if (around)
		start.parent = text_basename(text_of(around));
	run_path(&path, &start);
	(void)buffer_terminate(&path);
	int result = path.full ? OS_ERROR_TOO_LONG : run_create(&start, record->directory);
	if (result < 0) {
		(void)snprintf(record->problem, sizeof record->problem, "'%s' cannot be made: %s", record->directory,
			result == OS_ERROR_NOT_OURS
				? "others own the spool or may write to it; use a directory of your own (--spool)"
				: os_error_text(result));
		return;
	}

	struct sampler_options sampling = {
		.directory = record->directory,
		.settings = settings,
		.interval_ns = (int64_t)(settings->number[SETTING_ID_INTERVAL] * 1e9),
		.root_pid = root,
		.place = SAMPLER_IN_LAUNCHER,
	};
	(void)reaping_adopt(true);
	record->sampler = sampler_open(&sampling);
	if (!record->sampler) {
		(void)reaping_adopt(false);
		run_remove(record->directory);
		(void)snprintf(record->problem, sizeof record->problem, "sampling does not work on this system");
		return;
	}
	sampler_tell_root(record->sampler);
	sampler_note_kills(record->sampler);
}

/* Starts the program that identifies the cloud. The program runs next to the command and is not part of the run. */
static void ask_cloud(struct record *record, const struct signals *signals)
{
	cloud_start(&record->cloud, signals);
	sampler_set_helper(record->sampler, SAMPLER_HELPER_CLOUD, record->cloud.pid);
}

static void register_signal_probe(struct record *record)
{
	if (record->sampler)
		sampler_set_helper(record->sampler, SAMPLER_HELPER_SIGNAL_PROBE, record->signal_probe.pid);
}

/* Informs the sampler of the program that sends the run, because that program is not part of the run. */
static void register_shipper(struct record *record, pid_t pid)
{
	record->shipper = pid;
	if (record->sampler)
		sampler_set_helper(record->sampler, SAMPLER_HELPER_SHIPPER, pid);
}

static void register_relays(struct record *record)
{
	for (int i = 0; record->sampler && i < KEEP_STREAMS; i++)
		sampler_set_helper(record->sampler, (enum sampler_helper)(SAMPLER_HELPER_STDOUT + i),
			record->keep.streams[i].relay);
}

/* Reaps every child that has ended. If the command has ended, sets *ending and returns true. */
static bool reap(pid_t root, struct record *record, struct child_end *ending)
{
	struct sampler *sampler = record->sampler;
	struct child_end ended;
	bool over = false;

	while (reaping_next(&ended)) {
		struct reaped reaped;
		if (record->cloud.pid > 0 && ended.pid == record->cloud.pid) {
			(void)waitpid(record->cloud.pid, NULL, 0);
			cloud_take(&record->cloud, record->directory);
			sampler_set_helper(record->sampler, SAMPLER_HELPER_CLOUD, 0);
			continue;
		}
		if (record->signal_probe.pid > 0 && ended.pid == record->signal_probe.pid) {
			/* Replaces a probe that was killed. */
			signal_probe_stop(&record->signal_probe);
			signal_probe_start(&record->signal_probe);
			register_signal_probe(record);
			continue;
		}
		if (record->shipper > 0 && ended.pid == record->shipper) {
			shipper_reap(record->shipper);
			register_shipper(record, 0);
			continue;
		}
		if (keep_reap(&record->keep, ended.pid)) {
			register_relays(record);
			continue;
		}
		if (gpu_reap(sampler, ended.pid))
			continue;
		bool counts = sampler && sampler_ended(sampler, &ended);
		if (reaping_take(ended.pid, &reaped) && counts)
			sampler_reaped(sampler, reaped.user_ns, reaped.system_ns, reaped.peak_kib);
		if (ended.pid == root) {
			*ending = ended;
			over = true;
		}
	}
	return over;
}

/* Passes on a signal to the command. A signal that was sent to the whole process group is not passed on, because the
 * command has already received it. timeout(1) sends a signal to its child and then to the whole group. Without
 * rtrack-run, the two signals merge, so the command must receive only one here. If the probe has the second signal
 * when rtrack-run accepts the first, rtrack-run receives the second very soon. */
static void forward(pid_t root, struct record *record, const struct signal_taken *taken)
{
	/* PAUSE_NS is much longer than COPY_NS, because the sender may wait for a CPU between its two signals. */
	enum { COPY_NS = 100000, PAUSE_NS = 20000000 };
	struct signal_taken again;
	bool saw = taken->sent && signal_probe_saw(&record->signal_probe, taken->number);
	bool twice = taken->sent && signals_come_twice(taken, saw ? COPY_NS : PAUSE_NS, &again);

	saw |= twice && signal_probe_saw(&record->signal_probe, again.number);
	if (saw)
		register_signal_probe(record);
	if (!saw || signals_meant(taken, root))
		signals_forward(taken, root);
	if (!saw && twice)
		signals_forward(&again, root);
}

/* Waits for a signal until `next_ns` (time since boot; 0: no limit), and passes on the signal to the command. */
static void wait_and_forward(pid_t root, struct record *record, int64_t next_ns, int64_t now_ns)
{
	struct signal_taken taken;
	int64_t left_ns = next_ns > 0 ? next_ns - now_ns : -1;

	if (signals_wait(next_ns > 0 && left_ns < 0 ? 0 : left_ns, &taken))
		forward(root, record, &taken);
}

/* Samples the run, reaps children and passes on signals until the command ends. Ticks are timed with the boot clock,
 * because somebody may set the time of day. */
static struct child_end follow(pid_t root, struct record *record, const char *nvml)
{
	struct sampler *sampler = record->sampler;
	struct child_end ending = {.pid = root, .exit_code = -1};
	int64_t next_ns = sampler ? os_since_boot_ns() + sampler_wait_ns(sampler) : 0;

	while (!reap(root, record, &ending)) {
		/* If the command is stopped, rtrack-run stops too, because the shell waits for rtrack-run and must
		 * notice the stop (job control). */
		int stopped_by = reaping_stop(root);
		if (stopped_by > 0)
			signals_stop(stopped_by, root);
		int64_t now_ns = os_since_boot_ns();
		bool due = sampler && now_ns >= next_ns;
		if (due) {
			sampler_tick(sampler);
			gpu_watch(sampler, record->directory, nvml);
			keep_store(&record->keep, record->directory);
			now_ns = os_since_boot_ns();
			next_ns = now_ns + sampler_wait_ns(sampler);
		}
		if (sampler && now_ns >= sampler_lines_ns(sampler))
			sampler_lines(sampler);
		limits_hold(&record->limits, due);
		int64_t lines_ns = sampler ? sampler_lines_ns(sampler) : INT64_MAX;
		int64_t until_ns = limits_wait_until(&record->limits, next_ns);
		wait_and_forward(root, record, lines_ns < until_ns ? lines_ns : until_ns, now_ns);
	}
	return ending;
}

/* If a limit has ended the command, waits for the end of all its descendants. Signals are no longer passed on. */
static void follow_rest(struct record *record)
{
	struct child_end unused;
	struct signal_taken taken;

	while (limits_go_on(&record->limits)) {
		limits_hold(&record->limits, false);
		int64_t left_ns = limits_wait_until(&record->limits, 0) - os_since_boot_ns();
		(void)signals_wait(left_ns > 0 ? left_ns : 0, &taken);
		(void)reap(0, record, &unused);
	}
	limits_end(&record->limits);
}

/* Forks a keeper, which continues to sample daemons that outlive the command. The keeper is another process because
 * rtrack-run must end together with the command. The keeper releases all resources that rtrack-run has inherited. */
static void start_keeper(const char *directory)
{
	pid_t pid = fork();

	if (pid < 0)
		keeper_end(directory, environ);
	if (pid != 0)
		return;
	place_leave();
	keeper_run(directory, environ);
	_exit(0);
}

/* Completes the run's records, or removes them if the command never ran. */
static void end_record(struct record *record, const struct settings *settings, struct child_end ending, bool ran)
{
	double least = settings->number[SETTING_ID_MIN_SECONDS];

	if (!record->sampler)
		return;
	if (sampler_finish(record->sampler, ending.exit_code, ending.exit_signal, ran))
		start_keeper(record->directory);
	else
		gpu_stop();
	record->sampler = NULL;
	if (!ran)
		run_remove(record->directory);
	else if (access(record->directory, F_OK) == 0)
		return;
	else if (least > 0)
		(void)snprintf(record->problem, sizeof record->problem,
			"it was shorter than --min-seconds (RTRACK_MIN_SECONDS), %g s", least);
	else
		(void)snprintf(record->problem, sizeof record->problem, "'%s' was removed", record->directory);
}

/* Runs the command once, and returns the exit status. */
static int attempt(struct record *record, const struct options *options, struct signals *signals, struct retry *retry)
{
	struct child child;

	*record = (struct record){.sampler = NULL};
	keep_begin(&record->keep, options);
	keep_name(&record->keep, outputs);
	if (child_fork(&child, options, signals, &record->keep) != 0) {
		/* If fork fails, the command replaces rtrack-run and runs without a record, because it needs no
		 * second process. */
		message_debug(options->settings.text[SETTING_ID_DEBUG], "no record: fork failed: %s", strerror(errno));
		signals_give(signals);
		return say_cannot_run(options->command, child_replace(options->command));
	}
	keep_given(&record->keep);
	retry_release(retry);
	begin_record(record, options, child.pid, retry->attempt);
	register_relays(record);
	words_show(record->directory);
	/* rtrack-run stays in its directory only if these options need it. They may contain relative paths, and
	 * another attempt must start in the same directory. */
	if (!options->summary && !options->report && !options->ship && retry->left == 0)
		place_free_directory();
	signal_probe_start(&record->signal_probe);
	register_signal_probe(record);
	/* If the run has no record, the reason is printed only if the user named a spool. --summary and --report print
	 * it later. */
	if (!record->sampler && options->given[SETTING_ID_SPOOL] && !options->summary && !options->report)
		message_print("this run has no record: %s", record->problem);
	else if (!record->sampler)
		message_debug(options->settings.text[SETTING_ID_DEBUG], "no record: %s", record->problem);
	limits_begin(&record->limits, options, child.pid, record->sampler);
	child_start(&child, record->sampler ? record->directory : "");

	if (record->sampler) {
		ask_cloud(record, signals);
		register_shipper(record, shipper_start(options, signals, record->directory));
	}

	struct child_end ending = follow(child.pid, record, options->settings.text[SETTING_ID_NVML]);
	follow_rest(record);
	signal_probe_stop(&record->signal_probe);
	register_signal_probe(record);
	cloud_stop(&record->cloud);
	int reason = child_finish(&child);
	record->ran = reason == 0;
	end_record(record, &options->settings, ending, record->ran);
	keep_finish(&record->keep, record->directory);
	shipper_finish(record->shipper, options->ship_seconds);
	if (!record->ran)
		return say_cannot_run(options->command, reason);
	if (record->limits.reached != LIMIT_NONE)
		return LIMITS_STATUS;
	record->exit_signal = ending.exit_signal;
	return ending.exit_signal > 0 ? STATUS_SIGNAL + ending.exit_signal : ending.exit_code;
}

static int run(const void *argument)
{
	struct options options = *(const struct options *)argument;
	static struct record record;
	struct signals signals;
	struct retry retry;
	int status;

	for (int i = 0; i < 2; i++)
		run_note_output(&outputs[i], STDOUT_FILENO + i);
	place_fill_closed();
	signals_take(&signals);
	retry_begin(&retry, &options);
	do {
		status = attempt(&record, &options, &signals, &retry);
	} while (record.limits.reached == LIMIT_MEMORY && retry_again(&retry, &options, &signals, record.directory));
	if (record.ran && (options.summary || options.report)) {
		if (record.problem[0] == '\0')
			reports_run(&options, &signals, record.directory);
		else
			message_print("this run has no record: %s", record.problem);
	}
	/* At ^C, a shell ends its script only if the signal has killed the command. rtrack-run must therefore be
	 * killed by the same signal. */
	if (record.exit_signal == SIGINT || record.exit_signal == SIGQUIT)
		signals_die(record.exit_signal);
	return status;
}

/* Implements --attach. main calls it on a stack of sufficient size. */
static int attach(const void *argument)
{
	const struct options *options = argument;
	static char directory[SPOOL_PATH_MAX];
	struct signals signals;

	if (attach_follow(options, directory) != 0)
		return STATUS_FAILED;
	signals_take(&signals);
	if (directory[0] != '\0')
		reports_run(options, &signals, directory);
	return EXIT_SUCCESS;
}

/* Prints the version. `rtrack-report doctor` reads the library's path from this output. */
static int print_version(void)
{
	char path[SPOOL_PATH_MAX];

	printf("rtrack-run " RTRACK_VERSION "\n" BUILD_FACTS "\nlibrary: %s\n", library_find(path) ? path : "none");
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : -1;
}

int main(int count, char **arguments)
{
	static struct options options;
	char text[2048];
	struct buffer complaint = BUFFER(text);

	words_keep(count, arguments);
	enum options_result read = options_read(&options, count, arguments, environ, &complaint);
	switch (read) {
	case OPTIONS_MARK:
		return mark_write(options.mark) == 0 ? EXIT_SUCCESS : STATUS_FAILED;
	case OPTIONS_HELP:
	case OPTIONS_HELP_ALL:
		if (options_print_help(read == OPTIONS_HELP_ALL) == 0)
			return EXIT_SUCCESS;
		message_print("the help cannot be written: %s", strerror(errno));
		return STATUS_FAILED;
	case OPTIONS_VERSION:
		if (print_version() == 0)
			return EXIT_SUCCESS;
		message_print("the version cannot be written: %s", strerror(errno));
		return STATUS_FAILED;
	case OPTIONS_WRONG:
		message_print("%s", buffer_terminate(&complaint));
		return STATUS_FAILED;
	default:
		break;
	}
	bool off = settings_is(&options.settings, SETTING_ID_TRACK, "off");
	if (read == OPTIONS_ATTACH)
		return off ? EXIT_SUCCESS : place_call_with_room(attach, &options);
	if (off)
		return say_cannot_run(options.command, child_replace(options.command));
	return place_call_with_room(run, &options);
}
