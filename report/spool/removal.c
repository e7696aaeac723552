/* SPDX-License-Identifier: Apache-2.0 */
/* Removes a run's directory. */
#define _GNU_SOURCE
#include "report/spool/removal.h"

#include "core/columns.h"
#include "os/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* -- contents -------------------------------------------------------------------------------------- */

/* All files that rtrack creates in a run's directory. run.json is removed last, so that an interrupted removal leaves a
 * valid run. */
static const char *const files[] = {
	SPOOL_RUN_FILE_NEW,
	SPOOL_SUMMARY_FILE,
	SPOOL_SUMMARY_FILE_NEW,
	SPOOL_STATE_FILE,
	SPOOL_LAST_FILE,
	SPOOL_GPU_FILE,
	SPOOL_STDOUT_FILE,
	SPOOL_STDERR_FILE,
	SPOOL_OUTPUT_FILE,
	SPOOL_PARTED_FILE,
	SPOOL_LOCK_FILE,
	SPOOL_RUN_FILE,
};

static bool is_table(const char *name)
{
	for (int i = 0; i < TABLE_COUNT; i++)
		if (strcmp(name, tables[i].file) == 0)
			return true;
	return false;
}

static bool is_ours(const char *name)
{
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
		if (strcmp(name, files[i]) == 0)
			return true;
	return is_table(name);
}

struct content {
	size_t count;
	double bytes;
	double newest; /* time of the latest write to any of the files, in seconds since the epoch */
};

/* Examines the files in the directory. Returns 0, or -1 with errno if the directory cannot be read. If it contains
 * other programs' files, returns -1 and sets errno to 0. */
static int look_into(int directory, struct content *content)
{
	int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;
	struct stat status;
	int result = 0;

	*content = (struct content){0};
	if (!entries)
		return -1;
	while (result == 0 && (errno = 0, entry = readdir(entries))) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode) ||
			!is_ours(entry->d_name)) {
			errno = 0;
			result = -1;
			break;
		}
		content->count++;
		content->bytes += (double)status.st_size;
		if ((double)status.st_mtim.tv_sec > content->newest)
			content->newest = (double)status.st_mtim.tv_sec;
	}
	int error = errno;
	closedir(entries);
	errno = error;
	return result == 0 && error != 0 ? -1 : result;
}

/* -- liveness -------------------------------------------------------------------------------------- */

/* Takes the run's lock. Returns its descriptor, or -1 with errno. The errno is ENOENT if there is no lock, and another
 * one if a process holds it. */
static int take_lock(int directory)
{
	int lock = openat(directory, SPOOL_LOCK_FILE, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
		return lock;
	int error = errno;
	if (lock >= 0)
		close(lock);
	errno = error;
	return -1;
}

/* Returns whether the run's root is alive, that is, whether a process with its pid and start time exists. */
static bool root_lives(const struct run *run)
{
	char host[256] = "";
	struct process_reading root;
	double pid = json_double(run->json, "pid");
	double start = json_double(cJSON_GetObjectItemCaseSensitive(run->json, "tracker"), "start_ticks");

	(void)gethostname(host, sizeof host - 1);
	if (!(pid > 0 && pid < 0x1p31) || !number_known(start) || strcmp(host, run->host) != 0)
		return false;
	return process_read((int)pid, false, &root) == 0 && (double)root.id.start == start;
}

static bool is_over(const struct run *run, bool has_lock, double newest)
{
	double quiet = 5 * run->interval > 5 ? 5 * run->interval : 5;
	bool running = strcmp(run->status, "running") == 0 || strcmp(run->status, "interrupted") == 0;

	if (!has_lock && !running)
		return true;
	return (double)time(NULL) - newest > quiet && !(running && root_lives(run));
}

/* -- removing -------------------------------------------------------------------------------------- */

static int remove_file(int directory, const char *name)
{
	return unlinkat(directory, name, 0) == 0 || errno == ENOENT ? 0 : -1;
}

static int remove_all(int spool, const char *name, int directory)
{
	for (int i = 0; i < TABLE_COUNT; i++)
		if (remove_file(directory, tables[i].file) != 0)
			return -1;
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++)
		if (remove_file(directory, files[i]) != 0)
			return -1;
	return unlinkat(spool, name, AT_REMOVEDIR);
}

static enum removal try_directory(
	int spool, const char *name, int directory, const struct run *run, bool only_look, double *bytes)
{
	struct content content;

	if (look_into(directory, &content) != 0)
		return errno == 0 ? REMOVAL_FOREIGN : REMOVAL_FAILED;
	*bytes = content.bytes;
	if (content.count == 0)
		return REMOVAL_FOREIGN;
	int lock = take_lock(directory);
	if (lock < 0 && errno != ENOENT)
		return errno == EWOULDBLOCK ? REMOVAL_LIVE : REMOVAL_FAILED;
	enum removal result = is_over(run, lock >= 0, content.newest) ? REMOVAL_DONE : REMOVAL_LIVE;
	if (result == REMOVAL_DONE && !only_look && remove_all(spool, name, directory) != 0)
		result = REMOVAL_FAILED;
	int error = errno;
	if (lock >= 0)
		close(lock);
	errno = error;
	return result;
}

enum removal removal_try(int spool, const char *name, const struct run *run, bool only_look, double *bytes)
{
	*bytes = 0;
	if (spool_id_pid(text_of(name)) <= 0)
		return REMOVAL_FOREIGN;
	int directory = openat(spool, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory < 0)
		return errno == ENOTDIR || errno == ELOOP ? REMOVAL_FOREIGN : REMOVAL_FAILED;
	enum removal result = try_directory(spool, name, directory, run, only_look, bytes);
	int error = errno;
	close(directory);
	errno = error;
	return result;
}
