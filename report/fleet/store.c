/* A directory of Parquet; see store.h. */
#define _GNU_SOURCE
#include "report/fleet/store.h"

#include "report/say/array.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BATCH_BEGIN "rtrack-"
static const char lock_name[] = "_lock";
static const char list_name[] = "_exported";

/* Calls `visit` with each entry of store/first/second (NULL: none) until one fails. What is not there has none. */
static int for_each(const struct store *store, const char *first, const char *second,
	int (*visit)(struct store *store, const char *directory, const char *name), struct store *context)
{
	char *path;
	struct dirent *entry;
	int result = 0;

	if (asprintf(&path, "%s/%s%s%s", store->path, first, second ? "/" : "", second ? second : "") < 0)
		return -1;
	DIR *directory = opendir(path);
	if (!directory && errno != ENOENT)
		result = -1;
	while (directory && result == 0 && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			result = visit(context, path, entry->d_name);
	if (directory)
		closedir(directory);
	free(path);
	return result;
}

/* -- what is in it --------------------------------------------------------------------------------- */

static int add_run(struct store *store, const char *run)
{
	array_grow(&store->runs, store->run_count, sizeof *store->runs);
	store->runs[store->run_count++] = xstrdup(run);
	return 0;
}

static int read_list(struct store *store, const char *directory, const char *name)
{
	char *path;
	char line[512];
	int result = 0;

	if (strncmp(name, BATCH_BEGIN, sizeof BATCH_BEGIN - 1) != 0)
		return 0;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return -1;
	FILE *file = fopen(path, "re");
	free(path);
	if (!file)
		return -1;
	while (result == 0 && fgets(line, sizeof line, file)) {
		line[strcspn(line, "\n")] = '\0';
		result = add_run(store, line);
	}
	fclose(file);
	return result;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool store_has(const struct store *store, const char *run)
{
	return store->run_count > 0 && bsearch(&run, store->runs, store->run_count, sizeof *store->runs, by_name);
}

/* -- taking a batch in ----------------------------------------------------------------------------- */

static int make_directory(const char *path)
{
	return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : -1;
}

/* Whether the batch of a file counts: it has a list. */
static bool counts(const struct store *store, const char *file)
{
	const char *end = strrchr(file, '_');
	char *list;

	if (strncmp(file, BATCH_BEGIN, sizeof BATCH_BEGIN - 1) != 0 || !end ||
		asprintf(&list, "%s/%s/%.*s", store->path, list_name, (int)(end - file), file) < 0)
		return false;
	bool result = access(list, F_OK) == 0;
	free(list);
	return result;
}

/* Moves STORE_NEW/TABLE/PARTITION/FILE to TABLE/PARTITION/FILE, if it counts; `directory` is STORE_NEW/TABLE/PARTITION.
 */
static int move_file(struct store *store, const char *directory, const char *name)
{
	const char *rest = directory + strlen(store->path) + sizeof "/" STORE_NEW "/" - 1;
	char *from = NULL;
	char *to = NULL;
	int result = -1;

	if (!counts(store, name))
		return 0;
	if (asprintf(&from, "%s/%s", directory, name) >= 0 && asprintf(&to, "%s/%s/%s", store->path, rest, name) >= 0) {
		char *partition_end = strrchr(to, '/');
		char *table_end = to + strlen(store->path) + 1 + strcspn(rest, "/");
		*partition_end = *table_end = '\0';
		result = make_directory(to);
		*table_end = '/';
		if (result == 0)
			result = make_directory(to);
		*partition_end = '/';
		if (result == 0)
			result = rename(from, to);
	}
	free(from);
	free(to);
	return result;
}

static int move_partition(struct store *store, const char *directory, const char *name)
{
	char *within;

	if (asprintf(&within, STORE_NEW "/%s", strrchr(directory, '/') + 1) < 0)
		return -1;
	int result = for_each(store, within, name, move_file, store);
	free(within);
	return result;
}

static int move_table(struct store *store, const char *directory, const char *name)
{
	(void)directory;
	return for_each(store, STORE_NEW, name, move_partition, store);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status, (void)kind, (void)walk;
	return remove(path);
}

/* Removes STORE_NEW. */
static int clear(const struct store *store)
{
	char *path;
	if (asprintf(&path, "%s/" STORE_NEW, store->path) < 0)
		return -1;
	int result = access(path, F_OK) == 0 ? nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) : 0;
	free(path);
	return result;
}

/* Moves what counts of STORE_NEW to where it belongs, and removes the rest. */
static int take_in(struct store *store)
{
	return for_each(store, STORE_NEW, NULL, move_table, store) == 0 ? clear(store) : -1;
}

/* -- all ------------------------------------------------------------------------------------------- */

static int lock(struct store *store)
{
	char *path;
	if (asprintf(&path, "%s/%s", store->path, lock_name) < 0)
		return -1;
	/* The engine is to hold it as well, so no O_CLOEXEC: when an export is killed, its engine goes on writing. */
	store->lock = open(path, O_RDWR | O_CREAT, 0666);
	free(path);
	return store->lock < 0 ? -1 : flock(store->lock, LOCK_EX);
}

int store_open(struct store *store, const char *path)
{
	struct store opened = {.lock = -1};
	struct timespec now;

	if (make_directory(path) != 0)
		return -1;
	opened.path = realpath(path, NULL);
	int result = opened.path ? lock(&opened) : -1;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(opened.batch, sizeof opened.batch, BATCH_BEGIN "%lld%03ld-%d", (long long)now.tv_sec,
		now.tv_nsec / 1000000, (int)getpid());
	if (result == 0)
		result = for_each(&opened, list_name, NULL, read_list, &opened);
	if (result == 0)
		result = take_in(&opened);
	if (result != 0) {
		int error = errno;
		store_close(&opened);
		errno = error;
		return -1;
	}
	if (opened.run_count > 0)
		qsort(opened.runs, opened.run_count, sizeof *opened.runs, by_name);
	*store = opened;
	return 0;
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

int store_begin(const struct store *store)
{
	char *path;
	if (asprintf(&path, "%s/" STORE_NEW, store->path) < 0)
		return -1;
	int result = mkdir(path, 0777);
	free(path);
	return result;
}

void store_drop(const struct store *store)
{
	(void)clear(store);
}

/* Writes the list of the batch; from then on it counts. */
static int write_list(const struct store *store, char *const *runs, size_t count)
{
	char *directory = NULL, *path = NULL, *whole = NULL;
	int result = -1;

	if (asprintf(&directory, "%s/%s", store->path, list_name) >= 0 &&
		asprintf(&path, "%s/.%s", directory, store->batch) >= 0 &&
		asprintf(&whole, "%s/%s", directory, store->batch) >= 0 && make_directory(directory) == 0) {
		FILE *file = fopen(path, "we");
		for (size_t i = 0; file && i < count; i++)
			fprintf(file, "%s\n", runs[i]);
		bool written = file && !ferror(file);
		if (file && fclose(file) == 0 && written)
			result = rename(path, whole);
	}
	free(directory);
	free(path);
	free(whole);
	return result;
}

int store_commit(const struct store *store, char *const *runs, size_t count)
{
	struct store moving = *store;

	return write_list(store, runs, count) == 0 ? take_in(&moving) : -1;
}
