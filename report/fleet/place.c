/* Where runs lie; see place.h. */
#define _GNU_SOURCE
#include "report/fleet/place.h"

#include "core/spool.h"
#include "report/spool/runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *place_table_name(size_t table)
{
	return table == PLACE_RUNS ? "runs" : table == PLACE_TOTALS ? "totals" : tables[table].name;
}

const char *place_file_name(size_t table)
{
	return table == PLACE_RUNS ? SPOOL_RUN_FILE : table == PLACE_TOTALS ? SPOOL_SUMMARY_FILE : tables[table].file;
}

static bool is_url(const char *name)
{
	return strstr(name, "://") != NULL;
}

static bool is_there(const char *directory, const char *name)
{
	char *path;
	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	bool there = access(path, F_OK) == 0;
	free(path);
	return there;
}

/* Whether a table's directory has a partition. */
static bool has_partition(const char *directory, const char *table)
{
	char *path;
	bool found = false;
	struct dirent *entry;

	if (asprintf(&path, "%s/%s", directory, table) < 0)
		return false;
	DIR *partitions = opendir(path);
	free(path);
	while (partitions && !found && (entry = readdir(partitions)))
		found = strncmp(entry->d_name, "date=", 5) == 0;
	if (partitions)
		closedir(partitions);
	return found;
}

bool place_has_file(const struct place *place, const char *run, size_t table)
{
	char *directory;
	if (asprintf(&directory, "%s/%s", place->path, run) < 0)
		return false;
	bool there = is_there(directory, place_file_name(table));
	free(directory);
	return there;
}

/* Which tables any of these runs has: mark.csv is made by its first row, and an engine may fail where a pattern matches
 * nothing. */
static void look_into_runs(struct place *place, char *const *names, size_t count)
{
	size_t missing = PLACE_TABLES;

	for (size_t i = 0; i < count && missing > 0; i++)
		for (size_t table = 0; table < PLACE_TABLES; table++) {
			if (place->has[table] || !place_has_file(place, names[i], table))
				continue;
			place->has[table] = true;
			missing--;
		}
}

static int look_into_spool(struct place *place)
{
	struct runs runs;

	if (runs_list(&runs, place->path) != 0)
		return -1;
	look_into_runs(place, runs.names, runs.count);
	runs_free(&runs);
	return 0;
}

static int look_into(struct place *place)
{
	struct stat status;

	if (stat(place->path, &status) != 0)
		return -1;
	if (!S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	if (is_there(place->path, SPOOL_RUN_FILE))
		place->kind = PLACE_RUN;
	else if (is_there(place->path, place_table_name(PLACE_RUNS)))
		place->kind = PLACE_PARQUET;
	else
		return look_into_spool(place);
	for (size_t table = 0; table < PLACE_TABLES; table++)
		place->has[table] = place->kind == PLACE_RUN ? is_there(place->path, place_file_name(table))
							     : has_partition(place->path, place_table_name(table));
	return 0;
}

int place_find(struct place *place, const char *name)
{
	struct place found = {.kind = PLACE_SPOOL};

	if (is_url(name)) {
		found.kind = PLACE_BUCKET;
		found.path = strdup(name);
		for (size_t length = found.path ? strlen(found.path) : 0; length > 0 && found.path[length - 1] == '/';)
			found.path[--length] = '\0';
		memset(found.has, true, sizeof found.has);
	} else {
		found.path = realpath(name, NULL);
	}
	if (!found.path)
		return -1;
	if (found.kind != PLACE_BUCKET && look_into(&found) != 0) {
		int error = errno;
		free(found.path);
		errno = error;
		return -1;
	}
	*place = found;
	return 0;
}

int place_of_runs(struct place *place, const char *spool, char *const *chosen, size_t count)
{
	struct place found = {
		.kind = PLACE_SPOOL, .path = realpath(spool, NULL), .chosen = chosen, .chosen_count = count};

	if (!found.path)
		return -1;
	look_into_runs(&found, chosen, count);
	*place = found;
	return 0;
}

void place_free(struct place *place)
{
	free(place->path);
	*place = (struct place){0};
}
