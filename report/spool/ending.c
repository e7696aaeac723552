/* SPDX-License-Identifier: Apache-2.0 */
/* Determines how a run ended if the run did not record its end. */
#define _GNU_SOURCE
#include "report/spool/ending.h"

#include "core/figures.h"
#include "core/spool.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/last_word.h"
#include "os/process.h"
#include "os/self.h"
#include "report/spool/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_NS = 1000000000, AGAIN_NS = 1000000 };

static struct process_id id_of(struct reader *reader, int pid, int start)
{
	return process_id_of(reader_number(reader, pid), reader_number(reader, start));
}

struct root {
	double pid;
	struct process_id id;
};

/* Takes the first row with the root's pid, because later rows may belong to another process with the same pid. */
static int take_root(void *context, struct reader *reader)
{
	struct root *root = context;

	if (reader_number(reader, START_pid) == root->pid)
		root->id = id_of(reader, START_pid, START_start_ticks);
	return root->id.pid > 0;
}

/* Returns the identity of the root. run.json lacks the root's start if /proc belonged to another PID namespace when the
 * run began. In that case, the start is read from start.csv. */
static struct process_id root_of(const struct files *files, const cJSON *json)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(json, "tracker");
	double pid = json_double(json, "pid");
	struct root root = {pid, process_id_of(pid, json_double(tracker, "start_ticks"))};

	if (root.id.pid <= 0)
		(void)reader_find(files, TABLE_start, take_root, &root);
	return root.id;
}

/* Determines whether the run was on this machine. The host name is not enough, because two machines may have the same
 * one, and a container may have its own. */
static enum last_place find_place(const struct files *files, const cJSON *json)
{
	char host[256] = "";
	double booted = (double)(os_now_ns() - os_since_boot_ns()) / 1e9;
	enum last_place place = last_find_place(files->directory, root_of(files, json));

	if (json_double(json, "start_time") < booted)
		return LAST_UNKNOWN;
	if (place != LAST_HERE && place != LAST_HERE_OR_BEFORE)
		return place;
	return os_host_name(host, sizeof host) == 0 && strcmp(host, json_string(json, "host")) == 0 ? LAST_HERE
												    : LAST_UNKNOWN;
}

/* Takes the run's lock. Returns its descriptor, or -1 if a sampler holds the lock. Tries several times, because other
 * reports also hold the lock for an instant, and a finished run would then seem to be running. */
static int hold_lock(const struct files *files)
{
	int file = files_get(files, SPOOL_LOCK_FILE);
	int64_t until_ns = os_since_boot_ns() + PATIENCE_NS;

	while (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
		if (errno != EWOULDBLOCK || os_since_boot_ns() > until_ns) {
			close(file);
			return -1;
		}
		os_sleep(AGAIN_NS);
	}
	return file;
}

bool ending_is_launched(const cJSON *json)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(json, "tracker");
	return strcmp(json_string(tracker, "mode"), "launcher") == 0;
}

/* What start.csv and exit.csv record about the root, which is the first process of the run. */
struct rows {
	struct process_id root;
	char path[4096]; /* path of the root's last program, or "" */
	bool speaks;     /* the root's last program wrote a start row */
	int begun;       /* number of programs that the root executed and that wrote a start row */
	/* number of execs that the root announced; a program that has loaded the library announces each exec */
	int gone;
	double gone_time;
	bool early; /* the root wrote its exit row itself, but continued to run */
	bool found;
	bool exact;
	double exit_code;
	double exit_signal;
};

/* A process writes a start row for each program that it executes. Only the last of these rows is used. A row contains
 * the peak of an earlier program only if the process wrote the row itself. */
static int take_start(void *context, struct reader *reader)
{
	struct rows *rows = context;
	struct text exe = reader_text(reader, START_exe);

	if (!process_is(id_of(reader, START_pid, START_start_ticks), rows->root))
		return 0;
	rows->speaks = number_known(reader_number(reader, START_earlier_peak_mib));
	if (exe.length == 0 || exe.length >= sizeof rows->path)
		return 0;
	rows->begun += rows->speaks;
	memcpy(rows->path, exe.data, exe.length);
	rows->path[exe.length] = '\0';
	return 0;
}

static int take_exit(void *context, struct reader *reader)
{
	struct rows *rows = context;

	if (!process_is(id_of(reader, EXIT_pid, EXIT_start_ticks), rows->root))
		return 0;
	if (reader_is_of_image(reader)) {
		rows->gone++;
		rows->gone_time = reader_number(reader, EXIT_timestamp);
		return 0;
	}
	rows->found = true;
	rows->exact = reader_number(reader, EXIT_exact) == 1;
	rows->early = reader_number(reader, EXIT_exact) == 0 && text_is(reader_text(reader, EXIT_source), "self");
	rows->exit_code = reader_number(reader, EXIT_exit_code);
	rows->exit_signal = reader_number(reader, EXIT_exit_signal);
	return 0;
}

static struct rows read_rows(const struct files *files, const cJSON *json)
{
	struct rows rows = {.root = root_of(files, json), .exit_code = UNKNOWN, .exit_signal = UNKNOWN};

	(void)reader_find(files, TABLE_start, take_start, &rows);
	(void)reader_find(files, TABLE_exit, take_exit, &rows);
	return rows;
}

/* Stops at the first process in start.csv that is still alive. */
static int find_living(void *unused, struct reader *reader)
{
	struct process_id id = id_of(reader, START_pid, START_start_ticks);
	int status;
	(void)unused;
	return id.pid > 0 && !last_has_ended(id, &status);
}

/* Copies a line of run.json. If `ending` has a new value for the line's key, writes that value instead. */
static void write_line(FILE *out, const char *line, const struct ending *ending)
{
	const char *end = line[strlen(line) - 1] == ',' ? "," : "";
	if (strncmp(line, "  \"stop_time\":", 14) == 0 && number_known(ending->stop_time))
		fprintf(out, "  \"stop_time\": %.3f%s\n", ending->stop_time, end);
	else if (strncmp(line, "  \"status\":", 11) == 0)
		fprintf(out, "  \"status\": \"%s\"%s\n", ending->status, end);
	else if (strncmp(line, "  \"exit_code\":", 14) == 0 && number_known(ending->exit_code))
		fprintf(out, "  \"exit_code\": %.0f%s\n", ending->exit_code, end);
	else if (strncmp(line, "  \"exit_signal\":", 16) == 0 && number_known(ending->exit_signal))
		fprintf(out, "  \"exit_signal\": %.0f%s\n", ending->exit_signal, end);
	else if (strncmp(line, "  \"killed_by\":", 14) == 0 && ending->killer)
		fprintf(out, "  \"killed_by\": \"%s\"%s\n", spool_killer(ending->killer), end);
	else if (strncmp(line, "    \"truncated\":", 16) == 0 && ending->lacks_rows)
		fprintf(out, "    \"truncated\": 2%s\n", end);
	else
		fprintf(out, "%s\n", line);
}

static int write_json(const struct files *files, const struct ending *ending)
{
	int directory = files->directory, old = files_get(files, SPOOL_RUN_FILE);
	FILE *in = old < 0 ? NULL : fdopen(old, "r");
	(void)unlinkat(directory, SPOOL_RUN_FILE_NEW, 0);
	int new = in ? openat(directory, SPOOL_RUN_FILE_NEW, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
	FILE *out = new < 0 ? NULL : fdopen(new, "w");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	while (out && (length = getline(&line, &size, in)) > 0) {
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		write_line(out, line, ending);
	}
	free(line);
	bool failed = !out || ferror(in) || ferror(out);
	if (in)
		fclose(in);
	if (out)
		failed |= fclose(out) != 0;
	failed = failed || renameat(directory, SPOOL_RUN_FILE_NEW, directory, SPOOL_RUN_FILE) != 0;
	if (failed)
		(void)unlinkat(directory, SPOOL_RUN_FILE_NEW, 0);
	return failed ? -1 : 0;
}

/* Records the end of the run in its directory. The caller must hold the run's lock. */
static void complete(const struct ending *ending, const struct files *files, const cJSON *json, enum last_place place)
{
	double silent = (double)os_now_ns() / 1e9 - ending->stop_time;

	if (files->owner != geteuid() || !(silent > 2 * json_double(json, "interval")) ||
		(place == LAST_HERE && reader_find(files, TABLE_start, find_living, NULL) > 0))
		return;
	if (write_json(files, ending) != 0)
		return;
	unrecorded_remove(files);
	(void)unlinkat(files->directory, SPOOL_STATE_FILE, 0);
	if (!ending->last_tells)
		(void)unlinkat(files->directory, SPOOL_LAST_FILE, 0);
	(void)unlinkat(files->directory, SPOOL_LOCK_FILE, 0);
}

/* Appends the rows that the root prepared before it ended: its exit row if the root has not written one, and the next
 * row of process.csv. */
static void append_last(const struct last *last, const struct rows *rows, const struct files *files, int status)
{
	if (files->owner != geteuid())
		return;
	if (!rows->found || rows->early)
		last_append_exit(last, files->directory, status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1,
			status >= 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0, UNKNOWN);
	last_append_process(last, files->directory);
}

/* -- the root's last program ------------------------------------------------------------------------- */

/* Returns whether the root announced an exec and no program has loaded the library in the root since then. */
static bool is_gone(const struct rows *rows)
{
	return rows->gone > 0 && rows->gone >= rows->begun;
}

/* Returns whether the exec that the root announced has failed. A successful exec ends the sampler thread. Therefore, a
 * file that this thread wrote more than a second after the announcement shows that the exec failed. */
static bool has_stayed(const struct rows *rows, const struct files *files)
{
	enum { EXEC_SECONDS = 1 };
	struct last last;

	return is_gone(rows) && last_read(&last, files->directory, rows->root) &&
	       last.time > rows->gone_time + EXEC_SECONDS;
}

/* Returns whether the root executed a program without the library, or could not record its end (preload/linux/execs.c,
 * sampler/run/end.c). */
static bool has_parted(const struct files *files)
{
	struct stat status;
	return files_status(files, SPOOL_PARTED_FILE, &status) == 0 || unrecorded_is(files);
}

/* Returns whether the run's files cannot be written. In this case the root may have ended normally without a record.
 * After an error, ext4 refuses all writes, although its mount is not marked read-only. Therefore the owner of the run
 * tries to create a file. */
static bool is_read_only(const struct files *files)
{
	struct statvfs system;
	struct stat status;

	if (files->owner != geteuid())
		return (fstatvfs(files->directory, &system) == 0 && (system.f_flag & ST_RDONLY)) ||
		       (fstat(files->directory, &status) == 0 && !(status.st_mode & S_IWUSR));
	int file = openat(files->directory, SPOOL_RUN_FILE_NEW, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return errno == EROFS || errno == EACCES || errno == EPERM || errno == EIO || errno == ESTALE;
	close(file);
	(void)unlinkat(files->directory, SPOOL_RUN_FILE_NEW, 0);
	return false;
}

/* Returns whether the root may have ended without writing a record, although SPOOL_PARTED_FILE does not exist. */
static bool is_unheard(const struct rows *rows, const struct files *files)
{
	return (is_gone(rows) && !has_stayed(rows, files)) || unheard_is(files, rows->path);
}

bool ending_is_unheard(const struct files *files, const cJSON *json)
{
	if (has_parted(files))
		return true;
	const struct rows rows = read_rows(files, json);
	return is_unheard(&rows, files);
}

/* -- how the root ended ------------------------------------------------------------------------------- */

static int add_kills(void *context, struct reader *reader)
{
	*(uint64_t *)context += figures_whole(reader_number(reader, SYSTEM_cgroup_oom_kills), 1);
	return 0;
}

/* Finds who killed the root. The path of the kernel's kill counter is read from the run's files. Therefore, the counter
 * is opened with the rights of the run's owner. */
static enum killer killer_of(const struct files *files, const struct spool_kills *kills)
{
	char path[SPOOL_LAST_SIZE];

	if (files->owner == geteuid())
		return last_killer(kills);
	(void)snprintf(path, sizeof path, "%.*s", (int)kills->file.length, kills->file.data);
	int file = files_get_outside(files, path);
	if (file < 0)
		return KILLER_UNKNOWN;
	(void)snprintf(path, sizeof path, "/dev/fd/%d", file);
	enum killer killer = last_killer_since(path, kills->count);
	close(file);
	return killer;
}

/* Finds who killed both a run and its rtrack-run. The killer is the kernel if the kernel's kill counter has increased
 * since the last row. */
static enum killer killer_since_rows(const struct files *files)
{
	char text[SPOOL_LOCK_MAX + SPOOL_PATH_MAX];
	int64_t length = os_read(files->directory, SPOOL_LOCK_FILE, text, sizeof text);
	struct text lock = {text, length > 0 ? (size_t)length : 0};
	size_t first = text_find(lock, '\n', 0) + 1;
	struct spool_kills kills;

	if (first >= lock.length || !spool_parse_kills((struct text){text + first, lock.length - first}, &kills))
		return KILLER_UNKNOWN;
	(void)reader_find(files, TABLE_system, add_kills, &kills.count);
	return killer_of(files, &kills);
}

/* Stores what is known about the root's end. Returns false if too little is known. */
static bool judge(
	struct ending *ending, const struct files *files, const cJSON *json, enum last_place place, int status)
{
	struct rows rows = read_rows(files, json);
	struct last last;
	bool left = last_read(&last, files->directory, rows.root);

	if (left) {
		append_last(&last, &rows, files, status);
		ending->killer = last_killer_or_limit(&last, killer_of(files, &last.said.kills));
	} else {
		ending->killer = killer_since_rows(files);
	}
	if (rows.found && rows.early && !left)
		return false;
	rows.found &= !rows.early && !(isnan(rows.exit_code) && isnan(rows.exit_signal) && !rows.exact);
	if (!rows.found && status >= 0) {
		rows.exit_signal = WIFSIGNALED(status) ? WTERMSIG(status) : UNKNOWN;
		rows.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : UNKNOWN;
		rows.found = true;
	}
	if (!rows.found && ending_is_launched(json) && !rows.speaks)
		return false;
	ending->exit_code = rows.exit_code;
	ending->exit_signal = rows.exit_signal;
	ending->status = !rows.found || rows.exit_signal > 0 ? "killed" : rows.exit_code > 0 ? "failed" : "finished";
	ending->last_tells = has_stayed(&rows, files);
	bool at_limit = ending->killer == KILLER_CPU_LIMIT &&
			(!rows.found || rows.exit_signal == SIGXCPU || rows.exit_signal == SIGKILL);
	bool unheard = !rows.found && ending->killer != KILLER_OOM && !at_limit &&
		       (has_parted(files) || is_unheard(&rows, files) || is_read_only(files));
	if (unheard)
		ending->status = "unknown";
	/* If the run was in a container that no longer exists, the path of its kill counter may now name another
	 * control group. */
	if (unheard || (!at_limit && (place == LAST_GONE || (rows.found && rows.exit_signal != SIGKILL))))
		ending->killer = KILLER_UNKNOWN;
	return true;
}

bool ending_find(struct ending *ending, const struct files *files, const cJSON *json)
{
	struct process_id root = root_of(files, json);
	enum last_place place = root.pid <= 0 ? LAST_UNKNOWN : find_place(files, json);
	int status = -1, lock = -1;
	bool found = false;

	/* The sampler itself records the end if it is still active. */
	if (place == LAST_GONE || (place == LAST_HERE && last_has_ended(root, &status)))
		lock = hold_lock(files);
	*ending = (struct ending){0};
	if (lock >= 0 && judge(ending, files, json, place, status)) {
		found = true;
		/* If the root was killed before it wrote a row, use the start time. Also use it if the last row seems
		 * older than the start, because file times are coarse. */
		ending->stop_time = known_larger(last_row_time(files->directory), json_double(json, "start_time"));
		ending->lacks_rows = ending_is_launched(json);
		complete(ending, files, json, place);
	}
	if (lock >= 0)
		close(lock);
	return found;
}

bool ending_is_sampled(const struct files *files)
{
	int file = files_get(files, SPOOL_LOCK_FILE);
	bool held = file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (file >= 0)
		close(file);
	return held;
}

bool ending_goes_on(const struct files *files, const cJSON *json)
{
	/* Check for living processes too, because no sampler holds the lock for an instant when one sampler takes over
	 * from another. */
	return ending_is_sampled(files) ||
	       (find_place(files, json) == LAST_HERE && reader_find(files, TABLE_start, find_living, NULL) > 0);
}

double ending_sampled_until(const struct files *files)
{
	struct stat status;
	bool unclosed = files_status(files, SPOOL_LOCK_FILE, &status) == 0;
	return unclosed ? last_time(files->directory, TABLE_process) : UNKNOWN;
}
