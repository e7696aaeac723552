/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/store.h"

#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BATCH_PREFIX "rtrack-"
#define LISTS "_exported"

static const size_t LIST_MAX = (size_t)1 << 30;

/* -- taking a batch in ----------------------------------------------------------------------------- */

static const char *walked; /* path of the store, used by the callbacks of nftw */

/* Moves STORE_NEW/TABLE/PARTITION/FILE to TABLE/PARTITION/FILE. */
static int move_file(const char *path)
{
	char *to = xasprintf("%s/%s", walked, path + strlen(walked) + sizeof "/" STORE_NEW "/" - 1);
	char *partition_end = strrchr(to, '/');
	int result;

	*partition_end = '\0';
	char *table_end = strrchr(to, '/');
	*table_end = '\0';
	result = file_make_directory(to, 0777);
	*table_end = '/';
	if (result == 0)
		result = file_make_directory(to, 0777);
	*partition_end = '/';
	if (result == 0)
		result = rename(path, to);
	free(to);
	return result;
}

/* Returns whether the batch of a file has been committed. The list of a committed batch is in LISTS. */
static bool counts(const char *file)
{
	const char *end = strrchr(file, '_');

	if (!end || strncmp(file, BATCH_PREFIX, sizeof BATCH_PREFIX - 1) != 0)
		return false;
	char *list = xasprintf("%s/" LISTS "/%.*s", walked, (int)(end - file), file);
	bool result = access(list, F_OK) == 0;
	free(list);
	return result;
}

static int take_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status, (void)kind;
	return walk->level == 3 && counts(path + walk->base) ? move_file(path) : remove(path);
}

/* Moves the files of committed batches from STORE_NEW to their tables, and removes all other files. */
static int take_in(const struct store *store)
{
	char *path = xasprintf("%s/" STORE_NEW, store->path);

	walked = store->path;
	int result = access(path, F_OK) == 0 ? nftw(path, take_entry, 16, FTW_DEPTH | FTW_PHYS) : 0;
	free(path);
	return result;
}

/* -- opening --------------------------------------------------------------------------------------- */

static int read_list(struct store *store, const char *name)
{
	char *path = xasprintf("%s/" LISTS "/%s", store->path, name), *content = file_read(path, LIST_MAX, NULL);
	char *rest = content;

	free(path);
	if (!content)
		return -1;
	for (char *run; (run = strsep(&rest, "\n"));) {
		if (!*run)
			continue;
		array_grow(&store->runs, store->run_count, sizeof *store->runs);
		store->runs[store->run_count++] = xstrdup(run);
	}
	free(content);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_lists(struct store *store)
{
	char *path = xasprintf("%s/" LISTS, store->path);
	DIR *lists = opendir(path);
	const struct dirent *entry;
	int result = lists || errno == ENOENT ? 0 : -1;

	free(path);
	while (lists && result == 0 && (entry = readdir(lists)))
		if (strncmp(entry->d_name, BATCH_PREFIX, sizeof BATCH_PREFIX - 1) == 0)
			result = read_list(store, entry->d_name);
	if (lists)
		closedir(lists);
	array_sort(store->runs, store->run_count, by_name);
	return result;
}

static int lock(struct store *store)
{
	char *path = xasprintf("%s/_lock", store->path);
	/* The file is opened without O_CLOEXEC, so that the engine inherits the lock. If the export is killed, the
	 * engine continues to write, and the lock must remain. */
	store->lock = open(path, O_RDWR | O_CREAT, 0666);
	free(path);
	return store->lock < 0 ? -1 : flock(store->lock, LOCK_EX);
}

int store_open(struct store *store, const char *path)
{
	struct timespec now;

	*store = (struct store){.lock = -1};
	if (file_make_directory(path, 0777) != 0 || !(store->path = realpath(path, NULL)))
		return -1;
	if (lock(store) == 0) {
		clock_gettime(CLOCK_REALTIME, &now);
		(void)snprintf(store->batch, sizeof store->batch, BATCH_PREFIX "%lld%03ld-%d", (long long)now.tv_sec,
			now.tv_nsec / 1000000, (int)getpid());
		if (read_lists(store) == 0 && take_in(store) == 0)
			return 0;
	}
	int error = errno;
	store_close(store);
	errno = error;
	return -1;
}

void store_close(struct store *store)
{
	for (size_t i = 0; i < store->run_count; i++)
		free(store->runs[i]);
	free(store->runs);
	free(store->path);
	if (store->lock >= 0)
		close(store->lock);
	*store = (struct store){.lock = -1};
}

char *store_key(const char *name, uid_t owner)
{
	return owner == geteuid() ? xstrdup(name) : xasprintf("%s %ju", name, (uintmax_t)owner);
}

bool store_has(const struct store *store, const char *name, uid_t owner)
{
	char *key = store_key(name, owner);
	bool found = store->run_count > 0 && bsearch(&key, store->runs, store->run_count, sizeof *store->runs, by_name);

	free(key);
	return found;
}

/* -- adding a batch -------------------------------------------------------------------------------- */

int store_begin(const struct store *store)
{
	char *path = xasprintf("%s/" STORE_NEW, store->path);
	int result = mkdir(path, 0777);

	free(path);
	return result;
}

void store_drop(const struct store *store)
{
	(void)take_in(store);
}

int store_commit(const struct store *store, char *const *keys, size_t count)
{
	char *directory = xasprintf("%s/" LISTS, store->path), *path = xasprintf("%s/%s", directory, store->batch);
	/* The name begins with a dot, so that a leftover file is not read as a list. */
	char *fresh = xasprintf("%s/.%s", directory, store->batch);
	FILE *file = file_make_directory(directory, 0777) == 0 ? fopen(fresh, "we") : NULL;

	for (size_t i = 0; file && i < count; i++)
		fprintf(file, "%s\n", keys[i]);
	bool written = file && !ferror(file);
	written = file && fclose(file) == 0 && written;
	int result = written ? rename(fresh, path) : -1;
	free(directory);
	free(path);
	free(fresh);
	return result == 0 ? take_in(store) : -1;
}
