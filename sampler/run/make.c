/* SPDX-License-Identifier: Apache-2.0 */
/* Creates a run's directory and its files. */
#include "sampler/run/make.h"

#include "core/columns.h"
#include "core/job_name.h"
#include "core/json.h"
#include "core/number.h"
#include "core/row.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/inputs.h"
#include "os/memory.h"
#include "os/self.h"
#include "os/system.h"
#include "sampler/run/end.h"
#include "sampler/run/file.h"
#include "sampler/run/mask.h"
#include "sampler/run/names.h"
#include "sampler/run/requested.h"

enum {
	COMMAND_TEXT_MAX = 16384, /* maximum size of "command" in run.json */
	ARGUMENT_TEXT_MAX = 4096, /* maximum size of one argument */
	JOB_MAX = 1024,           /* maximum size of a job name from an orchestrator */
	INPUTS_LIMIT_NS = 500000  /* maximum time for measuring the inputs, which delays the job's start */
};

/* Writes the job's name: RTRACK_JOB, or else the orchestrator's name for the job, or else the name of the script or
 * command. */
static void write_job(struct json *json, const struct run_start *start)
{
	char given[JOB_MAX];
	struct buffer out = BUFFER(given);
	struct text job = text_of(start->settings->text[SETTING_ID_JOB]);

	if (job.length == 0) {
		task_write_job(start->task, &out);
		job = (struct text){given, out.length};
	}
	if (job.length == 0) {
		struct mask mask = {.patterns = text_of(start->settings->text[SETTING_ID_MASK])};
		mask_write(&mask, &out, job_name(start->arguments, start->count));
		job = (struct text){given, out.length};
	}
	json_text(json, "job", job);
}

/* Writes the command line. Returns whether it was truncated. */
static bool write_command(struct json *json, const struct run_start *start)
{
	struct mask mask = {.patterns = text_of(start->settings->text[SETTING_ID_MASK])};
	char masked[ARGUMENT_TEXT_MAX];
	size_t left = COMMAND_TEXT_MAX;
	bool cut = false;
	json_begin_array(json, "command");
	for (int i = 0; i < start->count; i++) {
		struct buffer argument = {masked, 0, left < sizeof masked ? left : sizeof masked, false};
		mask_write(&mask, &argument, text_of(start->arguments[i]));
		json_text(json, NULL, (struct text){masked, argument.length});
		cut |= argument.full;
		left -= argument.length;
		if (left < 8 && i + 1 < start->count) {
			cut = true;
			break;
		}
		left -= left < 8 ? left : 8; /* space for quotes, comma and indentation of the next element */
	}
	json_end_array(json);
	return cut;
}

static bool is_attached(const struct run_start *start)
{
	return text_is(text_of(start->mode), RUN_MODE_ATTACH);
}

static void write_user(struct json *json, const struct run_start *start)
{
	char name[64];
	const char *user = name;
	uint32_t number = is_attached(start) ? process_real_user(start->pid) : os_user();
	if (os_user_name(number, name, sizeof name) != 0)
		user = is_attached(start) ? NULL : environment_get(start->environment, "USER");
	if (!user || user[0] == '\0') {
		struct buffer out = BUFFER(name);
		buffer_unsigned(&out, number);
		user = buffer_terminate(&out);
	}
	json_text(json, "user", text_of(user));
}

static void write_known(struct json *json, const char *key, const char *text)
{
	if (text[0] != '\0')
		json_text(json, key, text_of(text));
}

static void write_whole(struct json *json, const char *key, uint64_t number)
{
	json_number(json, key, (double)number, 0);
}

/* Quotas allow fractions of a CPU. */
static void write_cpus(struct json *json, const char *key, double cpus)
{
	json_number(json, key, cpus, cpus == (double)(int)cpus ? 0 : 2);
}

static void write_requested(struct json *json, const struct run_start *start, const struct system_facts *facts)
{
	struct requested requested;

	/* The limits are those of this process's control group. A root that already exists may be in another one. */
	bool attached = is_attached(start);
	requested_read(&requested, start->job_environment ? start->job_environment : start->environment,
		attached ? UNKNOWN : facts->memory_limit_mib, attached ? UNKNOWN : facts->cpu_limit);
	json_begin_object(json, "requested");
	write_cpus(json, "cpu", requested.cpu);
	json_number(json, "memory_mib", requested.memory_mib, 3);
	json_number(json, "gpu", requested.gpu, 0);
	json_number(json, "seconds", requested.seconds, 0);
	if (number_known(requested.end_time))
		json_number(json, "end_time", requested.end_time, 0);
	if (number_known(requested.nodes))
		json_number(json, "nodes", requested.nodes, 0);
	if (number_known(requested.job_cpu))
		json_number(json, "job_cpu", requested.job_cpu, 0);
	json_end_object(json);
}

static void write_limits(struct json *json, const struct run_limits *limits)
{
	if (!limits)
		return;
	json_begin_object(json, "limits");
	json_number(json, "memory_mib", limits->memory_mib, 3);
	json_number(json, "seconds", limits->seconds, 3);
	json_null(json, "reached");
	write_whole(json, "attempt", (uint64_t)limits->attempt);
	json_end_object(json);
}

/* Writes the known facts; unknown facts are left out. */
static void write_server(struct json *json, const struct system_facts *facts)
{
	json_begin_object(json, "server");
	write_known(json, "os", facts->os);
	write_known(json, "kernel", facts->kernel);
	write_known(json, "architecture", facts->architecture);
	write_known(json, "cpu_model", facts->cpu_model);
	if (number_known(facts->vcpus))
		write_cpus(json, "vcpus", facts->vcpus);
	if (number_known(facts->memory_mib))
		json_number(json, "memory_mib", facts->memory_mib, 2);
	json_end_object(json);
}

static void write_inputs(struct json *json, const struct run_start *start)
{
	const struct inputs_wish wish = {
		.named = text_of(start->settings->text[SETTING_ID_INPUTS]),
		.arguments = start->arguments,
		.count = is_attached(start) ? 0
					    /* If the run was attached, the inputs in its command line may be relative
					       to another working directory. */
					    : start->count,
		.script = job_name(start->arguments, start->count),
		.limit_ns = INPUTS_LIMIT_NS,
	};
	json_number(json, "input_bytes", inputs_measure(&wish), 0);
}

/* Writes `text`, or null if it is empty. */
static void write_or_null(struct json *json, const char *key, struct text text)
{
	if (text.length > 0)
		json_text(json, key, text);
	else
		json_null(json, key);
}

static struct text text_if(const char *text, int result)
{
	return result == 0 ? text_of(text) : (struct text){0};
}

void run_note_output(struct run_output *output, int descriptor)
{
	int64_t length = os_output(descriptor, output->path, sizeof output->path - 1, &output->begin);

	output->path[length > 0 ? length : 0] = '\0';
}

/* Writes the file of an output stream. A terminal or a pipe cannot be read later, so it is left out. If rtrack-run
 * attaches to a process, its outputs are unknown. */
static void write_output(struct json *json, const struct run_start *start, const char *key, int descriptor)
{
	bool is_other = text_is(text_of(start->mode), RUN_MODE_ATTACH);
	struct run_output own = {.path = ""};
	const struct run_output *output = start->outputs ? &start->outputs[descriptor - 1] : &own;

	if (!start->outputs && !is_other)
		run_note_output(&own, descriptor);
	if (!*output->path) {
		json_null(json, key);
		return;
	}
	json_begin_object(json, key);
	json_text(json, "path", text_of(output->path));
	write_whole(json, "begin", output->begin);
	json_null(json, "end");
	json_end_object(json);
}

/* Writes run.json. Stores the state of the control group at the start of the run in `group`. */
static void write_run(struct json *json, const struct run_start *start, struct text id, struct process_id root,
	struct system_group *group)
{
	char place[SPOOL_PATH_MAX];
	struct system_facts facts;

	json_begin_object(json, NULL);
	write_whole(json, "schema", SPOOL_SCHEMA);
	json_text(json, "id", id);
	write_or_null(json, "parent", start->parent);
	write_job(json, start);
	bool cut = write_command(json, start);
	bool attached = is_attached(start);
	write_or_null(json, "cwd",
		text_if(place, attached ? OS_ERROR_UNSUPPORTED : os_working_directory(place, sizeof place)));
	write_output(json, start, "stdout", 1);
	write_output(json, start, "stderr", 2);
	write_user(json, start);
	write_or_null(json, "host", text_if(place, os_host_name(place, sizeof place)));
	write_whole(json, "pid", (uint64_t)root.pid);
	json_number(json, "start_time", (double)start->time_ns / 1e9, 3);
	json_null(json, "stop_time");
	json_number(json, "interval", start->settings->number[SETTING_ID_INTERVAL], 3);
	json_text(json, "status", TEXT("running"));
	json_null(json, "exit_code");
	json_null(json, "exit_signal");
	json_null(json, "killed_by");
	task_write_labels(start->task, json, text_of(start->settings->text[SETTING_ID_TAGS]));
	task_write_group(start->task, json, text_of(start->settings->text[SETTING_ID_GROUP]));
	system_read_facts(&facts, "");
	*group = facts.group;
	write_requested(json, start, &facts);
	write_limits(json, start->limits);
	write_inputs(json, start);
	write_server(json, &facts);
	json_begin_object(json, "tracker");
	json_text(json, "version", TEXT(RTRACK_VERSION));
	json_text(json, "mode", text_of(start->mode));
	write_whole(json, "start_ticks", root.start);
	json_number(json, "baseline_utime", (double)start->baseline_ns[0] / 1e9, 6);
	json_number(json, "baseline_stime", (double)start->baseline_ns[1] / 1e9, 6);
	write_whole(json, "command_cut", cut);
	write_whole(json, "truncated", 0);
	write_whole(json, "cpus", facts.cpus);
	json_null(json, "reaped_peak_mib");
	json_null(json, "nameless_mib");
	json_null(json, "births_known");
	json_null(json, "cgroup_cpu");
	json_null(json, "cgroup_shared");
	/* facts.script_start is unknown if the starter gives each command a process group, like an interactive shell or
	 * mpirun. A run inside another run needs its starter even then, so that the outer run can be found to include
	 * it. */
	double starter = start->parent.length > 0 ? facts.parent_start : facts.script_start;
	json_number(json, "script_start", attached ? UNKNOWN : starter, 0);
	write_whole(json, "script_pid", (uint64_t)os_parent());
	if (attached)
		json_number(
			json, "attached_after", (double)(os_since_boot_ns() - process_started_ns(root.start)) / 1e9, 3);
	json_end_object(json);
	json_end_object(json);
}

/* Appends the absolute path of the spool's directory. */
static void write_spool(struct buffer *out, const struct run_start *start)
{
	char directory[SPOOL_PATH_MAX];
	struct buffer chosen = BUFFER(directory);
	spool_directory(&chosen, start->settings->text[SETTING_ID_SPOOL], start->environment, os_user());
	(void)buffer_terminate(&chosen);
	if (directory[0] != '/') {
		char here[SPOOL_PATH_MAX];
		if (os_working_directory(here, sizeof here) == 0) {
			buffer_string(out, here);
			buffer_byte(out, '/');
		}
	}
	buffer_string(out, directory);
	while (out->length > 1 && out->data[out->length - 1] == '/')
		out->length--;
}

void run_path(struct buffer *out, const struct run_start *start)
{
	char host[65] = "";
	(void)os_host_name(host, sizeof host);
	write_spool(out, start);
	buffer_byte(out, '/');
	spool_write_id(out, start->time_ns / 1000000000, text_of(host), start->pid, start->random);
}

/* -- creating -------------------------------------------------------------------------------------- */

/* Creates all missing directories of an absolute path. */
static int make_directories(const char *path)
{
	char part[SPOOL_PATH_MAX];
	struct text whole = text_of(path);
	int result = 0;

	if (whole.length >= sizeof part)
		return OS_ERROR_TOO_LONG;
	for (size_t end = 1; end <= whole.length; end++) {
		if (end < whole.length && whole.data[end] != '/')
			continue;
		struct buffer out = BUFFER(part);
		buffer_text(&out, (struct text){whole.data, end});
		result = os_make_directory(buffer_terminate(&out));
		if (result == OS_ERROR_EXISTS)
			result = 0;
	}
	return result;
}

/* Creates the lock file. Its first two numbers identify the sampler's PID namespace, so that processes can compare it
 * with their own. The third number identifies the task. A process that belongs to another task begins a new run. The
 * boot id shows another machine that the pids are not valid there. */
static int create_lock(const struct run_start *start, int at)
{
	char numbers[SPOOL_LOCK_MAX], boot[OS_BOOT_MAX];
	struct buffer out = BUFFER(numbers);
	buffer_unsigned(&out, os_pid_namespace());
	buffer_byte(&out, ' ');
	buffer_unsigned(&out, os_pid_view(os_pid()));
	buffer_byte(&out, ' ');
	buffer_unsigned(&out, start->task->key);
	buffer_byte(&out, ' ');
	buffer_text(&out, os_boot(boot));
	return os_create(at, SPOOL_LOCK_FILE, (struct text){numbers, out.length});
}

/* Creates the files for the sampler's state and for the root's final record. If they were created later, a job that
 * removes its run's directory could fail meanwhile. The second file gets its full size, because the disk may be full
 * later. Until there is a state, the first file contains the state of the control group at the start of the run. */
static void create_places(const struct run_start *start, int at, char *text, const struct system_group *group)
{
	bool launched = text_is(text_of(start->mode), "launcher") || is_attached(start);

	(void)os_create(at, SPOOL_STATE_FILE,
		(struct text){(const char *)group, launched || !group->known ? 0 : sizeof *group});
	if (launched)
		return;
	for (size_t i = 0; i < SPOOL_LAST_SIZE; i++)
		text[i] = '\n';
	if (os_create(at, SPOOL_LAST_FILE, (struct text){text, SPOOL_LAST_SIZE}) != 0)
		(void)os_remove(at, SPOOL_LAST_FILE);
}

static int create_files(const struct run_start *start, const char *directory, int at, char *text)
{
	struct process_reading reading;
	struct process_id root = {start->pid, 0};
	struct system_group group;
	struct json json = {.out = {text, 0, RUN_TEXT_MAX, false}};

	(void)os_learn_time();
	if (process_read(start->pid, false, &reading) == 0)
		root = reading.id;
	write_run(&json, start, run_id(directory), root, &group);
	int result =
		json.out.full ? OS_ERROR_TOO_LONG : os_create(at, SPOOL_RUN_FILE, (struct text){text, json.out.length});
	for (int i = 0; result == 0 && i < TABLES_AT_START; i++) {
		struct buffer header = {text, 0, RUN_TEXT_MAX, false};
		row_write_header(&header, &tables[i]);
		result = os_create(at, tables[i].file, (struct text){text, header.length});
	}
	if (result == 0)
		result = create_lock(start, at);
	if (result == 0)
		create_places(start, at, text, &group);
	if (result == 0)
		run_announce(directory, root);
	return result;
}

int run_create(const struct run_start *start, const char *directory)
{
	char spool[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(spool);
	struct text path = text_of(directory);

	buffer_text(&out, (struct text){path.data, path.length - text_basename(path).length - 1});
	(void)buffer_terminate(&out);
	if (out.full || text_length(directory) + 32 > SPOOL_PATH_MAX)
		return OS_ERROR_TOO_LONG;
	int result = os_check_directory(spool, true);
	if (result != 0) {
		int made = make_directories(spool);
		result = made != 0 ? made : os_check_directory(spool, true);
	}
	if (result == 0)
		result = os_make_directory(directory);
	if (result != 0)
		return result;
	int at = os_open_directory(OS_HERE, directory);
	char *text = os_map(RUN_TEXT_MAX);
	result = at < 0 || !text ? OS_ERROR_NO_MEMORY : create_files(start, directory, at, text);
	os_unmap(text, RUN_TEXT_MAX);
	os_close(at);
	if (result != 0)
		run_remove(directory);
	return result;
}
