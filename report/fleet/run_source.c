/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "report/fleet/run_source.h"

#include "core/spool.h"
#include "report/say/array.h"
#include "report/say/utf8.h"
#include "report/spool/owner.h"
#include "report/spool/runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *view_name(size_t view)
{
	return view == VIEW_RUNS ? "runs" : view == VIEW_TOTALS ? "totals" : tables[view].name;
}

const char *view_file(size_t view)
{
	return view == VIEW_RUNS ? SPOOL_RUN_FILE : view == VIEW_TOTALS ? SPOOL_SUMMARY_FILE : tables[view].file;
}

static bool file_exists(const char *directory, const char *run, const char *name)
{
	char *path = xasprintf("%s/%s/%s", directory, run, name);
	bool exists = access(path, F_OK) == 0;

	free(path);
	return exists;
}

static bool has_partition(const char *directory, const char *table)
{
	char *path = xasprintf("%s/%s", directory, table);
	DIR *partitions = opendir(path);
	const struct dirent *entry;
	bool found = false;

	free(path);
	while (partitions && !found && (entry = readdir(partitions)))
		found = strncmp(entry->d_name, "date=", 5) == 0;
	if (partitions)
		closedir(partitions);
	return found;
}

bool source_has_file(const struct run_source *source, const char *run, size_t view)
{
	return file_exists(source->path, run, view_file(view));
}

/* Sets `has` for each view for which at least one run has a file. Engines may fail if a pattern matches no file, and a
 * table such as mark.csv has no file before its first row. */
static void examine_runs(struct run_source *source, char *const *names, size_t count)
{
	size_t missing = VIEW_COUNT;

	for (size_t i = 0; i < count && missing > 0; i++)
		for (size_t view = 0; view < VIEW_COUNT; view++)
			if (!source->has[view] && source_has_file(source, names[i], view)) {
				source->has[view] = true;
				missing--;
			}
}

static int by_user(const void *a, const void *b)
{
	const struct run_owner *x = a, *y = b;
	int order = strcmp(x->user ? x->user : "", y->user ? y->user : "");

	return order != 0 ? order : strcmp(x->run, y->run);
}

static void free_owners(struct run_source *source)
{
	for (size_t i = 0; i < source->owner_count; i++)
		free(source->owners[i].run);
	free(source->owners);
	source->owners = NULL;
	source->owner_count = 0;
}

/* SQL must be UTF-8, so a run whose name is not is left out. */
static bool is_utf8(const char *name)
{
	uint32_t code;

	for (size_t length = 1; *name && length > 0; name += length)
		length = utf8_decode(name, &code);
	return *name == '\0';
}

/* Finds the owners of the runs in a spool. They are not listed if all runs belong to root and the caller, and nobody
 * else can add a run. */
static void find_owners(struct run_source *source, char *const *names, size_t count)
{
	int directory = open(source->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;

	if (directory < 0 || fstat(directory, &status) != 0)
		count = 0;
	else
		source->user = owner_foreign(status.st_uid);
	bool any = count > 0 && (status.st_mode & (S_IWGRP | S_IWOTH));
	source->owners = xcalloc(count, sizeof *source->owners);
	for (size_t i = 0; i < count && !source->user; i++) {
		if (!is_utf8(names[i]) || fstatat(directory, names[i], &status, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		const char *user = owner_foreign(status.st_uid);
		any |= user != NULL;
		source->owners[source->owner_count++] = (struct run_owner){xstrdup(names[i]), user};
	}
	if (directory >= 0)
		close(directory);
	if (any)
		array_sort(source->owners, source->owner_count, by_user);
	else
		free_owners(source);
}

static int examine_directory(struct run_source *source)
{
	struct stat status;
	struct runs runs;

	if (stat(source->path, &status) != 0)
		return -1;
	if (!S_ISDIR(status.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	if (source_has_file(source, ".", VIEW_RUNS)) {
		source->kind = SOURCE_RUN;
		source->user = owner_foreign(status.st_uid);
		examine_runs(source, (char *const[]){"."}, 1);
	} else if (file_exists(source->path, ".", view_name(VIEW_RUNS))) {
		source->kind = SOURCE_PARQUET;
		for (size_t view = 0; view < VIEW_COUNT; view++)
			source->has[view] = has_partition(source->path, view_name(view));
	} else {
		if (runs_list(&runs, source->path) != 0)
			return -1;
		examine_runs(source, runs.names, runs.count);
		find_owners(source, runs.names, runs.count);
		runs_free(&runs);
	}
	return 0;
}

int source_find(struct run_source *source, const char *name)
{
	*source = (struct run_source){.kind = SOURCE_SPOOL};
	if (strstr(name, "://")) {
		size_t length = strlen(name);
		while (length > 0 && name[length - 1] == '/')
			length--;
		source->kind = SOURCE_BUCKET;
		source->path = xstrndup(name, length);
		memset(source->has, true, sizeof source->has);
		return 0;
	}
	source->path = realpath(name, NULL);
	if (!source->path)
		return -1;
	if (examine_directory(source) == 0)
		return 0;
	int error = errno;
	source_free(source);
	errno = error;
	return -1;
}

int source_of_runs(struct run_source *source, const char *spool, char *const *chosen, size_t count)
{
	*source = (struct run_source){
		.kind = SOURCE_SPOOL, .path = realpath(spool, NULL), .chosen = chosen, .chosen_count = count};
	if (!source->path)
		return -1;
	examine_runs(source, chosen, count);
	find_owners(source, chosen, count);
	return 0;
}

void source_free(struct run_source *source)
{
	free_owners(source);
	free(source->path);
	*source = (struct run_source){0};
}
