/* SPDX-License-Identifier: Apache-2.0 */
/* librtrack.so: what happens when a program loads it, while the program runs, and when it ends.
 *
 * Every operation here may fail. Then less is tracked, but the host never notices.
 *
 *   at load, begin, begin_here   return early under RTRACK=off, in a privileged program, and in excluded programs
 *     find_run                   finds the run of RTRACK_RUN or of an ancestor (sampler/run/names.c), or creates one
 *       task_find                sampler/run/task.c: finds out whether the process begins an orchestrator's task, which
 *                                gets a new run
 *       root_begin               linux/root.c: creates the run (sampler/run/make.c), starts the thread
 *       root_resume              linux/root.c: after an exec, the run's root starts the thread again
 *     member_begin               member.c: writes the start row (sampler/record.c)
 *     host_find_nexts            linux/libc.c: looks up the next _exit and execve
 *     member_watch               member.c: starts a keeper if the run's sampler was killed
 *     host_at_exit, host_at_fork linux/libc.c: registers the functions below with the C library
 *   at fork
 *     on_fork                    linux/root.c: the thread pauses if the host counts its threads; member.c: stores the
 *                                time
 *     on_fork_parent, on_later   linux/root.c: a new thread continues after the host has counted its threads
 *     on_fork_child              member.c: the state now belongs to the child; linux/root.c: the child has no thread
 *   before a conflicting call, linux/guards.c  the thread would disturb the call, or the call the thread, so the thread
 *                                passes sampling to a keeper (root_leave), or pauses during the call (root_rest)
 *   before an exec, linux/execs.c  a root that executes a program without the library passes sampling to a keeper
 *   at exit, finish              called by exit() last (on_exit_status) if the C library supports it, else by the
 *                                destructor end; also by _exit, _Exit, library_stop, quick_exit, daemon and syscall
 *                                (linux/ends.c, linux/guards.c)
 *     root_end                   linux/root.c: stops the thread, which ends the run or passes it on
 *     member_end                 member.c: writes the exit row
 *     host_exit_through          linux/libc.c: calls the host's own function of that name
 *   in the thread, run_sampler   linux/root.c; linux/thread.c creates the thread, closes the host's descriptors in it,
 *                                and waits
 *     sampler_tick               sampler/: all measurements
 *     host_start_gpu, host_start_guard  linux/keeper.c: after a tick that finds a GPU, or children of the root
 *     sampler_hand_over          when sampling passes to a keeper (root_leave)
 *     sampler_finish             when the host ends; if members are left, host_start_keeper
 *   in the keeper, linux/keeper.c  the library's file, executed as a program, relocates itself and closes descriptors
 *     keeper_run                 sampler/keeper.c: ticks until the last member has ended
 *
 * On macOS (darwin/), a keeper runs from the start instead of a thread (darwin/root.c).
 *
 * Code that needs more than a little stack runs in host_run, on a separate stack (linux/stack.c; checked by
 * scripts/lint-stack).
 *
 * api.c implements include/rtrack.h, linux/label.c reads texts passed from R, and memory.c contains the functions that
 * a compiler may call without a C library. */
#include "core/pattern.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/process.h"
#include "os/self.h"
#include "os/defaults.h"
#include "preload/start_rows.h"
#include "preload/host.h"
#include "preload/librtrack.h"
#include "preload/member.h"
#include "preload/root.h"
#include "sampler/run/make.h"
#include "sampler/run/names.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT _Noreturn void _exit(int status);
EXPORT _Noreturn void _Exit(int status);

enum { ARGUMENTS_MAX = 256, COMMAND_LINE_MAX = 4096 };
/* Sizes of path buffers. Larger buffers would touch another page of the stack. */
enum { EXECUTABLE_MAX = 1024, LOOK_PATH_MAX = 512 };
/* If a process is older than this when the library is loaded, it has run another program before. Loading the library
 * takes this long only from a cold disk. */
enum { LOADED_NS = 250000000 };

static char defaults_text[DEFAULTS_TEXT_MAX]; /* text of the machine's file, to which settings point */
static const char *default_exclude;           /* RTRACK_EXCLUDE of that file, or NULL */

static bool is_tracked BESIDE_LOADER; /* this program is tracked; a forked child inherits the value */
/* exit() passes the status to the library after all destructors, so the destructor need not write the exit record. */
static bool status_is_told BESIDE_LOADER;
/* library_stop has ended the tracking of this process */
static bool is_stopped BESIDE_LOADER;
/* daemon(3) is running, so a process that forks ends right after the fork */
static bool becomes_daemon BESIDE_LOADER;
static bool hears_forks BESIDE_LOADER; /* the fork handlers are registered */

/* Appends a line to the file that RTRACK_DEBUG names. The line says why a program is not tracked. */
static void note(const struct settings *settings, const char *what)
{
	const char *path = settings->text[SETTING_ID_DEBUG];
	char line[256];
	struct buffer out = BUFFER(line);
	if (path[0] == '\0')
		return;
	buffer_string(&out, "librtrack: process ");
	buffer_unsigned(&out, (uint64_t)os_pid());
	buffer_string(&out, ": ");
	buffer_string(&out, what);
	buffer_byte(&out, '\n');
	(void)os_create(OS_HERE, path, TEXT(""));
	(void)os_append(OS_HERE, path, (struct text){line, out.length}, 0);
}

static void finish_here(void *argument)
{
	int exit_code = *(const int *)argument;
	bool current = member_is_current();
	const uint64_t *tracker = current ? root_end(exit_code) : NULL;
	if (member_end(exit_code, tracker, current))
		member_watch();
}

/* Returns whether this process may write records. */
static bool may_write_records(void)
{
	return is_tracked && !member_is_silent();
}

static void finish(int exit_code)
{
	if (may_write_records())
		(void)host_run(finish_here, &exit_code);
}

/* Writes the exit record, and leaves signals blocked. R's mclapply, for example, sends SIGTERM to children that are
 * about to end. Without the library, such a child would have ended before the signal. The signal must therefore not
 * kill the child while it writes its record. */
static void finish_for_good(int exit_code)
{
	if (may_write_records())
		(void)host_run_last(finish_here, &exit_code);
}

void library_exits(int status)
{
	finish_for_good(status & 0xff);
}

/* Writes the exit record if the calling thread is the host's last thread. In that case no other thread can create a
 * new one. */
static void finish_if_last(void *argument)
{
	struct process_reading reading;
	uint32_t ours = root_has_sampler() && member_is_current() ? 1 : 0;

	if (process_read(0, false, &reading) == 0 && reading.gauge[GAUGE_THREADS] == 1 + ours)
		finish_here(argument);
}

void library_thread_exits(int status)
{
	int exit_code = status & 0xff;

	if (may_write_records())
		(void)host_run(finish_if_last, &exit_code);
}

void library_ends(int status)
{
	finish(status & 0xff);
}

static void on_exit_status(int status, void *unused)
{
	(void)unused;
	finish(status & 0xff);
}

const char *library_excluded_by(char *const *environment)
{
	const char *patterns = environment_get(environment, settings_table[SETTING_ID_EXCLUDE].variable);

	return patterns && patterns[0] != '\0' ? patterns : default_exclude;
}

int library_stop(void)
{
	if (!member_is_current() || member_is_silent())
		return -1;
	finish(-1);
	member_silence();
	is_stopped = true;
	return 0;
}

/* Runs before a fork. If the host counts its threads after the fork, the sampling thread ends first. */
static void on_fork(void)
{
	if (root_has_sampler() && host_counts_threads() && member_is_current()) {
		if (host_can_call_later())
			root_rest();
		else
			(void)root_step_aside();
	}
	bool lodger = !member_is_current() && (root_has_sampler() ? root_is_shared() : member_is_shared());
	if (member_forking(lodger))
		root_forked();
}

static int on_later(void *unused)
{
	(void)unused;
	if (member_is_current())
		root_go_on();
	return 0;
}

void library_becomes_daemon(bool begins)
{
	becomes_daemon = begins;
}

static void on_fork_parent(void)
{
	if (becomes_daemon)
		finish(0);
	if (root_rests() && member_is_current())
		(void)host_call_later(on_later);
}

static void begin_child(void *unused)
{
	(void)unused;
	member_forked();
	root_forked();
}

static void on_fork_child(void)
{
	if (!member_is_silent())
		(void)host_run(begin_child, NULL);
}

void _exit(int status)
{
	finish_for_good(status & 0xff);
	host_exit_through("_exit", status);
}

void _Exit(int status)
{
	finish_for_good(status & 0xff);
	host_exit_through("_Exit", status);
}

__attribute__((destructor)) static void end(void)
{
	if (!status_is_told)
		finish(-1);
}

/* Reads the command line from the system, for C libraries that do not pass it to constructors. Returns the number of
 * arguments. */
static int read_arguments(char **arguments, char *text, size_t capacity)
{
	int count = 0;
	int64_t length = os_command_line(text, capacity - 1);
	text[length > 0 ? length : 0] = '\0';
	for (int64_t at = 0; at < length && count < ARGUMENTS_MAX - 1; count++) {
		arguments[count] = text + at;
		at += (int64_t)text_length(text + at) + 1;
	}
	arguments[count] = NULL;
	return count;
}

/* Returns a lower bound of this process's age, or 0 if the age is unknown. The exact age is not available, because
 * the kernel reports the start time in clock ticks. */
static int64_t least_age_ns(int pid)
{
	struct process_id id = {pid, 0};
	int64_t age_ns = 0;

	if (os_learn_time() && process_read_identity(&id) == 0)
		age_ns = os_since_boot_ns() - process_started_ns(id.start + 1);
	return age_ns > 0 ? age_ns : 0;
}

/* Creates a new run with this process as its root. Returns its directory, or NULL on failure. */
static const char *new_run(struct run_start *start)
{
	uint64_t children_ns[2];
	uint64_t own_ns[2];
	int64_t age_ns = least_age_ns(start->pid);

	start->time_ns = os_now_ns();
	start->random = os_random();
	start->mode = "preload";
	process_children_usage(children_ns);
	process_own_usage(own_ns);
	/* If the process is older than the library, it ran another program before, such as a shell that called
	 * `exec`, or its program has opened the library just now. In both cases the run begins now, because the
	 * earlier usage is not part of the job. Otherwise the run begins with the process, and loading the library
	 * is part of the job. */
	bool before = host_is_running() || age_ns > LOADED_NS || children_ns[0] + children_ns[1] > 0;
	int64_t used_ns = (int64_t)(own_ns[0] + own_ns[1]);
	for (int i = 0; i < 2 && before; i++)
		start->baseline_ns[i] = (int64_t)(own_ns[i] + children_ns[i]);
	if (!before)
		start->time_ns -= age_ns > used_ns ? age_ns : used_ns;
	return root_begin(start);
}

/* Returns whether this program is excluded from tracking. rtrack's own programs and programs that match
 * RTRACK_EXCLUDE are excluded. */
static bool is_excluded(const struct settings *settings, struct text exe)
{
	return pattern_list_match(TEXT("rtrack-run,rtrack-report"), exe) ||
	       pattern_list_match(text_of(settings->text[SETTING_ID_EXCLUDE]), exe);
}

/* Finds or creates the run of this process. The first process of an orchestrator's task gets its own run, even
 * inside another run. `held`: whether a sampler is known to sample the run that the environment names. */
static const char *find_run(struct run_start *start, struct task *task, struct buffer *found, bool held)
{
	const char *named = start->settings->text[SETTING_ID_RUN];
	bool is_named = named[0] != '\0';

	if (!is_named && run_find_ancestor(found, start->pid))
		named = buffer_terminate(found);
	const char *around = named[0] != '\0' ? named : NULL;
	bool is_open = around && around[0] == '/' && text_length(around) + 32 <= SPOOL_PATH_MAX &&
		       ((is_named && held) || run_is_open(around));
	task_find(task, around, start->pid);
	/* If the host's main function is running, its threads may read the environment, so the library must not
	 * change it. The environment would continue to name the enclosing run, so no new run is created. */
	if (task->begins && around && !host_is_running() && run_is_ours(around))
		start->parent = run_id(around);
	if (around && start->parent.length == 0) {
		if (!is_open)
			return NULL;
		/* This process is the root and hosted the sampler before an exec, so it resumes sampling. */
		if (spool_id_pid(run_id(around)) == start->pid && run_is_ours(around) && !run_is_sampled(around))
			root_resume(around, start->settings);
		return is_named ? around : root_hand_on(around);
	}
	return task->is_helper ? NULL : new_run(start);
}

/* Arguments of the constructor, and whether to register fork handlers. */
struct beginning {
	int count;
	char **arguments;
	char **environment;
	bool hears_forks;
};

/* Reads the last rows of start.csv in the run that the environment names. `directory` is "" if the environment names
 * no run. */
static void look_into(struct start_rows *start_rows, const char *directory)
{
	char path[LOOK_PATH_MAX];
	struct buffer out = BUFFER(path);

	buffer_string(&out, directory);
	buffer_byte(&out, '/');
	buffer_string(&out, tables[TABLE_start].file);
	(void)buffer_terminate(&out);
	start_rows_open(start_rows, directory[0] == '/' && !out.full ? path : NULL, host_user());
	start_rows_read(start_rows);
}

/* Returns the name by which the program was executed, or NULL if unknown. If the name is also an argument, it is the
 * name of a script, and the name of the script's interpreter is unknown. */
static const char *find_name(const struct beginning *beginning)
{
	const char *name = host_executable_name();

	if (!beginning->arguments)
		return NULL;
	for (int i = 1; name && i < beginning->count; i++)
		if (text_is(text_of(beginning->arguments[i]), name))
			return NULL;
	return name;
}

/* Returns whether the program's name is excluded, without resolving its path. Returns false for a symbolic link,
 * because the name of its target decides. */
static bool is_excluded_by_name(const struct settings *settings, const char *name)
{
	char target;
	return name && (name[0] == '/' || !host_is_running()) && is_excluded(settings, text_basename(text_of(name))) &&
	       os_read_link(OS_HERE, name, &target, sizeof target) == OS_ERROR_INVALID;
}

static void begin_here(void *argument)
{
	static char *read_list[ARGUMENTS_MAX];
	static char read_text[COMMAND_LINE_MAX];
	static char ancestor[SPOOL_PATH_MAX];
	char exe[EXECUTABLE_MAX];
	struct beginning *beginning = argument;
	struct buffer found = BUFFER(ancestor);
	struct settings settings;
	struct start_rows start_rows;

	settings_read(&settings, beginning->environment);
	if (settings_is(&settings, SETTING_ID_TRACK, "off"))
		return;
	const char *name = find_name(beginning);
	if (is_excluded_by_name(&settings, name))
		return;
	(void)defaults_read(&settings, beginning->environment, defaults_text);
	if (settings_is(&settings, SETTING_ID_TRACK, "off"))
		return;
	if (settings.source[SETTING_ID_EXCLUDE] == SETTING_FROM_FILE)
		default_exclude = settings.text[SETTING_ID_EXCLUDE];
	look_into(&start_rows, settings.text[SETTING_ID_RUN]);
	int64_t length = name ? os_executable_by_name(exe, sizeof exe, name, start_rows.exe) : -1;
	if (length <= 0)
		length = os_executable(exe, sizeof exe);
	struct member_start member = {
		.settings = &settings, .start_rows = &start_rows, .exe = {exe, length > 0 ? (size_t)length : 0}};
	if (is_excluded(&settings, member.exe)) {
		os_close(start_rows.table.file);
		return;
	}
	member.pid = os_pid();
	/* A program that has run for a while may have rearranged its arguments, as R and getopt(3) do. Its arguments
	 * are therefore read from the system. */
	if (!beginning->arguments || host_is_running()) {
		beginning->arguments = read_list;
		beginning->count = read_arguments(read_list, read_text, sizeof read_text);
	}
	struct task task = {.of = {beginning->environment, beginning->arguments, beginning->count}, .row = -1};
	struct run_start start = {
		.settings = &settings,
		.environment = beginning->environment,
		.arguments = beginning->arguments,
		.count = beginning->count,
		.pid = member.pid,
		.task = &task,
	};
	const char *named = settings.text[SETTING_ID_RUN];
	member_keep_settings(&settings);
	member.directory = find_run(&start, &task, &found, start_rows.holder != 0);
	/* `hidden` is true if the initial environment does not name the run. /proc shows only this environment, for
	 * this process and for its forks. */
	member.hidden = named[0] == '\0' || start.parent.length > 0;
	if (member.directory != named) {
		os_close(start_rows.table.file);
		start_rows_open(&start_rows, NULL, 0);
	}
	if (!member.directory) {
		note(&settings, "not tracked: there is no run, and none can be made");
		return;
	}
	member.arguments = start.arguments;
	member.count = start.count;
	member.interval_ns = (int64_t)(settings.number[SETTING_ID_INTERVAL] * 1e9);
	bool look = member_begin(&member);
	host_find_nexts();
	host_find_library();
	if (look && !root_has_sampler())
		member_watch();
	is_tracked = true;
	/* Fork handlers are registered only if a fork must stop the sampling thread, or if a forked child must write
	 * its start record immediately. In other programs a fork costs nothing, because a child detects the fork
	 * later by comparing its pid with the owner's. */
	beginning->hears_forks = (root_has_sampler() && host_counts_threads()) || member.hidden;
}

/* The constructor. It calls the C library's functions on the host's stack, because these functions may allocate
 * memory. */
__attribute__((constructor)) static void begin(int count, char **arguments, char **environment)
{
	struct beginning beginning = {.environment = host_environment()};

	if (host_gives_arguments()) {
		beginning.count = count;
		beginning.arguments = arguments;
		if (!beginning.environment)
			beginning.environment = environment;
	}
	if (!beginning.environment || host_is_privileged())
		return;
	if (host_run(begin_here, &beginning) != 0 || !is_tracked)
		return;
	status_is_told = host_at_exit(on_exit_status) == 0;
	hears_forks = beginning.hears_forks;
	if (hears_forks)
		host_at_fork(on_fork, on_fork_parent, on_fork_child);
}

static void begin_again(void *argument)
{
	is_tracked = false;
	member_reset();
	root_reset();
	begin_here(argument);
}

int library_start(void)
{
	struct beginning beginning = {.environment = host_environment()};

	if (!is_stopped || !member_is_current() || !beginning.environment || host_is_privileged())
		return -1;
	is_stopped = false;
	if (host_run(begin_again, &beginning) != 0 || !is_tracked) {
		member_silence();
		is_stopped = true;
		return -1;
	}
	if (beginning.hears_forks && !hears_forks)
		host_at_fork(on_fork, on_fork_parent, on_fork_child);
	hears_forks |= beginning.hears_forks;
	return 0;
}
