/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the runs of a spool and selects one. */
#define _GNU_SOURCE
#include "report/spool/runs.h"

#include "core/columns.h"
#include "os/file.h"
#include "os/defaults.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/exit.h"
#include "report/say/message.h"
#include "report/say/nearest.h"
#include "report/say/utf8.h"
#include "report/spool/job_key.h"
#include "report/spool/unit.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS_LENGTH = sizeof "-xxxx" - 1 };

char *runs_spool(const char *chosen)
{
	char path[SPOOL_PATH_MAX], file[DEFAULTS_TEXT_MAX];
	struct buffer out = BUFFER(path);
	struct settings settings;

	settings_read(&settings, environ);
	(void)defaults_read(&settings, environ, file);
	if (!chosen || !*chosen)
		chosen = settings.text[SETTING_ID_SPOOL];
	spool_directory(&out, chosen, environ, getuid());
	return xstrdup(buffer_terminate(&out));
}

/* -- --spool ----------------------------------------------------------------------------------------- */

static void add_spool(struct spools *spools, const char *name)
{
	array_grow(&spools->items, spools->count, sizeof *spools->items);
	spools->items[spools->count++] = xstrdup(name);
}

/* Adds the matches of a name, which may be a glob. Adds the name itself if there are none, so that it is later reported
 * as unreadable. */
static void add_matches(struct spools *spools, const char *name)
{
	glob_t found;

	if (access(name, F_OK) == 0 || glob(name, GLOB_NOCHECK, NULL, &found) != 0) {
		add_spool(spools, name);
		return;
	}
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_spool(spools, found.gl_pathv[i]);
	globfree(&found);
}

void spools_find(struct spools *spools, const char *const *names, size_t count, const char *only)
{
	*spools = (struct spools){0};
	for (size_t i = 0; i < count; i++)
		add_matches(spools, *names[i] ? names[i] : only);
	if (count == 0)
		add_spool(spools, only);
}

void spools_free(struct spools *spools)
{
	for (size_t i = 0; i < spools->count; i++)
		free(spools->items[i]);
	free(spools->items);
	*spools = (struct spools){0};
}

/* -- listing --------------------------------------------------------------------------------------- */

static bool is_id(const char *name)
{
	return strlen(name) > RUNS_STAMP_LENGTH && name[RUNS_STAMP_LENGTH - 1] == 'Z' &&
	       name[RUNS_STAMP_LENGTH] == '-' && strspn(name, "0123456789T") == RUNS_STAMP_LENGTH - 1;
}

static int newest_first(const void *a, const void *b)
{
	return -strcmp(*(char *const *)a, *(char *const *)b);
}

/* A run's name, stored after a pointer to the path of its spool. A pointer to the name is thus sufficient to find the
 * spool. */
struct entry {
	const char *spool;
	char name[];
};

static struct entry *entry_of(const char *name)
{
	return (struct entry *)(void *)((uintptr_t)name - offsetof(struct entry, name));
}

const char *runs_spool_of(const struct runs *runs, const char *name)
{
	return runs->several ? entry_of(name)->spool : runs->spool;
}

static void add_name(struct runs *runs, const char *spool, const char *name)
{
	size_t length = strlen(name) + 1;
	struct entry *entry = xmalloc(sizeof *entry + length);

	array_grow(&runs->names, runs->count, sizeof *runs->names);
	entry->spool = spool;
	memcpy(entry->name, name, length);
	runs->names[runs->count++] = entry->name;
}

char *runs_copy_path(const char *directory)
{
	size_t length = strlen(directory);

	while (length > 1 && directory[length - 1] == '/')
		length--;
	return xstrndup(directory, length);
}

/* Adds the names of all runs in a spool. Returns 0, or -1 with errno. */
static int add_names(struct runs *runs, const char *spool)
{
	DIR *directory = opendir(spool);
	struct dirent *entry;

	if (!directory)
		return -1;
	while ((entry = readdir(directory)))
		if (is_id(entry->d_name))
			add_name(runs, spool, entry->d_name);
	closedir(directory);
	return 0;
}

int runs_list(struct runs *runs, const char *spool)
{
	*runs = (struct runs){.spool = runs_copy_path(spool)};
	if (add_names(runs, runs->spool) != 0) {
		int error = errno;
		runs_free(runs);
		errno = error;
		return -1;
	}
	array_sort(runs->names, runs->count,
		newest_first); // NOLINT(clang-analyzer-unix.Malloc): an entry is freed by its name
	return 0;
}

int runs_list_of(struct runs *runs, const struct run *run)
{
	const char *name = text_basename(text_of(run->directory)).data;
	char *spool = xstrndup(run->directory, (size_t)(name - run->directory));
	int result = runs_list(runs, spool);

	free(spool);
	return result;
}

int runs_list_several(struct runs *runs, const struct spools *spools)
{
	size_t read = 0;
	int error = 0;

	if (spools->count == 1)
		return runs_list(runs, spools->items[0]);
	*runs = (struct runs){.spool = runs_copy_path(spools->items[0]),
		.several = true,
		.spools = xcalloc(spools->count, sizeof *runs->spools)};
	for (size_t i = 0; i < spools->count; i++) {
		char *spool = runs_copy_path(spools->items[i]);
		runs->spools[runs->spool_count++] = spool;
		if (add_names(runs, spool) == 0) {
			read++;
		} else {
			error = errno;
			runs_count_unlisted(spool, error);
		}
	}
	if (read == 0) {
		runs_free(runs);
		errno = error;
		return -1;
	}
	array_sort(runs->names, runs->count,
		newest_first); // NOLINT(clang-analyzer-unix.Malloc): an entry is freed by its name
	return 0;
}

void runs_free(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		free(entry_of(runs->names[i]));
	for (size_t i = 0; i < runs->spool_count; i++)
		free(runs->spools[i]);
	free(runs->names);
	free(runs->spools);
	free(runs->spool);
	*runs = (struct runs){0};
}

/* Returns the path of a run. The caller must free it. */
static char *path_of(const struct runs *runs, const char *name)
{
	return xasprintf("%s/%s", runs_spool_of(runs, name), name);
}

int runs_open(struct run *run, const struct runs *runs, const char *name)
{
	char *path = path_of(runs, name);
	int result = run_open(run, path);
	free(path);
	return result;
}

/* -- runs of the same second ----------------------------------------------------------------------- */

struct start {
	char *name;
	double time;
};

static int latest_first(const void *a, const void *b)
{
	const struct start *x = a;
	const struct start *y = b;
	return x->time != y->time ? ORDER(y->time, x->time) : strcmp(y->name, x->name);
}

/* Returns start_time from run.json, or 0 if unknown. Prints no message on failure, because the value is only used for
 * sorting. */
static double read_start(const struct runs *runs, const char *name)
{
	char text[1 << 16]; /* large enough for run.json; the command line may take half of it */
	char *path = path_of(runs, name);
	struct files files;
	double time = 0;

	int file = files_open(&files, path) == 0 ? files_get(&files, SPOOL_RUN_FILE) : -1;
	ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
	if (file >= 0)
		close(file);
	files_close(&files);
	free(path);
	text[length > 0 ? length : 0] = '\0';
	const char *key = strstr(text, "\"start_time\":");
	return key && sscanf(key, "\"start_time\":%lf", &time) == 1 ? time : 0;
}

/* Sorts the runs that began in the same second as the run at runs->next, by start_time. */
static void order_group(struct runs *runs)
{
	size_t end = runs->next + 1;
	while (end < runs->count && strncmp(runs->names[end], runs->names[runs->next], RUNS_STAMP_LENGTH) == 0)
		end++;
	size_t count = end - runs->next;
	runs->ordered = end;
	if (count == 1)
		return;
	struct start *starts = xcalloc(count, sizeof *starts);
	for (size_t i = 0; i < count; i++) {
		char *name = runs->names[runs->next + i];
		starts[i] = (struct start){name, read_start(runs, name)};
	}
	array_sort(starts, count, latest_first);
	for (size_t i = 0; i < count; i++)
		runs->names[runs->next + i] = starts[i].name;
	free(starts);
}

const char *runs_next_name(struct runs *runs)
{
	if (runs->next >= runs->count)
		return NULL;
	if (runs->next >= runs->ordered)
		order_group(runs);
	return runs->names[runs->next++];
}

static void say_unopened(const struct runs *runs, const char *name, int error)
{
	char *path = path_of(runs, name);

	message_cannot_read(path, error);
	free(path);
}

/* Runs and spools that could not be read. */
static struct unread {
	size_t count;
	char *first; /* path of the first run or spool that could not be read; owned */
	int error;
} unread;

void runs_count_unlisted(const char *path, int error)
{
	if (unread.count++ > 0)
		return;
	unread.first = xstrdup(path);
	unread.error = error;
}

void runs_count_unread(const struct runs *runs, const char *name, int error)
{
	if (error == ENOENT || error == ENOTDIR)
		return;
	char *path = path_of(runs, name);
	runs_count_unlisted(path, error);
	free(path);
}

void runs_say_all_unread(void)
{
	if (unread.count == 1)
		message_cannot_read(unread.first, unread.error);
	else if (unread.count > 1)
		message_print("%zu runs or spools cannot be read, the first of them '%s': %s", unread.count,
			unread.first, strerror(unread.error));
	free(unread.first);
	unread = (struct unread){0};
}

bool runs_next(struct runs *runs, struct run *run)
{
	const char *name;
	while ((name = runs_next_name(runs))) {
		if (runs_open(run, runs, name) == 0)
			return true;
		runs_count_unread(runs, name, errno);
	}
	return false;
}

/* -- selection ------------------------------------------------------------------------------------- */

/* Returns the last digits of a name, including the '-' before them. */
static const char *last_digits(const char *name)
{
	size_t length = strlen(name);
	return name + (length > RUNS_STAMP_LENGTH + DIGITS_LENGTH ? length - DIGITS_LENGTH : length);
}

static bool same_second(const char *a, const char *b)
{
	return strncmp(a, b, RUNS_STAMP_LENGTH) == 0;
}

void runs_short_id(const struct runs *runs, size_t position, char id[RUNS_SHORT_ID_SIZE])
{
	char *const *names = runs->names;
	const char *name = names[position];
	bool alone = !(position > 0 && same_second(names[position - 1], name)) &&
		     !(position + 1 < runs->count && same_second(names[position + 1], name));
	snprintf(id, RUNS_SHORT_ID_SIZE, "%.*s%s", RUNS_STAMP_LENGTH, name, alone ? "" : last_digits(name));
}

static bool is_meant(const char *name, const char *selector)
{
	size_t length = strlen(selector);
	if (strncmp(name, selector, length) == 0)
		return true;
	return length == RUNS_STAMP_LENGTH + DIGITS_LENGTH && same_second(name, selector) &&
	       strcmp(last_digits(name), selector + RUNS_STAMP_LENGTH) == 0;
}

/* Opens the run whose id or short id is `prefix`, or whose id begins with `prefix`. On failure, returns -1 and stores
 * the number of matching runs in *matches. If it is 1, the run could not be opened, and a message was printed. */
static int open_prefix(struct run *run, const struct runs *runs, const char *prefix, size_t *matches)
{
	const char *found = NULL;
	*matches = 0;
	for (size_t i = 0; i < runs->count; i++) {
		if (strcmp(runs->names[i], prefix) == 0) {
			found = runs->names[i];
			*matches = 1;
			break;
		}
		if (is_meant(runs->names[i], prefix)) {
			found = runs->names[i];
			++*matches;
		}
	}
	if (*matches != 1)
		return -1;
	if (runs_open(run, runs, found) == 0)
		return 0;
	say_unopened(runs, found, errno);
	return -1;
}

/* Prints which job is shown, because several jobs have the same name. */
static void say_which_job(const struct run *shown, const char *shown_key, const char *other_key)
{
	char *title = job_key_title(shown_key), *other = job_key_title(other_key);

	message_print("note: '%s' is the name of several jobs: this is %s, run %s; another is %s", shown->job, title,
		shown->id, other);
	free(title);
	free(other);
}

/* Returns whether the run's job was started in this directory or has its script there. The result is also true for a
 * job that is identified by its name alone. */
static bool is_job_of(const struct run *run, const char *key, const char *directory)
{
	return strcmp(key, run->job) == 0 || job_key_is_in(key, directory) || strcmp(run->cwd, directory) == 0;
}

/* Opens the latest run of a job. If several jobs have this name, prefers the job of the working directory. If that has
 * no such job, opens the job that ran last. */
static int open_job(struct run *run, struct runs *runs, const char *job)
{
	enum { READ_MOST = 1000 }; /* once a run with this name is found, at most this many older runs are read */
	char recorded[SPOOL_PATH_MAX], here[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(recorded);
	const char *latest = NULL;
	char *key = NULL, *other = NULL;
	bool found = false;

	job = utf8_recorded(job, &out);
	if (!getcwd(here, sizeof here))
		*here = '\0';
	for (int before = 0; !found && before < READ_MOST && runs_next(runs, run); before += latest != NULL) {
		char *one = strcmp(run->job, job) == 0 ? job_key(run) : NULL;
		found = one && is_job_of(run, one, here);
		if (one && !latest) {
			latest = runs->names[runs->next - 1];
			key = xstrdup(one);
		} else if (one && !other && strcmp(one, key) != 0) {
			other = xstrdup(one);
		}
		free(one);
		if (!found)
			run_close(run);
	}
	if (!found && latest && runs_open(run, runs, latest) == 0) {
		found = true;
		if (other)
			say_which_job(run, key, other);
	}
	free(key);
	free(other);
	return found ? 0 : -1;
}

/* Opens the latest run of a job whose name without its ending, such as ".py", is `stem`. */
static int open_stem(struct run *run, const struct runs *runs, const char *stem)
{
	enum { READ_MOST = 1000 };
	size_t length = strlen(stem);
	struct runs again = *runs;
	size_t counted = unread.count; /* restored below, because an earlier search has counted the unreadable runs */
	bool found = false;

	again.next = 0;
	for (int i = 0; !found && length > 0 && i < READ_MOST && runs_next(&again, run); i++) {
		found = strncmp(run->job, stem, length) == 0 && run->job[length] == '.' &&
			!strchr(run->job + length + 1, '.');
		if (!found)
			run_close(run);
	}
	unread.count = counted;
	return found ? 0 : -1;
}

/* Opens the earliest run of a unit that is still running. If none is running, opens the latest run. In a Slurm job, the
 * earliest run is the batch script, which runs until the end of the job. */
static int open_unit(struct run *run, const struct runs *runs, const char *unit)
{
	const char *found = NULL;

	for (size_t i = 0; i < runs->count; i++) {
		if (runs_open(run, runs, runs->names[i]) != 0)
			continue;
		if (unit_has(unit, run) && (!found || !run_ended(run)))
			found = runs->names[i];
		run_close(run);
	}
	return found ? runs_open(run, runs, found) : -1;
}

/* Returns whether a directory contains any file of a run. */
static bool is_run(const char *path)
{
	char file[SPOOL_PATH_MAX];

	if (snprintf(file, sizeof file, "%s/%s", path, SPOOL_RUN_FILE) < (int)sizeof file && access(file, F_OK) == 0)
		return true;
	for (int i = 0; i < TABLE_COUNT; i++)
		if (snprintf(file, sizeof file, "%s/%s", path, tables[i].file) < (int)sizeof file &&
			access(file, F_OK) == 0)
			return true;
	return false;
}

/* Prints that there is no such run, and suggests a similar command or job name. */
static void say_none(const struct runs *runs, const char *selector, const char *const *words)
{
	enum { LOOKED_AT = 200 };
	struct nearest nearest = nearest_begin(selector);
	struct runs again = *runs;
	struct run run;

	for (; words && *words; words++)
		nearest_try(&nearest, *words);
	const struct nearest command = nearest;
	again.next = 0;
	size_t counted = unread.count; /* restored below, because unreadable runs were already counted */
	for (int i = 0; i < LOOKED_AT && nearest.distance > 1 && runs_next(&again, &run); i++) {
		nearest_try(&nearest, run.job);
		run_close(&run);
	}
	unread.count = counted;
	if (*command.found && nearest.distance == command.distance)
		message_print("'%s' is neither a command nor a run in '%s'; did you mean '%s'?", selector, runs->spool,
			command.found);
	else if (text_ends(text_of(selector), ".html"))
		message_print("no run '%s' in '%s'; to write a page: rtrack-report html -o %s", selector, runs->spool,
			selector);
	else if (*nearest.found)
		message_print("no run '%s' in '%s'; did you mean '%s'?", selector, runs->spool, nearest.found);
	else
		message_print("no run '%s' in '%s'", selector, runs->spool);
}

/* Returns whether rtrack-run uses this spool by default. */
static bool is_usual(const char *spool)
{
	char *usual = runs_spool(NULL);
	bool same = strcmp(usual, spool) == 0;

	free(usual);
	return same;
}

/* Prints that a spool has no runs yet. Also prints how to create a run, or why none can be created there. */
static void say_empty(const char *spool)
{
	if (os_check_directory(spool, true) == OS_ERROR_NOT_OURS)
		message_print("'%s' is refused, because others own it or may write to it: use a directory of your own "
			      "(--spool, RTRACK_SPOOL)",
			spool);
	else if (access(spool, W_OK) != 0 && errno != ENOENT)
		message_print("'%s' has no run, and none can be written there: %s", spool, strerror(errno));
	else
		message_print("no run in '%s' yet: 'rtrack-run %sCOMMAND' makes one", spool,
			is_usual(spool) ? "" : "--spool DIR ");
}

int runs_say_none_listed(const char *spool, size_t count, const char *otherwise)
{
	bool some_unread = unread.count > 0;

	runs_say_all_unread();
	if (count == 0) {
		say_empty(spool);
		return EXIT_DONE;
	}
	if (otherwise)
		message_print("%s", otherwise);
	else
		message_print("no such run in '%s'%s", spool, some_unread ? " that can be read" : "");
	return EXIT_NO_DATA;
}

void runs_say_unlisted(const char *spool, int error)
{
	if (error == ENOENT)
		say_empty(spool);
	else
		message_cannot_read(spool, error);
}

/* Opens the run at a path that the user gave; the path may be a symbolic link. The directory must contain a file of a
 * run, or its name must be a run's id. */
static int open_path(struct run *run, const char *path)
{
	char *whole = realpath(path, NULL);
	int result = whole ? run_open(run, whole) : -1;

	free(whole);
	if (result != 0)
		return -1;
	if (is_run(path) || is_id(text_basename(text_of(run->directory)).data))
		return 0;
	run_close(run);
	errno = 0;
	return -1;
}

/* Prints why the directory at `path` is not a run. `error` is the errno of opening the directory, or 0. */
static void say_no_run(const char *path, int error)
{
	struct runs runs = {0};

	if (error != 0)
		message_cannot_read(path, error);
	else if (runs_list(&runs, path) == 0 && runs.count > 0)
		message_print("'%s' is a spool with runs, not a run: use --spool '%s'", path, path);
	else
		message_print("'%s' is not a run: it has no file of a run", path);
	runs_free(&runs);
}

/* Opens a run of the spool, or the run at a path. If a selector without a slash is both, the run of the spool takes
 * precedence. */
static int select_in(struct run *run, struct runs *runs, const char *selector, const char *const *words)
{
	size_t matches = 0;

	if (!selector) {
		if (runs_next(runs, run))
			return 0;
		if (unread.count > 0)
			(void)runs_say_none_listed(runs->spool, runs->count, NULL);
		else
			say_empty(runs->spool);
		return -1;
	}
	if (*selector && open_prefix(run, runs, selector, &matches) == 0)
		return 0;
	if (matches == 1)
		return -1;
	bool path = strchr(selector, '/') != NULL;
	if (path && matches == 0 && open_path(run, selector) == 0)
		return 0;
	int error = errno;
	if (unit_is_name(selector) && open_unit(run, runs, selector) == 0)
		return 0;
	if (open_job(run, runs, selector) == 0)
		return 0;
	if (!path && *selector && matches == 0 && is_run(selector) && open_path(run, selector) == 0)
		return 0;
	if (!path && matches == 0 && open_stem(run, runs, selector) == 0)
		return 0;
	if (matches > 1)
		message_print("'%s' is the beginning of %zu runs in '%s': give more of the name", selector, matches,
			runs->spool);
	else if (path)
		say_no_run(selector, error);
	else
		say_none(runs, selector, words);
	return -1;
}

/* Removes the runs that lack one of the labels. */
static void keep_labelled(struct runs *runs, const char *labels)
{
	size_t kept = 0;
	struct run run;

	for (size_t i = 0; i < runs->count; i++) {
		char *name = runs->names[i];
		bool opened = runs_open(&run, runs, name) == 0;
		if (opened && run_has_labels(&run, labels))
			runs->names[kept++] = name;
		else
			free(entry_of(name));
		if (opened)
			run_close(&run);
	}
	runs->count = kept;
}

int runs_select(struct run *run, const struct spools *spools, const char *labels, const char *selector,
	const char *const *words)
{
	struct runs runs;

	if (runs_list_several(&runs, spools) != 0) {
		int error = errno;
		if (selector && *selector && (strchr(selector, '/') || is_run(selector)) &&
			open_path(run, selector) == 0)
			return 0;
		if (selector && strchr(selector, '/'))
			say_no_run(selector, errno);
		else
			runs_say_unlisted(spools->items[0], error);
		return -1;
	}
	size_t count = runs.count;
	if (*labels)
		keep_labelled(&runs, labels);
	int result = -1;
	if (count > 0 && runs.count == 0)
		message_print("no run in '%s' has these labels", runs.spool);
	else
		result = select_in(run, &runs, selector, words);
	runs_free(&runs);
	return result;
}
