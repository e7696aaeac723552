/* A run's directory, from its making to its end; see run.h.
 *
 * run.json is written whole when the run begins. Its end may be written by another image of the same
 * process, which knows nothing but the directory: so the end is a copy of the file in which single
 * lines are replaced, which works because core/json.h writes one key a line. */
#include "sampler/run.h"

#include "core/columns.h"
#include "core/job.h"
#include "core/json.h"
#include "core/number.h"
#include "core/row.h"
#include "sampler/os.h"

enum {
	RUN_TEXT_MAX = 65536,     /* of run.json */
	COMMAND_TEXT_MAX = 16384, /* of command[] in it */
	ARGUMENT_TEXT_MAX = 4096, /* of one argument */
	ANCESTORS_MAX = 64,
	ERROR_EXISTS = -17, /* -EEXIST, -EPERM: the kernel's numbers on all our platforms */
	ERROR_NOT_OURS = -1,
	ERROR_TOO_LONG = -36
};

#define LIVE_DIRECTORY ".live"
#define RUN_FILE_NEW "run.json.new"

/* -- names ---------------------------------------------------------------------------------------- */

static void spool_path(struct buffer *out, const struct run_start *start)
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
	spool_path(out, start);
	buffer_byte(out, '/');
	spool_write_id(out, start->time_ns / 1000000000, text_of(host), start->pid, start->random);
}

/* The spool of a run's directory, with "/.live" and perhaps "/PID" behind it. */
static int live_path(struct buffer *out, const char *directory, int pid)
{
	struct text path = text_of(directory);
	path.length -= text_basename(path).length;
	buffer_text(out, path);
	buffer_string(out, LIVE_DIRECTORY);
	if (pid > 0) {
		buffer_byte(out, '/');
		buffer_unsigned(out, (uint64_t)pid);
	}
	(void)buffer_terminate(out);
	return out->full ? ERROR_TOO_LONG : 0;
}

static struct text id_of(const char *directory)
{
	return text_basename(text_of(directory));
}

/* -- the run's text ------------------------------------------------------------------------------- */

static void write_labels(struct json *json, struct text tags)
{
	json_begin_object(json, "labels");
	for (size_t start = 0; start < tags.length;) {
		size_t end = start;
		while (end < tags.length && tags.data[end] != '\n' && tags.data[end] != ',')
			end++;
		struct text pair = {tags.data + start, end - start};
		size_t equals = text_find(pair, '=', 0);
		char key[256];
		struct buffer name = BUFFER(key);
		buffer_text(&name, (struct text){pair.data, equals});
		if (equals > 0 && equals < pair.length && !name.full)
			json_text(json, buffer_terminate(&name),
				(struct text){pair.data + equals + 1, pair.length - equals - 1});
		start = end + 1;
	}
	json_end_object(json);
}

/* Returns whether anything had to be cut. */
static bool write_command(struct json *json, const struct run_start *start)
{
	size_t left = COMMAND_TEXT_MAX;
	bool cut = false;
	json_begin_array(json, "command");
	for (int i = 0; i < start->count; i++) {
		struct text argument = text_of(start->arguments[i]);
		size_t allowed = left < ARGUMENT_TEXT_MAX ? left : ARGUMENT_TEXT_MAX;
		if (argument.length > allowed) {
			argument.length = allowed;
			cut = true;
		}
		json_text(json, NULL, argument);
		left -= argument.length;
		if (left < 8 && i + 1 < start->count) {
			cut = true;
			break;
		}
		left -= left < 8 ? left : 8; /* quotes, comma and indentation of one more element */
	}
	json_end_array(json);
	return cut;
}

static void write_user(struct json *json, const struct run_start *start)
{
	char name[64];
	const char *user = name;
	if (os_user_name(os_user(), name, sizeof name) != 0)
		user = environment_get(start->environment, "USER");
	if (!user || user[0] == '\0') {
		struct buffer out = BUFFER(name);
		buffer_unsigned(&out, os_user());
		user = buffer_terminate(&out);
	}
	json_text(json, "user", text_of(user));
}

static void write_run(struct json *json, const struct run_start *start, struct text id, uint64_t start_ticks)
{
	char place[SPOOL_PATH_MAX];
	const char *job = start->settings->text[SETTING_ID_JOB];

	json_begin_object(json, NULL);
	json_number(json, "schema", SPOOL_SCHEMA, 0);
	json_text(json, "id", id);
	if (start->parent.length > 0)
		json_text(json, "parent", start->parent);
	else
		json_null(json, "parent");
	json_text(json, "job", job[0] != '\0' ? text_of(job) : job_name(start->arguments, start->count));
	bool cut = write_command(json, start);
	if (os_working_directory(place, sizeof place) == 0)
		json_text(json, "cwd", text_of(place));
	else
		json_null(json, "cwd");
	write_user(json, start);
	if (os_host_name(place, sizeof place) == 0)
		json_text(json, "host", text_of(place));
	else
		json_null(json, "host");
	json_number(json, "pid", start->pid, 0);
	json_number(json, "start_time", (double)start->time_ns / 1e9, 3);
	json_null(json, "stop_time");
	json_number(json, "interval", start->settings->number[SETTING_ID_INTERVAL], 3);
	json_text(json, "status", TEXT("running"));
	json_null(json, "exit_code");
	json_null(json, "exit_signal");
	write_labels(json, text_of(start->settings->text[SETTING_ID_TAGS]));
	json_begin_object(json, "server");
	system_describe(json);
	json_end_object(json);
	json_begin_object(json, "tracker");
	json_text(json, "version", TEXT(RTRACK_VERSION));
	json_text(json, "mode", text_of(start->mode));
	json_number(json, "start_ticks", (double)start_ticks, 0);
	json_number(json, "baseline_utime", (double)start->baseline_ns[0] / 1e9, 6);
	json_number(json, "baseline_stime", (double)start->baseline_ns[1] / 1e9, 6);
	json_number(json, "command_cut", cut ? 1 : 0, 0);
	json_number(json, "truncated", 0, 0);
	json_end_object(json);
	json_end_object(json);
}

/* -- making ---------------------------------------------------------------------------------------- */

/* Makes all directories of an absolute path that are missing. */
static int make_directories(const char *path)
{
	char part[SPOOL_PATH_MAX];
	struct text whole = text_of(path);
	int result = 0;

	if (whole.length >= sizeof part)
		return ERROR_TOO_LONG;
	for (size_t end = 1; end <= whole.length; end++) {
		if (end < whole.length && whole.data[end] != '/')
			continue;
		struct buffer out = BUFFER(part);
		buffer_text(&out, (struct text){whole.data, end});
		result = os_make_directory(buffer_terminate(&out));
		if (result == ERROR_EXISTS)
			result = 0;
	}
	return result;
}

/* Notes which run the process roots: .live/PID is a link that says "<start ticks>:<run id>". */
static void announce(const char *directory, int pid, uint64_t start_ticks)
{
	char path[SPOOL_PATH_MAX];
	char target[SPOOL_ID_MAX + 32];
	struct buffer out = BUFFER(path);
	struct buffer text = BUFFER(target);

	if (live_path(&out, directory, 0) != 0)
		return;
	(void)os_make_directory(path);
	out.length = 0;
	(void)live_path(&out, directory, pid);
	buffer_unsigned(&text, start_ticks);
	buffer_byte(&text, ':');
	buffer_text(&text, id_of(directory));
	(void)os_remove(OS_HERE, path);
	(void)os_make_link(buffer_terminate(&text), OS_HERE, path);
}

static int create_files(const struct run_start *start, const char *directory, int at, char *text)
{
	struct process_reading root = {0};
	struct json json = {.out = {text, 0, RUN_TEXT_MAX, false}};

	(void)process_read(start->pid, false, &root);
	write_run(&json, start, id_of(directory), root.start_ticks);
	int result =
		json.out.full ? ERROR_TOO_LONG : os_create(at, SPOOL_RUN_FILE, (struct text){text, json.out.length});
	for (int i = 0; result == 0 && i < TABLE_COUNT; i++) {
		struct buffer header = {text, 0, RUN_TEXT_MAX, false};
		row_write_header(&header, &tables[i]);
		result = os_create(at, tables[i].file, (struct text){text, header.length});
	}
	if (result == 0)
		result = os_create(at, SPOOL_LOCK_FILE, TEXT(""));
	if (result == 0)
		announce(directory, start->pid, root.start_ticks);
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
		return ERROR_TOO_LONG;
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
	result = at < 0 || !text ? ERROR_NOT_OURS : create_files(start, directory, at, text);
	os_unmap(text, RUN_TEXT_MAX);
	os_close(at);
	if (result != 0)
		run_remove(directory);
	return result;
}

bool run_is_ours(const char *directory)
{
	return directory[0] == '/' && text_length(directory) + 32 <= SPOOL_PATH_MAX &&
	       os_check_directory(directory, false) == 0;
}

/* -- finding --------------------------------------------------------------------------------------- */

static bool run_of_process(struct buffer *out, const char *spool_entry, int pid, uint64_t start_ticks)
{
	char path[SPOOL_PATH_MAX];
	char target[SPOOL_ID_MAX + 32];
	struct buffer link = BUFFER(path);
	uint64_t ticks;

	if (live_path(&link, spool_entry, pid) != 0)
		return false;
	int64_t length = os_read_link(OS_HERE, path, target, sizeof target);
	struct text text = {target, length > 0 ? (size_t)length : 0};
	size_t colon = text_find(text, ':', 0);
	struct text id = {text.data + colon + 1, text.length - colon - 1};
	if (colon >= text.length || number_read_unsigned((struct text){target, colon}, &ticks) != 0 ||
		ticks != start_ticks || text_find(id, '/', 0) < id.length || text_starts(id, "."))
		return false;
	struct text spool = text_of(spool_entry);
	buffer_text(out, (struct text){spool.data, spool.length - text_basename(spool).length});
	buffer_text(out, id);
	return run_is_ours(buffer_terminate(out)) && !out->full;
}

bool run_find_ancestor(struct buffer *out, const struct run_start *start, int ppid)
{
	char entry[SPOOL_PATH_MAX];
	struct buffer spool = BUFFER(entry);
	struct process_reading reading;
	char live[SPOOL_PATH_MAX];
	struct buffer path = BUFFER(live);

	spool_path(&spool, start);
	buffer_string(&spool, "/x");
	if (live_path(&path, buffer_terminate(&spool), 0) != 0 || !os_exists(OS_HERE, live))
		return false;
	for (int depth = 0; depth < ANCESTORS_MAX && ppid > 1; depth++) {
		if (process_read(ppid, false, &reading) != 0)
			return false;
		out->length = 0;
		if (run_of_process(out, entry, ppid, reading.start_ticks))
			return true;
		ppid = reading.ppid;
	}
	return false;
}

/* -- reading and ending ----------------------------------------------------------------------------- */

static int64_t read_run(const char *directory, char *text)
{
	int at = os_open_directory(OS_HERE, directory);
	if (at < 0)
		return at;
	int64_t length = os_read(at, SPOOL_RUN_FILE, text, RUN_TEXT_MAX);
	os_close(at);
	return length;
}

/* The value on a line `  "key": value,`, or an empty text. */
static struct text value_on_line(struct text line, const char *key)
{
	size_t at = 0;
	while (at < line.length && line.data[at] == ' ')
		at++;
	struct text rest = {line.data + at, line.length - at};
	size_t length = text_length(key);
	if (rest.length < length + 4 || rest.data[0] != '"' ||
		!text_equal((struct text){rest.data + 1, length}, text_of(key)) || rest.data[length + 1] != '"')
		return (struct text){NULL, 0};
	rest = (struct text){rest.data + length + 4, rest.length - length - 4};
	if (rest.length > 0 && rest.data[rest.length - 1] == ',')
		rest.length--;
	return rest;
}

int run_facts(const char *directory, struct run_facts *facts)
{
	static const char *const keys[] = {"interval", "start_time", "baseline_utime", "baseline_stime"};
	double values[ARRAY_LENGTH(keys)] = {1, 0, 0, 0};
	char *text = os_map(RUN_TEXT_MAX);
	if (!text)
		return ERROR_NOT_OURS;
	int64_t length = read_run(directory, text);
	struct text file = {text, length > 0 ? (size_t)length : 0};
	for (size_t start = 0; start < file.length;) {
		size_t end = text_find(file, '\n', start);
		for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
			struct text value = value_on_line((struct text){file.data + start, end - start}, keys[i]);
			if (value.length > 0)
				(void)number_read(value, &values[i]);
		}
		start = end + 1;
	}
	os_unmap(text, RUN_TEXT_MAX);
	if (length < 0)
		return (int)length;
	*facts = (struct run_facts){.interval = values[0],
		.start_time = values[1],
		.baseline_ns = {(int64_t)(values[2] * 1e9), (int64_t)(values[3] * 1e9)}};
	return 0;
}

/* What a line of run.json becomes at the end: true, and the new value written. */
static bool write_end_value(struct buffer *out, struct text line, const struct run_end *end, bool top_level)
{
	if (top_level && value_on_line(line, "stop_time").length > 0) {
		number_write(out, (double)end->time_ns / 1e9, 3);
	} else if (top_level && value_on_line(line, "status").length > 0) {
		buffer_string(out, end->exit_signal > 0 ? "\"killed\""
				   : end->exit_code > 0 ? "\"failed\""
							: "\"finished\"");
	} else if (top_level && value_on_line(line, "exit_code").length > 0) {
		if (end->exit_code >= 0 && end->exit_signal == 0)
			buffer_unsigned(out, (uint64_t)end->exit_code);
		else
			buffer_string(out, "null");
	} else if (top_level && value_on_line(line, "exit_signal").length > 0) {
		if (end->exit_signal > 0)
			buffer_unsigned(out, (uint64_t)end->exit_signal);
		else
			buffer_string(out, "null");
	} else if (!top_level && value_on_line(line, "truncated").length > 0) {
		buffer_byte(out, end->truncated ? '1' : '0');
	} else {
		return false;
	}
	return true;
}

static void write_end(struct buffer *out, struct text file, const struct run_end *end)
{
	bool in_tracker = false;
	for (size_t start = 0; start < file.length;) {
		size_t stop = text_find(file, '\n', start);
		struct text line = {file.data + start, stop - start};
		bool top_level = text_starts(line, "  \"");
		struct buffer before = *out;
		size_t colon = text_find(line, ':', 0);
		if (top_level)
			in_tracker = text_starts(line, "  \"tracker\"");
		buffer_text(out, (struct text){line.data, colon});
		buffer_string(out, ": ");
		if ((top_level || in_tracker) && write_end_value(out, line, end, top_level)) {
			if (line.data[line.length - 1] == ',')
				buffer_byte(out, ',');
		} else {
			*out = before;
			buffer_text(out, line);
		}
		buffer_byte(out, '\n');
		start = stop + 1;
	}
}

int run_finish(const char *directory, const struct run_end *end)
{
	char *text = os_map(2 * (size_t)RUN_TEXT_MAX);
	char path[SPOOL_PATH_MAX];
	struct buffer link = BUFFER(path);
	int pid = spool_id_pid(id_of(directory));
	if (!text)
		return ERROR_NOT_OURS;
	int at = os_open_directory(OS_HERE, directory);
	int64_t length = os_read(at, SPOOL_RUN_FILE, text, RUN_TEXT_MAX);
	int result = length < 0 ? (int)length : 0;
	if (result == 0) {
		struct buffer out = {text + RUN_TEXT_MAX, 0, RUN_TEXT_MAX, false};
		write_end(&out, (struct text){text, (size_t)length}, end);
		(void)os_remove(at, RUN_FILE_NEW);
		result = out.full ? ERROR_TOO_LONG : os_create(at, RUN_FILE_NEW, (struct text){out.data, out.length});
		if (result == 0)
			result = os_rename(at, RUN_FILE_NEW, SPOOL_RUN_FILE);
		if (result != 0)
			(void)os_remove(at, RUN_FILE_NEW);
	}
	if (at >= 0)
		(void)os_remove(at, SPOOL_LOCK_FILE);
	os_close(at);
	if (pid > 0 && live_path(&link, directory, pid) == 0)
		(void)os_remove(OS_HERE, path);
	os_unmap(text, 2 * (size_t)RUN_TEXT_MAX);
	return result;
}

void run_remove(const char *directory)
{
	char path[SPOOL_PATH_MAX];
	struct buffer link = BUFFER(path);
	int pid = spool_id_pid(id_of(directory));
	int at = os_open_directory(OS_HERE, directory);
	if (at < 0)
		return;
	for (int i = 0; i < TABLE_COUNT; i++)
		(void)os_remove(at, tables[i].file);
	(void)os_remove(at, SPOOL_RUN_FILE);
	(void)os_remove(at, RUN_FILE_NEW);
	(void)os_remove(at, SPOOL_LOCK_FILE);
	os_close(at);
	(void)os_remove_directory(directory);
	if (pid > 0 && live_path(&link, directory, pid) == 0)
		(void)os_remove(OS_HERE, path);
}
