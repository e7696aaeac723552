/* SPDX-License-Identifier: Apache-2.0 */
/* Opens one run of a spool. */
#define _GNU_SOURCE
#include "report/spool/gpus.h"
#include "report/spool/run.h"

#include "core/columns.h"
#include "core/pattern.h"
#include "os/file.h"
#include "report/say/alloc.h"
#include "report/say/bounds.h"
#include "report/say/file.h"
#include "report/say/utf8.h"
#include "report/spool/ending.h"
#include "report/spool/owner.h"
#include "report/spool/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static cJSON *parse_file(const struct files *files, const char **problem)
{
	size_t length = 0;
	int file = files_get(files, SPOOL_RUN_FILE);
	char *text = file < 0 ? NULL : file_read_open(file, BOUND_RUN_JSON, &length);
	cJSON *json = NULL;

	if (!text) {
		*problem = errno == EFBIG ? BOUND_MESSAGE(RUN_JSON) : strerror(errno);
	} else if (json_count((struct text){text, length}) > BOUND_JSON_VALUES) {
		*problem = BOUND_MESSAGE(JSON_VALUES);
	} else {
		json = cJSON_ParseWithLength(text, length);
		*problem = cJSON_IsObject(json) ? NULL : "it is incomplete, or not a JSON object";
	}
	if (*problem) {
		cJSON_Delete(json);
		json = NULL;
	}
	if (file >= 0)
		close(file);
	free(text);
	return json;
}

/* Returns the time at the beginning of a run's id, or UNKNOWN. */
static double time_of_id(const char *id)
{
	struct tm tm = {0};
	const char *end = strptime(id, "%Y%m%dT%H%M%SZ", &tm);
	return end && *end == '-' ? (double)timegm(&tm) : UNKNOWN;
}

struct start_search {
	double second;
	double time; /* earliest timestamp so far, or UNKNOWN */
};

static int take_start_time(void *context, struct reader *reader)
{
	struct start_search *search = context;
	double time = reader_number(reader, START_timestamp);

	if (time >= search->second && time < search->second + 1)
		search->time = fmin(search->time, time);
	return 0;
}

/* Finds the start of a run whose run.json has no start_time. The result is the time of the first process in start.csv
 * that began within the second in the run's id. The id alone has only whole seconds, so a run of 2 ms could seem to
 * last a second. */
static double find_start(const struct files *files, const char *id)
{
	struct start_search search = {time_of_id(id), UNKNOWN};

	if (number_known(search.second))
		(void)reader_find(files, TABLE_start, take_start_time, &search);
	return known_first(search.time, search.second);
}

/* Returns the seconds since the last row. Returns 0 if they are less than five intervals or less than 5 s. */
static double silent_seconds(const struct files *files, double interval)
{
	struct stat status;
	struct timespec now;
	double limit = 5 * interval > 5 ? 5 * interval : 5;

	if (files_status(files, tables[TABLE_system].file, &status) != 0 &&
		files_status(files, SPOOL_RUN_FILE, &status) != 0)
		return INFINITY;
	clock_gettime(CLOCK_REALTIME, &now);
	double silent = (double)(now.tv_sec - status.st_mtim.tv_sec);
	return silent > limit ? silent : 0;
}

static mode_t mode_of(const struct files *files, const char *file)
{
	struct stat status;

	return files_status(files, file, &status) == 0 ? status.st_mode & 07777 : 0;
}

/* Finds out why rows are missing. run.json cannot tell, because the sampler does not know which rows another process
 * failed to write. Such a process records the failure in the mode of the file. If run.json has the same mode, the file
 * system does not store modes, and they are ignored. */
static void find_lacks(struct run *run, const cJSON *tracker)
{
	double truncated = json_double(tracker, "truncated");
	const struct files *files = &run->files;
	const mode_t slow = OS_MODE_SLOW;
	mode_t start = mode_of(files, tables[TABLE_start].file);
	mode_t system = mode_of(files, tables[TABLE_system].file);

	run->lacks_room = (start & ~slow) == OS_MODE_LACKING ||
			  mode_of(files, tables[TABLE_exit].file) == OS_MODE_LACKING ||
			  mode_of(files, tables[TABLE_member].file) == OS_MODE_LACKING;
	run->lacks_unknown = truncated > 1 && !run->lacks_room;
	bool made_up = ((start | system) & slow) != 0 && (mode_of(files, SPOOL_RUN_FILE) & slow) != 0;
	run->lacks_slow = (start & slow) != 0 && !made_up;
	run->lacks_ticks = (system & slow) != 0 && !made_up;
	run->lacks_library = strcmp(json_string(tracker, "mode"), "slurmstepd") == 0;
	run->lacks_rows = run->lacks_unknown || run->lacks_room || run->lacks_slow || run->lacks_library;
}

/* Replaces a value of run.json with a corrected one, so that JSON output agrees with other reports. */
static void put(struct run *run, const char *key, cJSON *value)
{
	if (!cJSON_ReplaceItemInObjectCaseSensitive(run->json, key, value))
		cJSON_Delete(value);
}

static void put_number(struct run *run, const char *key, double value)
{
	put(run, key, number_known(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

static void find_ending(struct run *run)
{
	struct ending ending;

	if (!ending_find(&ending, &run->files, run->json))
		return;
	run->lacks_rows |= run->launched;
	run->lacks_unknown |= run->launched;
	put(run, "status", cJSON_CreateString(ending.status));
	put_number(run, "stop_time", round(ending.stop_time * 1000) / 1000);
	put_number(run, "exit_code", ending.exit_code);
	put_number(run, "exit_signal", ending.exit_signal);
	if (ending.killer)
		put(run, "killed_by", cJSON_CreateString(spool_killer(ending.killer)));
	run->status = ending.status;
	run->stop_time = ending.stop_time;
	run->exit_code = ending.exit_code;
	run->exit_signal = ending.exit_signal;
}

/* Changes the status of a run to "interrupted" if it has had no rows for a while and its sampler is gone. If its
 * sampler still exists, sets silent_seconds. */
static void find_silence(struct run *run)
{
	double silent = silent_seconds(&run->files, run->interval);

	if (silent > 0 && !ending_is_sampled(&run->files)) {
		run->status = "interrupted";
		put(run, "status", cJSON_CreateString(run->status));
	} else if (isfinite(silent)) {
		run->silent_seconds = silent;
	}
}

/* Changes the status "killed" to "unknown" if the sampler did not observe a kill: run.json has neither a signal nor a
 * kill counted by the kernel, and the root may have ended by itself. */
static void find_unheard(struct run *run)
{
	bool killed = strcmp(run->status, "killed") == 0, unknown = strcmp(run->status, "unknown") == 0;
	run->is_lost = (killed || unknown) && !number_known(run->exit_signal);
	bool told = *json_string(run->json, "killed_by") && !run_was_killed_by(run, KILLER_SIGNAL);
	if (!run->is_lost || unknown || told || !ending_is_unheard(&run->files, run->json))
		return;
	run->status = "unknown";
	put(run, "status", cJSON_CreateString(run->status));
	put(run, "killed_by", cJSON_CreateNull());
}

/* Ray ends its worker processes with exit status 1 when their job is over. Changes the status of such a run from
 * "failed" to "finished". An exception in a task of Ray does not end the worker. */
static void find_end_by_ray(struct run *run)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");

	if (strcmp(json_string(labels, "orchestrator"), "ray") != 0 || strcmp(run->status, "failed") != 0 ||
		!(run->exit_code == 1))
		return;
	run->status = "finished";
	put(run, "status", cJSON_CreateString(run->status));
}

/* Corrects the stop time. A sampler that continues after the root's end updates stop_time only when its last process
 * ends. If it is killed together with its processes, for example with a container, stop_time is never updated. */
static void find_last_row(struct run *run)
{
	double until = run_ended(run) ? ending_sampled_until(&run->files) : UNKNOWN;

	if (!(until > run->stop_time))
		return;
	run->stop_time = until;
	put_number(run, "stop_time", until);
}

/* Discards a stop time that is before the start time. This happens if the clock was set back during the run. */
static void distrust_stop(struct run *run)
{
	if (!(run->stop_time < run->start_time))
		return;
	run->stop_time = UNKNOWN;
	put_number(run, "stop_time", UNKNOWN);
}

/* Uses the directory's name as id. The id in run.json differs if the run is a copy, or if run.json is forged. */
static void find_id(struct run *run)
{
	const char *claimed = json_string(run->json, "id");

	run->id = text_basename(text_of(run->directory)).data;
	if (*claimed && strcmp(claimed, run->id) != 0) {
		run->claimed_id = xstrdup(claimed);
		put(run, "id", cJSON_CreateString(run->id));
	}
}

/* Sets the user to whom the run belongs. The user named in run.json is not trusted. */
static void find_user(struct run *run)
{
	const char *claimed = json_string(run->json, "user");

	run->user = owner_user(&run->files, claimed);
	if (strcmp(claimed, run->user) == 0)
		return;
	if (*claimed)
		run->claimed_user = xstrdup(claimed);
	put(run, "user", cJSON_CreateString(run->user));
}

/* Discards a pid that no process can have, because `kill` sends a signal to many processes if it gets 0 or a negative
 * number. */
static void distrust_pid(struct run *run)
{
	double pid = json_double(run->json, "pid");

	if (cJSON_HasObjectItem(run->json, "pid") && !(pid >= 1 && pid <= INT32_MAX && pid == floor(pid)))
		put(run, "pid", cJSON_CreateNull());
}

static void fill(struct run *run)
{
	struct stat status;
	const cJSON *json = run->json;
	cJSON *server = cJSON_GetObjectItemCaseSensitive(json, "server");
	double interval = json_double(json, "interval");

	find_id(run);
	run->job = json_string(json, "job");
	if (!*run->job)
		run->job = run->id;
	run->host = json_string(json, "host");
	find_user(run);
	distrust_pid(run);
	run->cwd = json_string(json, "cwd");
	run->start_time = json_double(json, "start_time");
	if (!number_known(run->start_time))
		run->start_time = find_start(&run->files, run->id);
	run->stop_time = json_double(json, "stop_time");
	run->interval = interval > 0 ? interval : 1;
	run->exit_code = json_double(json, "exit_code");
	run->exit_signal = json_double(json, "exit_signal");
	const cJSON *limits = cJSON_GetObjectItemCaseSensitive(json, "limits");
	bool limited = strcmp(json_string(json, "killed_by"), "limit") == 0;
	run->limit = limited ? json_string(limits, "reached") : "";
	run->limit_memory_mib = json_double(limits, "memory_mib");
	run->limit_seconds = json_double(limits, "seconds");
	if (files_status(&run->files, tables[TABLE_gpu].file, &status) == 0)
		gpus_add_facts(server, &run->files);
	run->vcpus = json_double(server, "vcpus");
	run->reaped_peak_mib = json_double(cJSON_GetObjectItemCaseSensitive(run->json, "tracker"), "reaped_peak_mib");
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	double online = json_double(tracker, "cpus");
	run->online = online > 0 ? online : UNKNOWN;
	run->cpus = known_larger(run->online, run->vcpus);
	run->cgroup_seconds = json_double(tracker, "cgroup_cpu");
	run->cgroup_shared = json_double(tracker, "cgroup_shared");
	find_lacks(run, tracker);
	run->launched = ending_is_launched(json);
	run->attached = cJSON_HasObjectItem(cJSON_GetObjectItemCaseSensitive(json, "tracker"), "attached_after");
	run->machine_memory_mib = json_double(server, "memory_mib");
	run->status = json_string(json, "status");
	if (strcmp(run->status, "running") == 0)
		find_ending(run);
	if (strcmp(run->status, "running") == 0)
		find_silence(run);
	find_unheard(run);
	find_end_by_ray(run);
	find_last_row(run);
	distrust_stop(run);
	run->goes_on = run_ended(run) && ending_goes_on(&run->files, json);
}

int run_open(struct run *run, const char *path)
{
	const char *problem = NULL;
	struct files files;

	if (files_open(&files, path) != 0)
		return -1;
	/* Resolve the path, because its last part is used as the run's id, and "." is not an id. */
	char *whole = realpath(path, NULL);
	if (!whole)
		whole = xstrdup(path);
	files.path = whole;
	*run = (struct run){.directory = whole, .files = files, .json = parse_file(&files, &problem)};
	run->problem = problem;
	if (!run->json)
		run->json = cJSON_CreateObject();
	fill(run);
	return 0;
}

void run_close(struct run *run)
{
	files_close(&run->files);
	free(run->claimed_id);
	free(run->claimed_user);
	free(run->directory);
	cJSON_Delete(run->json);
	*run = (struct run){0};
}

const char *run_label(const struct run *run, const char *key)
{
	return json_string(cJSON_GetObjectItemCaseSensitive(run->json, "labels"), key);
}

double run_asked(const struct run *run, const char *what)
{
	double asked = json_double(cJSON_GetObjectItemCaseSensitive(run->json, "requested"), what);
	return asked > 0 ? asked : UNKNOWN;
}

bool run_was_killed_by(const struct run *run, enum killer killer)
{
	return strcmp(json_string(run->json, "killed_by"), spool_killer(killer)) == 0;
}

bool run_met_deadline(const struct run *run)
{
	static const double EARLY_SECONDS = 1; /* the scheduler's times are whole seconds */
	double end = known_first(run_asked(run, "end_time"), run->start_time + run_asked(run, "seconds"));
	bool by_signal =
		strcmp(run->status, "killed") == 0 && *run->limit == '\0' && !run_was_killed_by(run, KILLER_OOM);

	return by_signal && run->stop_time + EARLY_SECONDS >= end;
}

bool run_ended(const struct run *run)
{
	static const char *const ends[] = {"finished", "failed", "killed"};
	for (size_t i = 0; i < ARRAY_LENGTH(ends); i++)
		if (strcmp(run->status, ends[i]) == 0)
			return true;
	return run->is_lost;
}

bool run_is_running(const struct run *run)
{
	return strcmp(run->status, "running") == 0;
}

bool run_is_lost(const struct run *run)
{
	return run->is_lost;
}

/* Returns whether a word contains a character that a terminal must not receive unescaped. */
static bool is_obeyed(struct text word)
{
	for (size_t at = 0; at < word.length;) {
		struct utf8_shown shown = utf8_show(word, at, false);
		if (shown.code == 0)
			return true;
		at += shown.length;
	}
	return false;
}

/* Writes a word as $'…', so that it stays on one line and can be copied to a shell. bash, zsh, ksh and POSIX 2024
 * accept this form. */
static void write_obeyed_word(FILE *out, struct text word)
{
	fputs("$'", out);
	for (size_t at = 0; at < word.length;) {
		struct utf8_shown shown = utf8_show(word, at, false);
		if (shown.code == '\'' || shown.code == '\\')
			fputc('\\', out);
		fputs(shown.text, out);
		at += shown.length;
	}
	fputc('\'', out);
}

static void write_word(FILE *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";

	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, out);
		return;
	}
	if (is_obeyed(text_of(word))) {
		write_obeyed_word(out, text_of(word));
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

char *run_command_line(const struct run *run)
{
	const cJSON *words = cJSON_GetObjectItemCaseSensitive(run->json, "command");
	const cJSON *word;
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	cJSON_ArrayForEach(word, words)
	{
		if (!cJSON_IsString(word))
			continue;
		if (ftell(out) > 0)
			fputc(' ', out);
		write_word(out, word->valuestring);
	}
	xclose_memstream(out);
	return text;
}

/* Writes a separator, unless this is the first part. */
static FILE *next_part(FILE *out)
{
	if (ftell(out) > 0)
		fputs(", ", out);
	return out;
}

char *run_labels_line(const struct run *run)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(run->json, "member");
	const char *group = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(run->json, "group"));
	double rank = json_double(member, "rank"), of = json_double(member, "of");
	const cJSON *label;
	char *text = NULL;
	size_t length;
	FILE *out = xopen_memstream(&text, &length);

	if (group)
		fprintf(next_part(out), "group %s", group);
	if (number_known(rank))
		fprintf(next_part(out), "rank %.0f", rank);
	if (number_known(rank) && number_known(of))
		fprintf(out, " of %.0f", of);
	cJSON_ArrayForEach(label, labels)
	{
		if (label->string && cJSON_IsString(label))
			fprintf(next_part(out), "%s=%s", label->string, label->valuestring);
	}
	xclose_memstream(out);
	return text;
}

/* Returns whether the run's `labels` include the KEY=VALUE in `line`, where VALUE may be a glob. */
static bool has_label(const cJSON *labels, const char *line, size_t length)
{
	const cJSON *label;

	cJSON_ArrayForEach(label, labels)
	{
		const char *value = cJSON_GetStringValue(label);
		size_t key = strlen(label->string);
		if (!value || length <= key || strncmp(line, label->string, key) != 0 || line[key] != '=')
			continue;
		struct text wanted = {line + key + 1, length - key - 1};
		if (text_is(wanted, value) || pattern_match(wanted, text_of(value)))
			return true;
	}
	return false;
}

bool run_has_labels(const struct run *run, const char *lines)
{
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run->json, "labels");

	for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		if (!has_label(labels, lines, length))
			return false;
	}
	return true;
}
